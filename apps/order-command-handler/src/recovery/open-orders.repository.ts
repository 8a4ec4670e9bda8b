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
 * $1 tenant, $2 statuses without further work, $3 milliseconds of silence before a read. Of the orders whose time has
 * come, moves those that need no read now: ended ones, those with a command under way, and those that were heard of
 * meanwhile. Rows that a step is saving are left to the next call, since two statements that lock many rows deadlock.
 */
const SETTLE = `
  WITH due AS (
    SELECT lane_id, looks, published_status IS NULL OR published_status = ANY ($2::integer[]) AS is_over FROM orders
    WHERE tenant = $1 AND look_at <= clock_timestamp() ORDER BY look_at LIMIT ${SETTLED_AT_ONCE} FOR UPDATE SKIP LOCKED
  ), judged AS (
    SELECT due.*, heard.at + $3 * interval '1 millisecond' AS quiet_at,
      EXISTS (SELECT 1 FROM commands AS c WHERE c.lane_id = due.lane_id AND c.state = 'open') AS is_busy
    FROM due LEFT JOIN LATERAL (
      SELECT received_at AS at FROM order_facts AS f WHERE f.lane_id = due.lane_id ORDER BY id DESC LIMIT 1
    ) AS heard ON true
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

const HAS_OPEN_COMMAND = `SELECT 1 FROM commands WHERE lane_id = $1 AND state = 'open' LIMIT 1`;

/** The columns of `orders` by which recovery finds open orders that were not heard of for a while. */
@Injectable()
export class OpenOrdersRepository {
  constructor(private readonly database: Database) {}

  /** The order whose time came first, or comes next, after those that need no read were moved; null for none. */
  async next(tenant: string, quietMs: number): Promise<QuietOrder | null> {
    let moved: number;
    do {
      const settled = await this.database.query(SETTLE, [tenant, [...ENDED_STATUSES], quietMs]);
      moved = settled.rowCount ?? 0;
    } while (moved === SETTLED_AT_ONCE);
    const { rows } = await this.database.query<QuietOrder & { [column: string]: unknown }>(NEXT, [tenant]);
    return rows[0] ?? null;
  }

  async lookAgain(tx: Tx, laneId: string, looks: number, inMs: number): Promise<void> {
    await tx.query(LOOK_AGAIN, [laneId, looks, inMs]);
  }

  /** True if a command of the order is under way; with the lane locked, the answer holds until `tx` ends. */
  async hasOpenCommand(tx: Tx, laneId: string): Promise<boolean> {
    const { rows } = await tx.query(HAS_OPEN_COMMAND, [laneId]);
    return rows.length > 0;
  }
}
