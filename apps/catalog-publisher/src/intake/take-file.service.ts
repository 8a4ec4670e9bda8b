import { type ArrivedCommand, CommandIntake } from '@gondola/lanes/commands/command-intake';
import type { LoadKey } from '@gondola/lanes/commands/load-counts';
import { Database } from '@gondola/service-kit/database/database';
import { Randomness } from '@gondola/service-kit/run/randomness';
import type { ReasonCode } from '@gondola/shared/outcomes/reason-codes';
import { tracing } from '@gondola/service-kit/tracing/tracing';
import { Injectable } from '@nestjs/common';
import { CatalogTenants } from '../lanes/catalog-tenants.service.ts';
import { CATALOG_RESULTS, CATALOG_TOPICS, type CatalogKind, conflictOf } from '../records/catalog-kinds.ts';
import { readRecordIdentity } from '../records/read-record.ts';
import { LoadsRepository } from './loads.repository.ts';

/** The next records of a file, each as JSON text. */
export interface FilePart {
  /** Number of records before them. */
  readonly from: number;
  readonly texts: readonly string[];
}

/** A record without a readable identity: on a topic it would be a dead letter. */
export interface UnreadableRecord {
  /** Position in the file, from 0. */
  readonly index: number;
  readonly code: ReasonCode;
}

export type TakenPart =
  | { readonly kind: 'taken'; readonly taken: number; readonly unreadable: readonly UnreadableRecord[] }
  /** No load of a file has this name. */
  | { readonly kind: 'unknown' }
  /** The part is not the next one: another call took it, or the answer to this call was lost. */
  | { readonly kind: 'elsewhere'; readonly taken: number }
  | { readonly kind: 'too-many' };

interface ReadPart {
  readonly arrived: readonly ArrivedCommand[];
  readonly unreadable: readonly UnreadableRecord[];
}

/**
 * Takes the records of a file into their lanes, as the intake of their topic does, with their own ids.
 *
 *   begun ──▶ part from 0 ──▶ part from 200 ──▶ … ──▶ all are taken
 *               └─ one transaction: the load is locked, its place compared, the records queued, the place advanced
 *
 * The records do not pass through Kafka: each part is taken exactly once, and the number of remaining records is
 * known, so that the load's counts add up at every moment.
 */
@Injectable()
export class TakeFile {
  constructor(
    private readonly database: Database,
    private readonly loads: LoadsRepository,
    private readonly intake: CommandIntake,
    private readonly randomness: Randomness,
    private readonly tenants: CatalogTenants,
  ) {}

  async take(key: LoadKey, { from, texts }: FilePart): Promise<TakenPart> {
    const found = await this.loads.find(this.database, key);
    if (found === null || found.recordKind === null) return { kind: 'unknown' };
    const { recordKind } = found;
    const { arrived, unreadable } = this.#read(found, recordKind, { from, texts });
    const taken = await this.database.transaction(async (tx): Promise<TakenPart> => {
      const load = await this.loads.lock(tx, key);
      if (load === null) return { kind: 'unknown' };
      if (load.taken !== from) return { kind: 'elsewhere', taken: load.taken };
      if (from + texts.length > (load.expected ?? 0)) return { kind: 'too-many' };
      let newConflicts = 0;
      const { repeats, conflicts } = await this.intake.insert(tx, arrived, CATALOG_TOPICS[recordKind], {
        results: CATALOG_RESULTS,
        conflict: conflictOf(recordKind),
        beside: async (inTx, records) => void (newConflicts = await this.loads.note(inTx, records)),
      });
      // A repeated conflicting record counts as a repeat.
      const repeated = repeats.length + conflicts.length - newConflicts;
      const part = { taken: texts.length, repeated, unreadable: unreadable.length };
      await this.loads.advance(tx, load.id, part);
      return { kind: 'taken', taken: from + texts.length, unreadable };
    });
    this.intake.wake();
    return taken;
  }

  #read({ tenant, loadId }: LoadKey, kind: CatalogKind, { from, texts }: FilePart): ReadPart {
    const traceparent = tracing.begin('take file', this.randomness.bytes);
    const arrived: ArrivedCommand[] = [];
    const unreadable: UnreadableRecord[] = [];
    for (const [offset, text] of texts.entries()) {
      const index = from + offset;
      const bytes = { value: Buffer.from(text), key: null, tenantHeader: tenant, position: `load/${loadId}/${index}` };
      const read = readRecordIdentity(kind, bytes, [tenant], this.tenants.placeNames);
      if (read.kind === 'dead-letter') unreadable.push({ index, code: read.code });
      else {
        const identity = { ...read.identity, loadId };
        arrived.push({ identity, value: bytes.value, traceparent, producedAt: null });
      }
    }
    return { arrived, unreadable };
  }
}
