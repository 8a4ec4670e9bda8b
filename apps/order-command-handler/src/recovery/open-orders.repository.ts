import { Commands } from '@gondola/lanes/commands/commands';
import { Database, type Tx } from '@gondola/service-kit/database/database';
import { Injectable } from '@nestjs/common';
import { judgeOrder, type OpenOrder } from './quiet-order.ts';
import type { NumberRange } from './recovery-progress.ts';

/** An order that recovery reads next. */
export interface QuietOrder extends Pick<OpenOrder, 'looks' | 'status'> {
  readonly laneId: string;
  readonly orderNumber: string;
  readonly revision: number;
  readonly dueInMs: number;
}

/** The orders that recovery may read next: the same one, or two. */
export interface NextOrders {
  /** Of those with the fewest reads the one that became due last; null if none is due. */
  readonly fewest: QuietOrder | null;
  /** The one whose time came first, or comes next; null for none. */
  readonly eldest: QuietOrder | null;
}

/** Seconds for which the most overdue read of a tenant's open orders is past its due time, 0 for none. */
export interface Lateness {
  /** The orders that were not read since they were last heard of. */
  readonly youngSeconds: number;
  readonly allSeconds: number;
}

/** Orders that one statement judges, of each end. */
const JUDGED_AT_ONCE = 100;

/** Orders with more reads are alike: their pauses have reached any sensible maximum. */
const MOST_LEVELS = 15;

/** Number of reads of an order, in doubt or not, as the index has it. */
const LEVEL = `least(greatest(looks, -1 - looks), ${MOST_LEVELS})`;

/** Condition for the orders in doubt, which have an index of their own. */
const IN_DOUBT = 'AND looks < 0';

/**
 * $1 tenant. The orders that are due, fewest reads first, the last due first: one probe of the index for each number of
 * reads, 1 ms with 100,000 open orders. By one order of the due times alone, 100,000 old orders come before one of
 * today, for a day and more at one call in a second.
 */
const fewest = (columns: string, limit: number): string => `
  SELECT ${columns} FROM generate_series(0, ${MOST_LEVELS}) AS level (n) CROSS JOIN LATERAL (
    SELECT * FROM orders WHERE tenant = $1 AND look_at <= statement_timestamp() AND ${LEVEL} = level.n
    ORDER BY look_at DESC LIMIT ${limit}
  ) AS due ORDER BY level.n LIMIT ${limit}`;

/** $1 tenant. */
const eldest = (columns: string, condition: string, limit: number): string => `
  SELECT ${columns} FROM orders WHERE tenant = $1 AND look_at IS NOT NULL ${condition} ORDER BY look_at LIMIT ${limit}`;

const IS_DUE = 'AND look_at <= statement_timestamp()';

/** The first orders that are due, from each end; where quiet orders are not read, those in doubt. */
const ALL_DUE = `(${fewest('lane_id', JUDGED_AT_ONCE)}) UNION (${eldest('lane_id', IS_DUE, JUDGED_AT_ONCE)})`;
const DOUBTED_DUE = eldest('lane_id', `${IN_DOUBT} ${IS_DUE}`, JUDGED_AT_ONCE);

/**
 * $1 lanes. Rows that a step is saving are left to the next call, since two statements that lock many rows deadlock.
 * A read that says nothing new is no sign of life.
 */
const TO_JUDGE = `
  SELECT o.lane_id AS "laneId", o.looks, o.status, o.published_status AS "publishedStatus",
    EXTRACT(EPOCH FROM clock_timestamp() - greatest(heard.at, o.published_at, o.status_since))::float8 * 1000 AS "silentMs"
  FROM orders AS o LEFT JOIN LATERAL (
    SELECT received_at AS at FROM order_facts AS f
    WHERE f.lane_id = o.lane_id AND f.source <> 'read' ORDER BY id DESC LIMIT 1
  ) AS heard ON true
  WHERE o.lane_id = ANY ($1::bigint[]) AND o.look_at <= clock_timestamp() ORDER BY o.lane_id FOR UPDATE OF o SKIP LOCKED`;

/** $1 lanes, $2 looks, $3 milliseconds, null for never. */
const MOVE = `
  UPDATE orders AS o SET looks = moved.looks, look_at = clock_timestamp() + moved.in_ms * interval '1 millisecond'
  FROM unnest($1::bigint[], $2::integer[], $3::float8[]) AS moved (lane_id, looks, in_ms) WHERE o.lane_id = moved.lane_id`;

const SHOWN = `lane_id AS "laneId", order_number AS "orderNumber", looks, status, revision,
  EXTRACT(EPOCH FROM look_at - clock_timestamp())::float8 * 1000 AS "dueInMs"`;

/** $1 lane, $2 looks, $3 milliseconds, $4 revision and $5 status at the read: an order heard of since is left alone. */
const LOOK_AGAIN = `
  UPDATE orders SET looks = $2, look_at = clock_timestamp() + $3 * interval '1 millisecond'
  WHERE lane_id = $1 AND revision = $4 AND status IS NOT DISTINCT FROM $5`;

/** $1 tenant, $2 and $3 range of numbers. A row that a step is saving is heard of anyway. */
const TAKE_UP = `
  UPDATE orders SET looks = 0, look_at = clock_timestamp() WHERE lane_id IN (
    SELECT lane_id FROM orders
    WHERE tenant = $1 AND order_number ~ '^[0-9]{1,15}$' AND order_number::bigint BETWEEN $2 AND $3
      AND look_at IS NULL AND looks > 0
    FOR UPDATE SKIP LOCKED)`;

/** $1 tenant. */
const lateness = (condition: string): string => `
  SELECT COALESCE(EXTRACT(EPOCH FROM clock_timestamp() - (
    SELECT look_at FROM orders WHERE tenant = $1 AND look_at <= statement_timestamp() ${condition} ORDER BY look_at LIMIT 1
  )), 0)::float8 AS seconds`;

const LATENESS = `SELECT (${lateness(`AND ${LEVEL} = 0`)}) AS "youngSeconds", (${lateness('')}) AS "allSeconds"`;
const LATENESS_IN_DOUBT = `SELECT seconds AS "youngSeconds", seconds AS "allSeconds" FROM (${lateness(IN_DOUBT)}) AS late`;

/** $1 tenant. */
const GIVEN_UP = `SELECT count(*)::float8 AS n FROM orders WHERE tenant = $1 AND look_at IS NULL AND looks > 0`;

/** The columns of `orders` by which recovery finds open orders that were not heard of for a while. */
@Injectable()
export class OpenOrdersRepository {
  constructor(
    private readonly database: Database,
    private readonly commands: Commands,
  ) {}

  /** After those that need no read were moved. Only orders in doubt where `quietMs` is null. */
  async next(tenant: string, quietMs: number | null): Promise<NextOrders> {
    let moved: number;
    do moved = await this.#moveUnread(tenant, quietMs);
    while (moved >= JUDGED_AT_ONCE);
    const first = await this.#one(eldest(SHOWN, quietMs === null ? IN_DOUBT : '', 1), tenant);
    if (first === null || first.dueInMs > 0) return { fewest: null, eldest: first };
    return { fewest: quietMs === null ? first : await this.#one(fewest(SHOWN, 1), tenant), eldest: first };
  }

  /** The next read of an order, unless it was heard of since `order` was. */
  async lookAgain(tx: Tx, order: QuietOrder, looks: number, inMs: number): Promise<void> {
    await tx.query(LOOK_AGAIN, [order.laneId, looks, inMs, order.revision, order.status]);
  }

  /** Has given up orders of a range read once more. */
  async takeUp(tx: Tx, tenant: string, { from, to }: NumberRange): Promise<void> {
    await tx.query(TAKE_UP, [tenant, from, to]);
  }

  async lateness(tenant: string, quietMs: number | null): Promise<Lateness> {
    const text = quietMs === null ? LATENESS_IN_DOUBT : LATENESS;
    const { rows } = await this.database.query<Lateness & { [column: string]: unknown }>(text, [tenant]);
    return rows[0]!;
  }

  async givenUp(tenant: string): Promise<number> {
    const { rows } = await this.database.query<{ n: number }>(GIVEN_UP, [tenant]);
    return rows[0]!.n;
  }

  async #one(text: string, tenant: string): Promise<QuietOrder | null> {
    const { rows } = await this.database.query<QuietOrder & { [column: string]: unknown }>(text, [tenant]);
    return rows[0] ?? null;
  }

  /** Returns the number of orders that were moved without a read. */
  async #moveUnread(tenant: string, quietMs: number | null): Promise<number> {
    const text = quietMs === null ? DOUBTED_DUE : ALL_DUE;
    const { rows: due } = await this.database.query<{ lane_id: string }>(text, [tenant]);
    if (due.length === 0) return 0;
    return this.database.transaction(async (tx) => {
      const { rows } = await tx.query<OpenOrder & { laneId: string; [column: string]: unknown }>(TO_JUDGE, [
        due.map(({ lane_id: laneId }) => laneId),
      ]);
      const laneIds = rows.map(({ laneId }) => laneId);
      const busy = await this.commands.lanesWithOpen(tx, laneIds);
      const moved = rows.flatMap(({ laneId, ...order }) => {
        const judged = judgeOrder({ ...order, isBusy: busy.has(laneId) }, quietMs);
        if (judged.kind === 'read') return [];
        return { laneId, looks: judged.looks, inMs: judged.kind === 'wait' ? judged.inMs : null };
      });
      const columns = [
        moved.map(({ laneId }) => laneId),
        moved.map(({ looks }) => looks),
        moved.map(({ inMs }) => inMs),
      ];
      if (moved.length > 0) await tx.query(MOVE, columns);
      return moved.length;
    });
  }
}
