import { BatchIntake, type Decoded } from '@gondola/lanes/intake/batch-intake';
import { type RecordBatch, TopicHandler } from '@gondola/kafka/server/topic-handler';
import { HEADER, type InRecord } from '@gondola/kafka/records/record-codec';
import { LaneWorkers } from '@gondola/lanes/lanes/lane-workers';
import { type LaneKey, Lanes } from '@gondola/lanes/lanes/lanes';
import type { Tx } from '@gondola/service-kit/database/database';
import { TENANTS } from '@gondola/service-kit/config/injected';
import { sentencesOf, tenantUnknown } from '@gondola/shared/results/unreadable-reason';
import { tenantOf } from '@gondola/shared/topics/tenant-of';
import { Controller, Inject } from '@nestjs/common';
import { Payload } from '@nestjs/microservices';
import { FailuresRepository, type NewFailure } from './failures.repository.ts';
import { OrderIdsRepository } from './order-ids.repository.ts';
import { type OrderFacts, readOrderNotification } from './read-order-notification.ts';

interface ReceivedFacts extends OrderFacts {
  readonly tenant: string;
  /** Key of the notification; a repeat has the same key. */
  readonly dedupKey: string;
}

/**
 * Stores GUIDs of orders and refusals from `platform.notifications.orders.v1`. Wakes the lanes that a refusal may
 * concern: it may arrive before the answer of its call (rule 5).
 */
@Controller()
export class OrderNotificationsConsumer {
  readonly #tenants: readonly string[];

  constructor(
    private readonly intake: BatchIntake,
    private readonly lanes: Lanes,
    private readonly failures: FailuresRepository,
    private readonly orderIds: OrderIdsRepository,
    private readonly workers: LaneWorkers,
    @Inject(TENANTS) tenants: ReadonlyArray<{ readonly id: string }>,
  ) {
    this.#tenants = tenants.map(({ id }) => id);
  }

  /** Resolves when the batch is committed. */
  @TopicHandler('platform.notifications.orders.v1')
  async take(@Payload() batch: RecordBatch): Promise<void> {
    await this.intake.store(
      batch,
      (record) => this.#decode(record),
      (tx, facts) => this.#insert(tx, facts),
    );
    this.workers.wake();
  }

  #decode(record: InRecord): Decoded<ReceivedFacts> {
    const owner = tenantOf({ header: record.header(HEADER.tenant), field: undefined, known: this.#tenants });
    if (!owner.ok) return { kind: 'dead-letter', code: owner.code, reason: tenantUnknown(owner) };
    const { tenant } = owner;
    const dedupKey = record.header(HEADER.id) ?? record.key?.toString('utf8');
    if (record.value === null || dedupKey === undefined) {
      const reason = sentencesOf('IDENTITY_MISSING', 'value, ce_id, key');
      return { kind: 'dead-letter', code: 'IDENTITY_MISSING', reason, tenant };
    }
    const reading = readOrderNotification(record.value);
    return reading.kind === 'skip' ? reading : { kind: 'item', item: { ...reading.facts, tenant, dedupKey }, tenant };
  }

  async #insert(tx: Tx, facts: readonly ReceivedFacts[]): Promise<void> {
    const refusals = facts.flatMap(({ failure, tenant, dedupKey }) =>
      failure === null ? [] : [{ ...failure, tenant, dedupKey }],
    );
    const orders = facts.flatMap(({ order, tenant }) => (order === null ? [] : [{ ...order, tenant }]));
    if (refusals.length > 0) {
      await this.lanes.wake(tx, await this.#lanesOf(tx, refusals));
      await this.failures.insert(tx, refusals);
    }
    if (orders.length > 0) await this.orderIds.save(tx, orders);
  }

  /** Lanes of the refusals' operations or entities. No lane is created for a refusal. */
  async #lanesOf(tx: Tx, refusals: readonly NewFailure[]): Promise<LaneKey[]> {
    const ofOperations = await this.lanes.keysOf(tx, await this.failures.laneIdsOf(tx, refusals));
    const entities = refusals.flatMap(({ tenant, about }) => (about === null ? [] : [{ tenant, ...about }]));
    return [...ofOperations.values(), ...(await this.lanes.existing(tx, entities))];
  }
}
