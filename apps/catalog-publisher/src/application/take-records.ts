import type { BatchIntake, Decoded } from '@gondola/messaging/consume/batch-intake';
import type { Commands, NewCommand } from '@gondola/messaging/commands/commands';
import { type LaneKey, type Lanes, laneText } from '@gondola/messaging/lanes/lanes';
import type { Outbox } from '@gondola/messaging/outbox/outbox';
import type { InRecord } from '@gondola/messaging/codec/record-codec';
import { resultRecord } from '@gondola/messaging/codec/result-record';
import type { RecordBatch } from '@gondola/messaging/consume/topic-handler';
import type { Tx } from '@gondola/service-kit/database/database';
import { DEFAULT_LANGUAGE, type Language } from '@gondola/shared/results/reason-codes';
import type { Result } from '@gondola/shared/results/result';
import { CATALOG_TOPICS, type CatalogKind } from '../domain/catalog-kinds.ts';
import { CATALOG_RESULTS, conflictResult } from '../domain/catalog-result.ts';
import type { RecordIdentity } from '../domain/read-record.ts';

export interface TakenRecord {
  readonly kind: CatalogKind;
  readonly identity: RecordIdentity;
  readonly value: Buffer | null;
  readonly traceparent: string;
}

export interface TakeRecordsParts {
  readonly intake: BatchIntake;
  readonly lanes: Lanes;
  readonly commands: Commands;
  readonly outbox: Outbox;
  readonly languages: ReadonlyMap<string, Language>;
  readonly now: () => number;
  readonly wake: () => void;
}

type Candidate = NewCommand & { readonly lane: LaneKey; readonly kind: CatalogKind };

/**
 * Queues catalog records in the lanes of their entities. Rule 19: a repeat is nothing new; other content under a known
 * id is `invalid`.
 */
export class TakeRecords {
  readonly #parts: TakeRecordsParts;

  constructor(parts: TakeRecordsParts) {
    this.#parts = parts;
  }

  async take(
    batch: RecordBatch,
    decode: (record: InRecord, traceparent: string) => Decoded<TakenRecord>,
  ): Promise<void> {
    await this.#parts.intake.store(batch, decode, (tx, records) => this.#insert(tx, records));
    this.#parts.wake();
  }

  async #insert(tx: Tx, records: readonly TakenRecord[]): Promise<void> {
    const { lanes, commands, outbox } = this.#parts;
    const ids = await lanes.wake(tx, records.map(laneOf));
    const candidates = records.map((record): Candidate => {
      const { kind, identity, value, traceparent } = record;
      const { tenant, commandId, op, contentHash } = identity;
      const lane = laneOf(record);
      return {
        laneId: ids.get(laneText(lane))!,
        tenant,
        topic: CATALOG_TOPICS[kind],
        commandId,
        command: op,
        contentHash,
        value,
        traceparent,
        lane,
        kind,
      };
    });
    const { conflicts } = await commands.insert(tx, candidates);
    const told = conflicts.map(({ item, first }) =>
      resultRecord(CATALOG_RESULTS, this.#conflict(item, first.resultId), item.traceparent),
    );
    await outbox.append(tx, told);
  }

  #conflict(item: Candidate, firstResultId: string | null): Result {
    const { tenant, kind, lane } = item;
    const time = new Date(this.#parts.now()).toISOString();
    const about = { tenant, kind, externalReference: lane.identity, time };
    return conflictResult(about, item, firstResultId, this.#parts.languages.get(tenant) ?? DEFAULT_LANGUAGE);
  }
}

function laneOf({ kind, identity }: TakenRecord): LaneKey {
  return { tenant: identity.tenant, kind, identity: identity.externalReference };
}
