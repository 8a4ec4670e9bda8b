import { Database, type Tx } from '@gondola/service-kit/database/database';
import { Clock } from '@gondola/service-kit/run/clock';
import type { Startable } from '@gondola/service-kit/run/startable';
import { Injectable } from '@nestjs/common';
import { In } from 'typeorm';
import { rowOf, type Queryable } from '../values/column-values.adapter.ts';
import { isJsonObject, keyOf, numberOf } from '../values/exact-json.ts';
import type { Notification } from '../webhooks/notification.ts';
import { FaultEntity } from './fault.entity.ts';
import {
  begun,
  bendsCalls,
  bendsDeliveries,
  callPlan,
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
 * The faults that are set, and their counts. The faults are in memory, because every call asks; the counts are in the
 * database, because a fault that strikes once strikes once, restart or not.
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
    const begunNow = faults.map((fault) => ({ fault: begun(fault, this.clock.now()) }));
    const { identifiers } = await this.database.repository(FaultEntity).insert(rowOf(begunNow));
    const added = begunNow.map(({ fault }, index) => ({ id: identifiers[index]?.['id'] as string, fault }));
    this.faults = [...this.faults, ...added];
    return added;
  }

  async clear(): Promise<void> {
    await this.database.repository(FaultEntity).deleteAll();
    this.faults = [];
  }

  /** Counts this call, and says what becomes of it; undefined when no fault names it. */
  async planCall(method: string, path: string): Promise<CallPlan | undefined> {
    const matching = this.lasting().filter(({ fault }) => bendsCalls(fault) && matchesCall(fault, method, path));
    if (matching.length === 0) return undefined;
    // Without `times` the number of the match alone says whether it strikes, and one statement draws that.
    const isBounded = matching.some(({ fault }) => fault.times !== undefined);
    const struck = isBounded
      ? await this.database.transaction((tx) => this.struck(tx, matching))
      : await this.struck(undefined, matching);
    return callPlan(struck.map(({ fault }) => fault));
  }

  /** Counts this notification in the transaction that writes it, and says what becomes of it. */
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
    const ids = matching.map(({ id }) => id);
    const counts = await this.match(ids, tx);
    const struck = matching.flatMap(({ id, fault }) => {
      const count = counts.get(id);
      return count && strikes(fault, count) ? [{ id, fault, count }] : [];
    });
    const struckIds = In(struck.map(({ id }) => id));
    if (struck.length > 0) await this.database.repository(FaultEntity, tx).increment({ id: struckIds }, 'struck', 1);
    return struck;
  }

  /**
   * Counts one match of each. Returns the counts before it, by id; those of faults that are gone are missing. Nobody
   * else matches or strikes them until the transaction ends.
   */
  private async match(ids: readonly string[], tx: Tx | undefined): Promise<ReadonlyMap<string, FaultCount>> {
    const db: Queryable = tx ?? this.database;
    const { rows } = await db.query<{ id: string; matched: number; struck: number }>(
      // Locked in one order, so that nobody holds what another waits for and the other way round.
      `WITH locked AS (
         SELECT id, matched, struck FROM faults WHERE id = ANY($1::bigint[]) ORDER BY id FOR UPDATE
       )
       UPDATE faults f SET matched = locked.matched + 1 FROM locked WHERE f.id = locked.id
       RETURNING f.id, locked.matched, locked.struck`,
      [ids],
    );
    return new Map(rows.map(({ id, matched, struck }) => [id, { matched, struck }]));
  }
}
