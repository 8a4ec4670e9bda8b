import { randomBytes } from 'node:crypto';
import type { BatchIntake, Decoded } from '@gondola/messaging/batch-intake';
import type { Commands, NewCommand } from '@gondola/messaging/commands';
import { type LaneKey, type Lanes, laneText } from '@gondola/messaging/lanes';
import type { Outbox } from '@gondola/messaging/outbox';
import type { RecordBatch } from '@gondola/messaging/topic-handler';
import type { InRecord } from '@gondola/messaging/record-codec';
import type { Tx } from '@gondola/service-kit/database';
import { DEFAULT_LANGUAGE, type Language } from '@gondola/shared/reason-codes';
import type { Result } from '@gondola/shared/result';
import { childTraceparent, TRACE_RANDOM_BYTES } from '@gondola/shared/traceparent';
import { conflictResult } from '../domain/catalog-result.ts';
import type { ProductRecordIdentity } from '../domain/read-product-record.ts';
import { resultRecord } from '../outbound/result-record.ts';

export const PRODUCTS_TOPIC = 'erp.catalog.products.v1';

export interface TakenRecord {
  readonly identity: ProductRecordIdentity;
  readonly value: Buffer | null;
  readonly traceparent: string | undefined;
}

export interface TakeProductRecordsParts {
  readonly intake: BatchIntake;
  readonly lanes: Lanes;
  readonly commands: Commands;
  readonly outbox: Outbox;
  readonly languages: ReadonlyMap<string, Language>;
  readonly now: () => number;
  readonly nudge: () => void;
}

type Candidate = NewCommand & { readonly externalReference: string };

/** Queues product records in the lanes of their products. Rule 19: a repeat is nothing new; other content under a known id is `invalid`. */
export class TakeProductRecords {
  readonly #parts: TakeProductRecordsParts;

  constructor(parts: TakeProductRecordsParts) {
    this.#parts = parts;
  }

  async take(batch: RecordBatch, decode: (record: InRecord) => Decoded<TakenRecord>): Promise<void> {
    await this.#parts.intake.store(batch, decode, (tx, records) => this.#insert(tx, records));
    this.#parts.nudge();
  }

  async #insert(tx: Tx, records: readonly TakenRecord[]): Promise<void> {
    const { lanes, commands, outbox } = this.#parts;
    const ids = await lanes.wake(tx, records.map(laneOf));
    const candidates = records.map((record): Candidate => {
      const { tenant, externalReference, commandId, op, contentHash } = record.identity;
      return {
        laneId: ids.get(laneText(laneOf(record)))!,
        tenant,
        topic: PRODUCTS_TOPIC,
        commandId,
        command: op,
        contentHash,
        value: record.value,
        traceparent: childTraceparent(record.traceparent, randomBytes(TRACE_RANDOM_BYTES)),
        externalReference,
      };
    });
    const { conflicts } = await commands.insert(tx, candidates);
    const told = conflicts.map(({ item, first }) =>
      resultRecord(this.#conflict(item, first.resultId), item.traceparent),
    );
    await outbox.append(tx, told);
  }

  #conflict(item: Candidate, firstResultId: string | null): Result {
    const { tenant, topic, externalReference } = item;
    const time = new Date(this.#parts.now()).toISOString();
    const about = { tenant, topic, kind: 'product', externalReference, time } as const;
    return conflictResult(about, item, firstResultId, this.#parts.languages.get(tenant) ?? DEFAULT_LANGUAGE);
  }
}

function laneOf({ identity }: TakenRecord): LaneKey {
  return { tenant: identity.tenant, kind: 'product', identity: identity.externalReference };
}
