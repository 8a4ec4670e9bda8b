import { HEADER, type InRecord } from '@gondola/kafka/records/record-codec';
import { BatchIntake, type Decoded } from '@gondola/lanes/intake/batch-intake';
import { type RecordBatch, TopicHandler } from '@gondola/kafka/server/topic-handler';
import { LaneWorkers } from '@gondola/lanes/lanes/lane-workers';
import { type LaneKey, Lanes, laneText } from '@gondola/lanes/lanes/lanes';
import type { TenantConfig } from '@gondola/service-kit/config/tenants-file';
import type { Tx } from '@gondola/service-kit/database/database';
import { TENANTS } from '@gondola/service-kit/config/injected';
import { tenantUnknown } from '@gondola/shared/results/unreadable-reason';
import { tenantOf } from '@gondola/shared/topics/tenant-of';
import { Controller, Inject } from '@nestjs/common';
import { Payload } from '@nestjs/microservices';
import { orderLane } from '../facts/order-lane.ts';
import { OrderFactsRepository } from '../facts/order-facts.repository.ts';
import type { NewFact } from '../facts/order-fact.ts';
import { SeenOrders } from '../shadow/seen-orders.service.ts';
import { readNotification } from './read-notification.ts';

/** Mechanism 1 for `platform.notifications.orders.v1`: what arrives becomes facts, and their orders' lanes are due. */
@Controller()
export class OrderNotificationsConsumer {
  readonly #tenants: readonly string[];

  constructor(
    private readonly intake: BatchIntake,
    private readonly lanes: Lanes,
    private readonly facts: OrderFactsRepository,
    private readonly workers: LaneWorkers,
    private readonly seen: SeenOrders,
    @Inject(TENANTS) tenants: ReadonlyArray<Pick<TenantConfig, 'id'>>,
  ) {
    this.#tenants = tenants.map(({ id }) => id);
  }

  @TopicHandler('platform.notifications.orders.v1')
  async handle(@Payload() batch: RecordBatch): Promise<void> {
    let woken: readonly LaneKey[] = [];
    await this.intake.store(
      batch,
      (record, traceparent) => this.#decode(record, traceparent),
      (tx, facts) => {
        woken = [...woken, ...facts.map(laneOf)];
        return this.#insert(tx, facts);
      },
    );
    this.workers.wake(woken);
  }

  #decode(record: InRecord, traceparent: string): Decoded<NewFact> {
    const owner = tenantOf({ header: record.header(HEADER.tenant), field: undefined, known: this.#tenants });
    if (!owner.ok) return { kind: 'dead-letter', code: owner.code, reason: tenantUnknown(owner) };
    const { tenant } = owner;
    const id = record.header(HEADER.id) ?? record.key?.toString('utf8');
    const reading = readNotification(record.value, { tenant, id, traceparent });
    if (reading.kind === 'skip') return reading;
    return reading.kind === 'fact' ? { kind: 'item', item: reading.fact, tenant } : { ...reading, tenant };
  }

  async #insert(tx: Tx, facts: readonly NewFact[]): Promise<void> {
    const laneIds = await this.lanes.wake(tx, facts.map(laneOf));
    await this.facts.insert(
      tx,
      facts.map((fact) => ({ ...fact, laneId: laneIds.get(laneText(laneOf(fact)))! })),
    );
    await this.seen.store(tx, facts);
  }
}

function laneOf({ tenant, orderNumber }: NewFact): LaneKey {
  return orderLane(tenant, orderNumber);
}
