import type { BatchIntake, Decoded } from '@gondola/messaging/consume/batch-intake';
import { type LaneKey, type Lanes, laneText } from '@gondola/messaging/lanes/lanes';
import { HEADER, type InRecord } from '@gondola/messaging/codec/record-codec';
import type { RecordBatch } from '@gondola/messaging/consume/topic-handler';
import type { Tx } from '@gondola/service-kit/database/database';
import { tenantOf } from '@gondola/shared/topics/tenant-of';
import { type NewFact, readNotification } from './read-notification.ts';
import { orderLane } from '../orders/order-lane.ts';
import type { FactStore } from '../orders/order-stores.ts';

export interface TakeInNotificationsOptions {
  readonly intake: BatchIntake;
  readonly lanes: Lanes;
  readonly facts: FactStore;
  readonly tenants: readonly string[];
  /** Tells the lane workers that there is something to do. */
  readonly wake: () => void;
}

/** Mechanism 1 for order notifications: what arrives becomes facts, and the lanes of their orders are due. */
export class TakeInNotifications {
  readonly #options: TakeInNotificationsOptions;

  constructor(options: TakeInNotificationsOptions) {
    this.#options = options;
  }

  /** Resolves when the batch is committed. */
  async take(batch: RecordBatch): Promise<void> {
    const { intake, wake } = this.#options;
    await intake.store(
      batch,
      (record, traceparent) => this.#decode(record, traceparent),
      (tx, facts) => this.#insert(tx, facts),
    );
    wake();
  }

  #decode(record: InRecord, traceparent: string): Decoded<NewFact> {
    const owner = tenantOf({ header: record.header(HEADER.tenant), field: undefined, known: this.#options.tenants });
    if (!owner.ok) return { kind: 'dead-letter', code: owner.code, reason: `The tenant is ${owner.why}` };
    const { tenant } = owner;
    const id = record.header(HEADER.id) ?? record.key?.toString('utf8');
    const reading = readNotification(record.value, { tenant, id, traceparent });
    if (reading.kind === 'skip') return reading;
    return reading.kind === 'fact' ? { kind: 'item', item: reading.fact, tenant } : { ...reading, tenant };
  }

  async #insert(tx: Tx, facts: readonly NewFact[]): Promise<void> {
    const { lanes, facts: store } = this.#options;
    const laneIds = await lanes.wake(tx, facts.map(keyOf));
    await store.insert(
      tx,
      facts.map((fact) => ({ ...fact, laneId: laneIds.get(laneText(keyOf(fact)))! })),
    );
  }
}

function keyOf({ tenant, orderNumber }: NewFact): LaneKey {
  return orderLane(tenant, orderNumber);
}
