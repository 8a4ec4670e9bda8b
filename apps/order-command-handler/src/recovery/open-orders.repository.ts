import { Commands } from '@gondola/messaging/commands/commands';
import { Database, type Tx } from '@gondola/service-kit/database/database';
import { ENDED_STATUSES } from '@gondola/shared/orders/order-statuses';
import { Injectable } from '@nestjs/common';

/** An order that recovery reads next. */
export interface QuietOrder {
  readonly laneId: string;
  readonly orderNumber: string;
  /** Reads since it was last heard of. */
  readonly looks: number;
  /** True if it is read because a notification contradicts an earlier reading. */
  readonly isDoubted: boolean;
  readonly dueInMs: number;
}

/** Orders that one statement settles without a read. */
const SETTLED_AT_ONCE = 100;

/**
 * $1 tenant. Orders whose time has come. Rows that a step is saving are left to the next call, since two statements
 * that lock many rows deadlock.
 */
const DUE = `
  SELECT lane_id AS "laneId" FROM orders
  WHERE tenant = $1 AND look_at <= clock_timestamp() ORDER BY look_at LIMIT ${SETTLED_AT_ONCE} FOR UPDATE SKIP LOCKED`;

/**
 * $1 lanes that are due, $2 statuses without further work, $3 milliseconds of silence before a read, $4 those of the
 * lanes that have a command under way. Moves the orders that need no read now: ended ones, those with a command, and
 * those that were heard of meanwhile.
 */
const SETTLE = `
  WITH judged AS (
    SELECT o.lane_id, o.looks, o.published_status IS NULL OR o.published_status = ANY ($2::integer[]) AS is_over,
      heard.at + $3 * interval '1 millisecond' AS quiet_at, o.lane_id = ANY ($4::bigint[]) AS is_busy
    FROM orders AS o LEFT JOIN LATERAL (
      SELECT received_at AS at FROM order_facts AS f WHERE f.lane_id = o.lane_id ORDER BY id DESC LIMIT 1
    ) AS heard ON true
    WHERE o.lane_id = ANY ($1::bigint[])
  )
  UPDATE orders AS o SET
    look_at = CASE WHEN is_over AND judged.looks >= 0 THEN NULL
      WHEN is_busy THEN clock_timestamp() + $3 * interval '1 millisecond' ELSE quiet_at END,
    looks = least(judged.looks, 0)
  FROM judged WHERE o.lane_id = judged.lane_id
    AND (is_busy OR (judged.looks >= 0 AND (is_over OR quiet_at > clock_timestamp())))`;

/** $1 tenant. */
const NEXT = `
  SELECT lane_id AS "laneId", order_number AS "orderNumber", greatest(looks, 0) AS looks, looks < 0 AS "isDoubted",
    EXTRACT(EPOCH FROM look_at - clock_timestamp())::float8 * 1000 AS "dueInMs"
  FROM orders WHERE tenant = $1 AND look_at IS NOT NULL ORDER BY look_at LIMIT 1`;

/** $1 lane, $2 reads since it was heard of, $3 milliseconds. */
const LOOK_AGAIN = `
  UPDATE orders SET looks = $2, look_at = clock_timestamp() + $3 * interval '1 millisecond' WHERE lane_id = $1`;

/** The columns of `orders` by which recovery finds open orders that were not heard of for a while. */
@Injectable()
export class OpenOrdersRepository {
  constructor(
    private readonly database: Database,
    private readonly commands: Commands,
  ) {}

  /** The order whose time came first, or comes next, after those that need no read were moved; null for none. */
  async next(tenant: string, quietMs: number): Promise<QuietOrder | null> {
    let moved: number;
    do moved = await this.#settle(tenant, quietMs);
    while (moved === SETTLED_AT_ONCE);
    const { rows } = await this.database.query<QuietOrder & { [column: string]: unknown }>(NEXT, [tenant]);
    return rows[0] ?? null;
  }

  async lookAgain(tx: Tx, laneId: string, looks: number, inMs: number): Promise<void> {
    await tx.query(LOOK_AGAIN, [laneId, looks, inMs]);
  }

  /** Returns the number of orders that were moved without a read. */
  async #settle(tenant: string, quietMs: number): Promise<number> {
    return this.database.transaction(async (tx) => {
      const { rows } = await tx.query<{ laneId: string }>(DUE, [tenant]);
      if (rows.length === 0) return 0;
      const due = rows.map(({ laneId }) => laneId);
      const busy = await this.commands.lanesWithOpen(tx, due);
      const { rowCount } = await tx.query(SETTLE, [due, [...ENDED_STATUSES], quietMs, [...busy]]);
      return rowCount ?? 0;
    });
  }
}
