import { LoadCounts } from '@gondola/lanes/commands/load-counts';
import { Database, type Tx } from '@gondola/service-kit/database/database';
import { Randomness } from '@gondola/service-kit/run/randomness';
import { Injectable } from '@nestjs/common';
import type { CatalogKind } from '../records/catalog-kinds.ts';
import type { Load } from './load-progress.ts';
import { LoadsRepository } from './loads.repository.ts';

/** A file to load. */
export interface FileToLoad {
  readonly tenant: string;
  /** Null: Gondola names the load. */
  readonly loadId: string | null;
  readonly kind: CatalogKind;
  readonly records: number;
  /** SHA-256 of the file. */
  readonly digest: string;
}

export type BegunFile =
  | { readonly kind: 'begun'; readonly loadId: string }
  /** The name belongs to another file or source. */
  | { readonly kind: 'of-another' }
  /** All records of the load have their outcome. */
  | { readonly kind: 'ended' }
  /** A later load has taken records of a file of the kind. */
  | { readonly kind: 'overtaken' };

type NamedFile = Parameters<LoadsRepository['latestOf']>[1];

const DIGITS_OF_DIGEST = 8;
const BYTES_OF_NAME = 6;

/**
 * Begins the load of a file, or goes on with one of the same file that was interrupted.
 *
 *   same file and kind ─┬─ not ended, and no other file of the kind since ──▶ goes on under its name
 *                       └─ ended, or another file since ────────────────────▶ a new load, with new record ids
 *
 * The content of a file does not name the load: prices that return to former ones are the same file and a new change.
 * A caller that names its load is refused instead of given a new one, since a name stands for one change.
 */
@Injectable()
export class BeginFile {
  constructor(
    private readonly database: Database,
    private readonly loads: LoadsRepository,
    private readonly counts: LoadCounts,
    private readonly randomness: Randomness,
  ) {}

  /** One call of a tenant at a time, so that two callers with the same file get the same load. */
  async run({ tenant, loadId, kind, records, digest }: FileToLoad): Promise<BegunFile> {
    const file = { tenant, source: 'file', recordKind: kind, digest, expected: records } as const;
    return this.database.transaction(async (tx) => {
      await this.loads.lockFiles(tx, tenant);
      const latest = await this.loads.latestOf(tx, file);
      if (loadId === null && latest !== null && isOf(latest, file) && !(await this.#hasEnded(tx, latest))) {
        return { kind: 'begun', loadId: latest.loadId };
      }
      const name = loadId ?? this.#newName(digest);
      if (await this.loads.begin(tx, { ...file, loadId: name })) return { kind: 'begun', loadId: name };
      const named = await this.loads.find(tx, { tenant, loadId: name });
      if (named === null || !isOf(named, file)) return { kind: 'of-another' };
      if (await this.#hasEnded(tx, named)) return { kind: 'ended' };
      return named.id === latest?.id ? { kind: 'begun', loadId: name } : { kind: 'overtaken' };
    });
  }

  async #hasEnded(tx: Tx, load: Load): Promise<boolean> {
    if (load.taken !== load.expected) return false;
    const [open] = await this.counts.open(tx, [load], 1);
    return open === 0;
  }

  /** Unique for ever, because the ids of records without one are made from it; its first part shows equal files. */
  #newName(digest: string): string {
    const own = Buffer.from(this.randomness.bytes(BYTES_OF_NAME)).toString('hex');
    return `file-${digest.slice(0, DIGITS_OF_DIGEST)}-${own}`;
  }
}

function isOf(load: Load, { recordKind, digest, expected }: NamedFile): boolean {
  return (
    load.source === 'file' && load.recordKind === recordKind && load.digest === digest && load.expected === expected
  );
}
