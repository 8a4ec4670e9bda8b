import { Commands } from '@gondola/messaging/commands/commands';
import { Database, type Tx } from '@gondola/service-kit/database/database';
import { MINUTE_MS } from '@gondola/shared/durations';
import { ENDED_STATUSES, PAYMENT_APPROVED } from '@gondola/shared/orders/order-statuses';
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

/** Reads of an order of which only a refused payment is known, at most: with the pauses, half a day. */
const UNPAID_LOOKS = 6;

/** Pause of an order in doubt that has a command under way, where quiet orders are not read. */
const DOUBT_MS = 10 * MINUTE_MS;

/** Orders that one statement settles without a read. */
const SETTLED_AT_ONCE = 100;

/** Condition for the orders in doubt, which have an index of their own. */
const IN_DOUBT = 'AND looks < 0';

/**
 * $1 tenant. Orders whose time has come. Rows that a step is saving are left to the next call, since two statements
 * that lock many rows deadlock.
 */
const due = (condition: string): string => `
  SELECT lane_id AS "laneId" FROM orders
  WHERE tenant = $1 AND look_at <= clock_timestamp() ${condition}
  ORDER BY look_at LIMIT ${SETTLED_AT_ONCE} FOR UPDATE SKIP LOCKED`;

/**
 * $1 lanes that are due, $2 statuses without further work, $3 milliseconds of silence before a read, $4 those of the
 * lanes that have a command under way, $5 most reads without a payment. Moves the orders that need no read now: ended
 * ones, those with a command, and those that were heard of meanwhile.
 */
const SETTLE = `
  WITH judged AS (
    SELECT o.lane_id, o.looks, o.lane_id = ANY ($4::bigint[]) AS is_busy,
      CASE WHEN o.published_status IS NOT NULL THEN o.published_status = ANY ($2::integer[])
        ELSE o.status IS NULL OR o.status >= ${PAYMENT_APPROVED} OR o.looks >= $5 END AS is_over,
      heard.at + $3 * interval '1 millisecond' AS quiet_at
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
const next = (condition: string): string => `
  SELECT lane_id AS "laneId", order_number AS "orderNumber", greatest(looks, 0) AS looks, looks < 0 AS "isDoubted",
    EXTRACT(EPOCH FROM look_at - clock_timestamp())::float8 * 1000 AS "dueInMs"
  FROM orders WHERE tenant = $1 AND look_at IS NOT NULL ${condition} ORDER BY look_at LIMIT 1`;

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

  /**
   * The order whose time came first, or comes next, after those that need no read were moved; null for none. Only
   * orders in doubt where `quietMs` is null.
   */
  async next(tenant: string, quietMs: number | null): Promise<QuietOrder | null> {
    let moved: number;
    do moved = await this.#settle(tenant, quietMs);
    while (moved === SETTLED_AT_ONCE);
    const text = next(quietMs === null ? IN_DOUBT : '');
    const { rows } = await this.database.query<QuietOrder & { [column: string]: unknown }>(text, [tenant]);
    return rows[0] ?? null;
  }

  async lookAgain(tx: Tx, laneId: string, looks: number, inMs: number): Promise<void> {
    await tx.query(LOOK_AGAIN, [laneId, looks, inMs]);
  }

  /** Returns the number of orders that were moved without a read. */
  async #settle(tenant: string, quietMs: number | null): Promise<number> {
    return this.database.transaction(async (tx) => {
      const { rows } = await tx.query<{ laneId: string }>(due(quietMs === null ? IN_DOUBT : ''), [tenant]);
      if (rows.length === 0) return 0;
      const lanes = rows.map(({ laneId }) => laneId);
      const busy = await this.commands.lanesWithOpen(tx, lanes);
      const values = [lanes, [...ENDED_STATUSES], quietMs ?? DOUBT_MS, [...busy], UNPAID_LOOKS];
      const { rowCount } = await tx.query(SETTLE, values);
      return rowCount ?? 0;
    });
  }
}
