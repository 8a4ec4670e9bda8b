import { Database, type Tx } from '@gondola/service-kit/database/database';
import { Clock } from '@gondola/service-kit/run/clock';
import type { Startable } from '@gondola/service-kit/run/startable';
import { Injectable } from '@nestjs/common';
import { rowOf, type Queryable } from '../values/column-values.adapter.ts';
import { isJsonObject, keyOf, numberOf } from '../values/exact-json.ts';
import type { Notification } from '../webhooks/notification.ts';
import { FaultEntity } from './fault.entity.ts';
import {
  begun,
  bendsCalls,
  bendsDeliveries,
  callPlan,
  countedApart,
  deliveryPlan,
  isOver,
  matchesCall,
  matchesEvent,
  strikes,
  type CallPlan,
  type DeliveryPlan,
  type Fault,
  type FaultCount,
} from './fault.ts';

export type StoredFault = Pick<FaultEntity, 'id' | 'fault'>;

/**
 * The active faults and their counts. Faults are in memory, because every call reads them; counts are in the
 * database, so that a fault with `times: 1` strikes once even across a restart.
 */
@Injectable()
export class FaultBoard implements Startable {
  readonly name = 'faults';
  private faults: readonly StoredFault[] = [];

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  async start(): Promise<void> {
    this.faults = await this.database.repository(FaultEntity).find({ order: { id: 'ASC' } });
  }

  async stop(): Promise<void> {}

  async add(faults: readonly Fault[]): Promise<StoredFault[]> {
    const begunNow = faults.flatMap(countedApart).map((fault) => ({ fault: begun(fault, this.clock.now()) }));
    const { identifiers } = await this.database.repository(FaultEntity).insert(rowOf(begunNow));
    const added = begunNow.map(({ fault }, index) => ({ id: identifiers[index]?.['id'] as string, fault }));
    this.faults = [...this.faults, ...added];
    return added;
  }

  /** All active faults, and how often each matched and struck so far. */
  async counted(): Promise<(StoredFault & FaultCount)[]> {
    const rows = await this.database.repository(FaultEntity).find({ order: { id: 'ASC' } });
    return rows.map(({ id, fault, matched, struck }) => ({ id, fault, matched, struck }));
  }

  async clear(): Promise<void> {
    await this.database.repository(FaultEntity).deleteAll();
    this.faults = [];
  }

  /** Counts this call and plans its treatment; undefined if no fault matches it. */
  async planCall(method: string, path: string): Promise<CallPlan | undefined> {
    const matching = this.lasting().filter(({ fault }) => bendsCalls(fault) && matchesCall(fault, method, path));
    if (matching.length === 0) return undefined;
    // Without `times`, only the number of the match decides whether the fault strikes, so one statement is enough.
    const isBounded = matching.some(({ fault }) => fault.times !== undefined);
    const struck = isBounded
      ? await this.database.transaction((tx) => this.struck(tx, matching))
      : await this.struck(undefined, matching);
    return callPlan(struck.map(({ fault }) => fault));
  }

  /** Counts this notification in the transaction that writes it, and plans its delivery. */
  async planDelivery(tx: Tx, { eventType, data }: Notification): Promise<DeliveryPlan> {
    const status = isJsonObject(data) ? numberOf(keyOf(data, 'status')) : undefined;
    const matching = this.lasting().filter(
      ({ fault }) => bendsDeliveries(fault) && matchesEvent(fault, eventType, status),
    );
    return deliveryPlan(await this.struck(tx, matching));
  }

  private lasting(): readonly StoredFault[] {
    const nowMs = this.clock.now();
    return this.faults.filter(({ fault }) => !isOver(fault, nowMs));
  }

  private async struck(
    tx: Tx | undefined,
    matching: readonly StoredFault[],
  ): Promise<{ fault: Fault; count: FaultCount }[]> {
    if (matching.length === 0) return [];
    const counts = await this.count('matched', matching, tx);
    const struck = matching.flatMap(({ id, fault }) => {
      const count = counts.get(id);
      return count && strikes(fault, count) ? [{ id, fault, count }] : [];
    });
    if (struck.length > 0) await this.count('struck', struck, tx);
    return struck;
  }

  /**
   * Adds one to a count of each fault. Returns the counts before it, by id; removed faults are missing. The counts
   * stay locked until the transaction ends; every statement locks them in one order, to prevent deadlocks.
   */
  private async count(
    column: keyof FaultCount,
    faults: readonly StoredFault[],
    tx: Tx | undefined,
  ): Promise<ReadonlyMap<string, FaultCount>> {
    const db: Queryable = tx ?? this.database;
    const { rows } = await db.query<{ id: string; matched: number; struck: number }>(
      `WITH locked AS (
         SELECT id, matched, struck FROM faults WHERE id = ANY($1::bigint[]) ORDER BY id FOR UPDATE
       )
       UPDATE faults f SET ${column} = locked.${column} + 1 FROM locked WHERE f.id = locked.id
       RETURNING f.id, locked.matched, locked.struck`,
      [faults.map(({ id }) => id)],
    );
    return new Map(rows.map(({ id, matched, struck }) => [id, { matched, struck }]));
  }
}
