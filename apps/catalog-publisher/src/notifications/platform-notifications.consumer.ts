import { isValueKind } from '@gondola/shared/topics/values';
import { BatchIntake, type Decoded } from '@gondola/lanes/intake/batch-intake';
import { HEADER, type InRecord } from '@gondola/kafka/records/record-codec';
import { type RecordBatch, TopicHandler } from '@gondola/kafka/server/topic-handler';
import { sentencesOf, tenantUnknown } from '@gondola/shared/results/unreadable-reason';
import { tenantOf } from '@gondola/shared/topics/tenant-of';
import { TENANTS } from '@gondola/service-kit/config/injected';
import { Controller, Inject } from '@nestjs/common';
import { Payload } from '@nestjs/microservices';
import { type OperationNotification, type ProductNotification, readNotification } from './read-notification.ts';
import { CompareCatalog } from '../shadow/compare-catalog.service.ts';
import { type SeenValue, seenValue } from '../shadow/judge-value.ts';
import { LaneWorkers } from '@gondola/lanes/lanes/lane-workers';
import { type LaneKey, Lanes, laneText } from '@gondola/lanes/lanes/lanes';
import type { Queryable } from '@gondola/lanes/store/queryable';
import { Database, type Tx } from '@gondola/service-kit/database/database';
import { operationText, PlatformOperationsRepository } from './platform-operations.repository.ts';
import { ProductReportsRepository } from './product-reports.repository.ts';

interface Origin {
  readonly tenant: string;
  /** The value that the shop has, for the comparison of a tenant in shadow. */
  readonly seen: SeenValue | null;
  /** The notification's key. */
  readonly dedupKey: string;
}

type TakenNotification =
  | (Origin & { readonly kind: 'product'; readonly notification: ProductNotification })
  | (Origin & { readonly kind: 'operation'; readonly notification: OperationNotification });

type TakenReport = Extract<TakenNotification, { kind: 'product' }>;
type TakenOperation = Extract<TakenNotification, { kind: 'operation' }>;

/**
 * `platform.notifications.catalog.v1`, and the `Operation_Failed` of our operations on
 * `platform.notifications.orders.v1`: stored as reports. Wakes the lanes of the entities that a notification names,
 * and those whose records were sent in its operation. An outcome may arrive before the answer (rule 25): then the
 * operation is unknown yet, and the lane's next step finds the report, or the commit of the report wakes it.
 */
@Controller()
export class PlatformNotificationsConsumer {
  readonly #tenants: readonly string[];

  constructor(
    private readonly database: Database,
    private readonly intake: BatchIntake,
    private readonly lanes: Lanes,
    private readonly reports: ProductReportsRepository,
    private readonly operations: PlatformOperationsRepository,
    private readonly workers: LaneWorkers,
    private readonly comparison: CompareCatalog,
    @Inject(TENANTS) tenants: ReadonlyArray<{ readonly id: string }>,
  ) {
    this.#tenants = tenants.map(({ id }) => id);
  }

  @TopicHandler('platform.notifications.catalog.v1')
  async takeCatalog(@Payload() batch: RecordBatch): Promise<void> {
    await this.#take(batch, (record) => this.#decode(record));
  }

  /** Orders belong to order-command-handler, which dead-letters unreadable records of that topic. */
  @TopicHandler('platform.notifications.orders.v1')
  async takeFailures(@Payload() batch: RecordBatch): Promise<void> {
    await this.#take(batch, (record) => {
      const decoded = this.#decode(record);
      return decoded.kind === 'dead-letter' ? { kind: 'skip', why: 'not-ours' } : decoded;
    });
  }

  async #take(batch: RecordBatch, decode: (record: InRecord) => Decoded<TakenNotification>): Promise<void> {
    const operations: TakenOperation[] = [];
    const woken: LaneKey[] = [];
    await this.intake.store(
      batch,
      (record) => {
        const decoded = decode(record);
        if (decoded.kind === 'item' && decoded.item.kind === 'operation') operations.push(decoded.item);
        return decoded;
      },
      async (tx, taken) => void woken.push(...(await this.#insert(tx, taken))),
    );
    woken.push(...(await this.#wakeSent(operations)));
    this.workers.wake(woken);
  }

  /**
   * Wakes the lanes of operations that were answered while their reports were being stored: such a lane may have looked
   * for reports before the commit.
   */
  async #wakeSent(operations: readonly TakenOperation[]): Promise<LaneKey[]> {
    const sent = await this.#lanesOf(this.database, operations);
    const keys = await this.lanes.keysOf(this.database, [...sent.values()].flat());
    if (keys.size > 0) await this.database.transaction((tx) => this.lanes.wake(tx, [...keys.values()]));
    return [...keys.values()];
  }

  /** By `operationText`. */
  async #lanesOf(db: Queryable, operations: readonly TakenOperation[]): Promise<Map<string, string[]>> {
    if (operations.length === 0) return new Map();
    return this.operations.laneIdsOf(
      db,
      operations.map(({ tenant }) => tenant),
      operations.map(({ notification }) => notification.operationId),
    );
  }

  #decode(record: InRecord): Decoded<TakenNotification> {
    const tenant = tenantOf({ header: record.header(HEADER.tenant), field: undefined, known: this.#tenants });
    if (!tenant.ok) return { kind: 'dead-letter', code: 'TENANT_UNKNOWN', reason: tenantUnknown(tenant) };
    const dedupKey = record.header(HEADER.id);
    if (record.value === null || dedupKey === undefined) {
      const reason = sentencesOf('IDENTITY_MISSING', 'value, ce_id');
      return { kind: 'dead-letter', code: 'IDENTITY_MISSING', reason, tenant: tenant.tenant };
    }
    const origin = { tenant: tenant.tenant, dedupKey };
    const read = readNotification(record.value);
    if (read.kind === 'none') return { kind: 'skip', why: read.why };
    return {
      kind: 'item',
      tenant: tenant.tenant,
      item: { ...read, ...origin, seen: this.comparison.isFor(tenant.tenant) ? seenValue(record.value) : null },
    };
  }

  /** Returns the woken lanes. */
  async #insert(tx: Tx, taken: readonly TakenNotification[]): Promise<LaneKey[]> {
    const reports = taken.filter((each) => each.kind === 'product');
    const operations = taken.filter((each) => each.kind === 'operation');
    const sent = await this.#lanesOf(tx, operations);
    const own = operations.filter((each) => !each.notification.isForeign || sent.has(operationOf(each)));
    const keysOf = await this.lanes.keysOf(tx, [...sent.values()].flat());
    const woken = [...reports.map(productLane), ...own.flatMap(entityLane), ...keysOf.values()];
    const ids = await this.lanes.wake(tx, woken);
    await this.#store(tx, reports, own, ids);
    await this.comparison.saw(
      tx,
      operations.flatMap(({ tenant, seen }) => (seen === null ? [] : [{ tenant, ...seen }])),
    );
    return woken;
  }

  async #store(
    tx: Tx,
    taken: readonly TakenReport[],
    operations: readonly TakenOperation[],
    ids: ReadonlyMap<string, string>,
  ): Promise<void> {
    await this.reports.insert(
      tx,
      taken.map((each) => ({
        laneId: ids.get(laneText(productLane(each)))!,
        dedupKey: each.dedupKey,
        operationId: each.notification.operationId,
        eventType: each.notification.eventType,
        data: Buffer.from(each.notification.data),
      })),
    );
    await this.operations.insertReports(
      tx,
      operations.map(({ tenant, dedupKey, notification: { operationId, entity, failed, error } }) => ({
        tenant,
        dedupKey,
        operationId,
        entity,
        failed,
        error,
      })),
    );
  }
}

function productLane({ tenant, notification }: TakenReport): LaneKey {
  return { tenant, kind: 'product', identity: notification.externalReference };
}

/** A price or warehouse is named by the platform's ids, which name no lane: its operation leads to it. */
function entityLane({ tenant, notification: { entity } }: TakenOperation): LaneKey[] {
  return entity === null || isValueKind(entity.kind)
    ? []
    : [{ tenant, kind: entity.kind, identity: entity.externalReference }];
}

function operationOf({ tenant, notification }: TakenOperation): string {
  return operationText(tenant, notification.operationId);
}
