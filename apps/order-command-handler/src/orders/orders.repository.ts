import { ENDED_STATUSES } from '@gondola/shared/orders/order-statuses';
import { Injectable } from '@nestjs/common';
import type { Column, NewRows } from '@gondola/lanes/store/new-rows';
import { Database, type Tx } from '@gondola/service-kit/database/database';
import { NO_OPEN_STEPS, type OpenSteps } from './order-row.ts';
import type { Recency } from '../facts/order-fact.ts';
import type { OrderRow } from './order-row.ts';
import type { PublishedState } from './published-state.ts';

/** Row counts for operators. */
export type OrderCounts = {
  readonly skus: number;
  readonly orders: number;
  readonly byStatus: ReadonlyArray<{ readonly status: number | null; readonly orders: number }>;
};

/** Number of orders with one kind of attention. */
export interface AttentionCount {
  readonly tenant: string;
  readonly code: string;
  readonly orders: number;
  readonly oldestSeconds: number;
}

const ATTENTION_COUNTS = `
  SELECT tenant, each->>'code' AS code, count(*)::float8 AS orders,
    EXTRACT(EPOCH FROM clock_timestamp() - min((each->>'since')::timestamptz))::float8 AS "oldestSeconds"
  FROM orders, json_array_elements(attention) AS each WHERE attention IS NOT NULL GROUP BY 1, 2`;

/** An order's identity comes first, and is never updated. */
const COLUMNS: readonly Column<OrderRow>[] = [
  ['lane_id', 'bigint', ({ laneId }) => laneId],
  ['tenant', 'text', ({ tenant }) => tenant],
  ['order_number', 'text', ({ orderNumber }) => orderNumber],
  ['order_id', 'text', ({ orderId }) => orderId],
  ['status', 'integer', ({ status }) => status],
  ['revision', 'integer', ({ published }) => published.revision],
  ['published_status', 'integer', ({ published }) => published.status],
  ['published_parts', 'json', ({ published }) => jsonOf(published.parts)],
  ['published_recalculation', 'json', ({ published }) => recalculationText(published)],
  ['unconfirmed', 'json', ({ unconfirmed }) => jsonOf(unconfirmed.length === 0 ? null : unconfirmed)],
  ['watch', 'json', ({ watch }) => jsonOf(watch)],
  ['attention', 'json', ({ published: { attention } }) => jsonOf(attention.length === 0 ? null : attention)],
  [
    'open_steps',
    'json',
    ({ openSteps }) => jsonOf(Object.values(openSteps).every((step) => step === null) ? null : openSteps),
  ],
  ['awaited_skus', 'text[]', ({ published }) => (isAwaiting(published) ? published.awaitedSkus : null)],
  ['folded_up_to', 'bigint', ({ folded }) => folded.upTo],
  ['folded_facts', 'bigint[]', ({ folded }) => folded.ids],
  ['past_operations', 'text[]', ({ pastOperationIds }) => pastOperationIds],
  ['looks', 'integer', ({ isDoubted }) => (isDoubted ? -1 : 0)],
];

const NAMES = COLUMNS.map(([name]) => name);
const TAKEN_OVER = NAMES.slice(NAMES.indexOf('order_id'), NAMES.indexOf('looks'));

/** An order that is heard of is looked at anew from then on. */
const IS_NEWS = '(orders.status IS DISTINCT FROM excluded.status OR orders.revision <> excluded.revision)';

/** Recovery has given it up. */
const IS_GIVEN_UP = '(orders.look_at IS NULL AND orders.looks > 0)';

/** Comes into doubt, or into another doubt. */
const IS_DOUBTED_ANEW = `(excluded.looks < 0 AND (orders.looks >= 0 OR ${IS_NEWS}))`;

/** A doubt that is over leaves the number of its reads (\`recovery/quiet-order.ts\`). */
const SAVE_OVER = `
  ON CONFLICT (lane_id) DO UPDATE SET ${TAKEN_OVER.map((name) => `${name} = excluded.${name}`).join(', ')},
      looks = CASE WHEN ${IS_DOUBTED_ANEW} OR ${IS_NEWS} OR ${IS_GIVEN_UP} THEN excluded.looks
        WHEN excluded.looks < 0 THEN orders.looks ELSE greatest(orders.looks, -1 - orders.looks) END,
      look_at = CASE WHEN ${IS_DOUBTED_ANEW} OR ${IS_GIVEN_UP}
          OR (${IS_NEWS} AND (orders.looks <> 0 OR orders.look_at IS NULL)) THEN clock_timestamp()
        ELSE orders.look_at END,
      status_since = CASE WHEN orders.status IS NOT DISTINCT FROM excluded.status THEN orders.status_since ELSE clock_timestamp() END,
      published_at = CASE WHEN orders.revision = excluded.revision THEN orders.published_at ELSE clock_timestamp() END`;

/** $1 tenant, null for all. Orders are counted from an index alone, once. */
const COUNTS = `
  WITH by_status AS (SELECT status, count(*)::float8 AS n FROM orders WHERE $1::text IS NULL OR tenant = $1 GROUP BY status)
  SELECT (SELECT count(*)::float8 FROM skus WHERE $1::text IS NULL OR tenant = $1) AS skus,
    COALESCE(sum(n), 0) AS orders,
    COALESCE(json_agg(json_build_object('status', status, 'orders', n) ORDER BY status), '[]') AS "byStatus"
  FROM by_status`;

type StoredOrder = Omit<OrderRow, 'published' | 'unconfirmed' | 'openSteps' | 'folded' | 'statusSince'> &
  Pick<PublishedState, 'revision' | 'parts'> & {
    publishedStatus: number | null;
    statusSince: string;
    recalculation: StoredRecency | null;
    unconfirmed: OrderRow['unconfirmed'] | null;
    attention: PublishedState['attention'] | null;
    openSteps: OpenSteps | null;
    foldedUpTo: string;
    foldedFacts: readonly string[];
    awaitedSkus: PublishedState['awaitedSkus'] | null;
  };

/** `ticks` as text: counts of 100 ns exceed exact JSON numbers. */
type StoredRecency = Omit<Recency, 'ticks'> & { ticks: string | null };

/** The table `orders`. A row is written only by the step that holds the order's lane. */
@Injectable()
export class OrdersRepository {
  constructor(private readonly database: Database) {}

  async counts(tenant: string | null): Promise<OrderCounts> {
    const { rows } = await this.database.query<OrderCounts>(COUNTS, [tenant]);
    return rows[0]!;
  }

  /** The last published revision of each order, by lane id; orders without a row are left out. */
  async revisions(laneIds: readonly string[]): Promise<ReadonlyMap<string, number>> {
    const text = 'SELECT lane_id AS "laneId", revision FROM orders WHERE lane_id = ANY ($1::bigint[])';
    const { rows } = await this.database.query<{ laneId: string; revision: number }>(text, [laneIds]);
    return new Map(rows.map(({ laneId, revision }) => [laneId, revision]));
  }

  async attentionCounts(): Promise<AttentionCount[]> {
    const { rows } = await this.database.query<AttentionCount & { [column: string]: unknown }>(ATTENTION_COUNTS);
    return rows;
  }

  /**
   * Erases the hashes of an order's published values, which derive from personal data; it waits for no SKU any more.
   * `tx` has locked the lane.
   */
  async forgetParts(tx: Tx, laneId: string): Promise<void> {
    await tx.query('UPDATE orders SET published_parts = NULL, awaited_skus = NULL WHERE lane_id = $1', [laneId]);
  }

  /** Adds rows of lanes that are locked. */
  save(rows: NewRows, orders: readonly OrderRow[]): void {
    rows.add('orders', COLUMNS, orders, SAVE_OVER);
  }
}

/** An ended or erased order is not published again for a SKU. */
function isAwaiting({ parts, status, awaitedSkus }: PublishedState): boolean {
  return awaitedSkus.length > 0 && parts !== null && (status === null || !ENDED_STATUSES.has(status));
}

function jsonOf(value: object | null): string | null {
  return value === null ? null : JSON.stringify(value);
}

function recalculationText({ recalculation }: PublishedState): string | null {
  if (recalculation === null) return null;
  const { ticks } = recalculation;
  return jsonOf({ ...recalculation, ticks: ticks === null ? null : String(ticks) });
}

/** The row that `OrderFactsRepository` reads with an order's facts, from its JSON; null if the order has none yet. */
export function orderRowOf(json: unknown): OrderRow | null {
  return json === null || json === undefined ? null : orderRow(json as StoredOrder);
}

function orderRow({
  revision,
  publishedStatus,
  parts,
  recalculation,
  attention,
  awaitedSkus,
  unconfirmed,
  openSteps,
  foldedUpTo: upTo,
  foldedFacts: ids,
  statusSince,
  ...row
}: StoredOrder): OrderRow {
  const { ticks = null } = recalculation ?? {};
  const newest = recalculation === null ? null : { ...recalculation, ticks: ticks === null ? null : BigInt(ticks) };
  const published = {
    revision,
    status: publishedStatus,
    parts,
    recalculation: newest,
    attention: attention ?? [],
    awaitedSkus: awaitedSkus ?? [],
  };
  return {
    ...row,
    published,
    unconfirmed: unconfirmed ?? [],
    openSteps: openSteps ?? NO_OPEN_STEPS,
    folded: { upTo, ids },
    statusSince: new Date(statusSince),
  };
}
