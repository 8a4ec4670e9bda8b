import { randomBytes } from 'node:crypto';
import type { Commands, NewCommand } from '@gondola/messaging/commands';
import { type LaneKey, type Lanes, laneText } from '@gondola/messaging/lanes';
import type { Outbox } from '@gondola/messaging/outbox';
import type { Tx } from '@gondola/service-kit/database';
import { recordHash16 } from '@gondola/shared/dedup-keys';
import { reasonOf } from '@gondola/shared/reason-codes';
import { buildResult } from '@gondola/shared/result';
import { childTraceparent, TRACE_RANDOM_BYTES } from '@gondola/shared/traceparent';
import type { ProductRecordIdentity } from '../domain/read-product-record.ts';
import { resultRecord } from '../outbound/result-record.ts';
import type { Publishing } from './publishing.ts';

export const PRODUCTS_TOPIC = 'erp.catalog.products.v1';

export interface TakenRecord {
  readonly identity: ProductRecordIdentity;
  readonly value: Buffer | null;
  readonly traceparent: string | undefined;
}

type Candidate = NewCommand & { readonly externalReference: string };

/** Queues product records in the lanes of their products. Rule 19: a repeat is nothing new; other content under a known id is `invalid`. */
export class TakeProductRecords {
  readonly #lanes: Lanes;
  readonly #commands: Commands;
  readonly #outbox: Outbox;
  readonly #publishing: Publishing;

  constructor(parts: { lanes: Lanes; commands: Commands; outbox: Outbox; publishing: Publishing }) {
    this.#lanes = parts.lanes;
    this.#commands = parts.commands;
    this.#outbox = parts.outbox;
    this.#publishing = parts.publishing;
  }

  async insert(tx: Tx, records: readonly TakenRecord[]): Promise<void> {
    const ids = await this.#lanes.wake(tx, records.map(laneOf));
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
    const { conflicts } = await this.#commands.insert(tx, candidates);
    await this.#outbox.append(
      tx,
      conflicts.map(({ item, first }) => resultRecord(this.#conflict(item, first.resultId), item.traceparent)),
    );
  }

  #conflict(item: Candidate, firstResultId: string | null) {
    const time = this.#publishing.now().toISOString();
    const { tenant, topic, commandId, command, externalReference } = item;
    return buildResult({
      tenant,
      inputTopic: topic,
      commandId,
      command,
      entity: { kind: 'product', externalReference },
      outcome: 'invalid',
      suffix: recordHash16(item.value ?? Buffer.alloc(0)),
      reason: reasonOf('DUPLICATE_COMMAND', this.#publishing.languageOf(tenant), { params: { commandId } }),
      conflictsWith: firstResultId,
      time,
      receivedAt: time,
    });
  }
}

function laneOf({ identity }: TakenRecord): LaneKey {
  return { tenant: identity.tenant, kind: 'product', identity: identity.externalReference };
}
