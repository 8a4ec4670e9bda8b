import type { BatchIntake, Decoded } from '@gondola/messaging/consume/batch-intake';
import type { LaneKey, Lanes } from '@gondola/messaging/lanes/lanes';
import { HEADER, type InRecord } from '@gondola/messaging/codec/record-codec';
import type { RecordBatch } from '@gondola/messaging/consume/topic-handler';
import type { Tx } from '@gondola/service-kit/database/database';
import { tenantOf } from '@gondola/shared/topics/tenant-of';
import { type OrderNews, readOrderNotification } from '../domain/read-order-notification.ts';
import type { FailureStore, NewFailure, OrderIdStore } from './file-stores.ts';

export interface TakeOrderNotificationsParts {
  readonly intake: BatchIntake;
  readonly lanes: Lanes;
  readonly failures: FailureStore;
  readonly orderIds: OrderIdStore;
  readonly tenants: readonly string[];
  readonly wake: () => void;
}

interface TakenNews extends OrderNews {
  readonly tenant: string;
  /** The notification's key: equal for a repeat. */
  readonly dedupKey: string;
}

/**
 * Keeps GUIDs of orders and refusals, and wakes the lanes that a refusal may be about: it may come before the answer of
 * its call (rule 5).
 */
export class TakeOrderNotifications {
  readonly #parts: TakeOrderNotificationsParts;

  constructor(parts: TakeOrderNotificationsParts) {
    this.#parts = parts;
  }

  /** Resolves when the batch is committed. */
  async take(batch: RecordBatch): Promise<void> {
    await this.#parts.intake.store(
      batch,
      (record) => this.#decode(record),
      (tx, news) => this.#insert(tx, news),
    );
    this.#parts.wake();
  }

  #decode(record: InRecord): Decoded<TakenNews> {
    const owner = tenantOf({ header: record.header(HEADER.tenant), field: undefined, known: this.#parts.tenants });
    if (!owner.ok) return { kind: 'dead-letter', code: owner.code, reason: `The tenant is ${owner.why}` };
    const { tenant } = owner;
    const dedupKey = record.header(HEADER.id) ?? record.key?.toString('utf8');
    if (record.value === null || dedupKey === undefined) {
      return { kind: 'dead-letter', code: 'IDENTITY_MISSING', reason: 'No value, or neither ce_id nor key', tenant };
    }
    const reading = readOrderNotification(record.value);
    return reading.kind === 'skip' ? reading : { kind: 'item', item: { ...reading.news, tenant, dedupKey }, tenant };
  }

  async #insert(tx: Tx, news: readonly TakenNews[]): Promise<void> {
    const { lanes, failures, orderIds } = this.#parts;
    const told = news.flatMap(({ failure, tenant, dedupKey }) =>
      failure === null ? [] : [{ ...failure, tenant, dedupKey }],
    );
    const orders = news.flatMap(({ order, tenant }) => (order === null ? [] : [{ ...order, tenant }]));
    if (told.length > 0) {
      await lanes.wake(tx, await this.#lanesOf(tx, told));
      await failures.insert(tx, told);
    }
    if (orders.length > 0) await orderIds.save(tx, orders);
  }

  /** Those whose operations, or whose entities, the refusals are about. No lane is made for a refusal. */
  async #lanesOf(tx: Tx, told: readonly NewFailure[]): Promise<LaneKey[]> {
    const { lanes, failures } = this.#parts;
    const ofOperations = await lanes.keysOf(tx, await failures.laneIdsOf(tx, told));
    const entities = told.flatMap(({ tenant, about }) => (about === null ? [] : [{ tenant, ...about }]));
    return [...ofOperations.values(), ...(await lanes.existing(tx, entities))];
  }
}
