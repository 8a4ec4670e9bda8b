import { BatchIntake, type Decoded } from '@gondola/messaging/consume/batch-intake';
import { LaneWorkers } from '@gondola/messaging/lanes/lane-workers';
import { type LaneKey, Lanes, laneText } from '@gondola/messaging/lanes/lanes';
import type { InRecord } from '@gondola/messaging/codec/record-codec';
import type { RecordBatch } from '@gondola/messaging/consume/topic-handler';
import type { Tx } from '@gondola/service-kit/database/database';
import { Inject, Injectable } from '@nestjs/common';
import type { OperationNotification, ProductNotification } from '../domain/read-notification.ts';
import { operationText, OperationsRepository } from '../outbound/operations.repository.ts';
import { ProductReportsRepository } from '../outbound/product-reports.repository.ts';

interface Taken {
  readonly tenant: string;
  /** The notification's key. */
  readonly dedupKey: string;
}

export type TakenNotification =
  | (Taken & { readonly kind: 'product'; readonly notification: ProductNotification })
  | (Taken & { readonly kind: 'operation'; readonly notification: OperationNotification });

type TakenReport = Extract<TakenNotification, { kind: 'product' }>;
type TakenOperation = Extract<TakenNotification, { kind: 'operation' }>;

/**
 * Stores what the platform tells beside the records that it is for, and wakes their lanes: those of the entities that
 * it names, and those whose records went in its operation. An outcome may come before the answer (rule 25): then the
 * operation is nobody's yet, and the lane finds the report when it looks.
 */
@Injectable()
export class TakeNotifications {
  constructor(
    private readonly intake: BatchIntake,
    private readonly lanes: Lanes,
    private readonly reports: ProductReportsRepository,
    private readonly operations: OperationsRepository,
    @Inject(LaneWorkers) private readonly workers: Pick<LaneWorkers, 'wake'>,
  ) {}

  async take(batch: RecordBatch, decode: (record: InRecord) => Decoded<TakenNotification>): Promise<void> {
    await this.intake.store(batch, decode, (tx, taken) => this.#insert(tx, taken));
    this.workers.wake();
  }

  async #insert(tx: Tx, taken: readonly TakenNotification[]): Promise<void> {
    const reports = taken.filter((each) => each.kind === 'product');
    const told = taken.filter((each) => each.kind === 'operation');
    const sent = await this.operations.laneIdsOf(
      tx,
      told.map(({ tenant }) => tenant),
      told.map(({ notification }) => notification.operationId),
    );
    const own = told.filter((each) => !each.notification.isForeign || sent.has(operationOf(each)));
    const keysOf = await this.lanes.keysOf(tx, [...sent.values()].flat());
    const ids = await this.lanes.wake(tx, [
      ...reports.map(productLane),
      ...own.flatMap(entityLane),
      ...keysOf.values(),
    ]);
    await this.#store(tx, reports, own, ids);
  }

  async #store(
    tx: Tx,
    taken: readonly TakenReport[],
    told: readonly TakenOperation[],
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
      told.map(({ tenant, dedupKey, notification: { operationId, entity, failed, error } }) => ({
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

function entityLane({ tenant, notification: { entity } }: TakenOperation): LaneKey[] {
  return entity === null ? [] : [{ tenant, kind: entity.kind, identity: entity.externalReference }];
}

function operationOf({ tenant, notification }: TakenOperation): string {
  return operationText(tenant, notification.operationId);
}
