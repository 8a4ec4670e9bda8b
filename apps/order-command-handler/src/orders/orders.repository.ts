import { Injectable } from '@nestjs/common';
import { multiRow } from '@gondola/messaging/store/multi-row';
import { Database, type Tx } from '@gondola/service-kit/database/database';
import type { CancellationWatch } from './cancellation-watch.ts';
import type { UnconfirmedCommand } from '../commands/corrections.ts';
import type { Recency } from '../notifications/order-fact.ts';
import type { OrderParts, PublishedState } from './published-state.ts';

/** An order's row. */
export interface OrderRow {
  readonly laneId: string;
  readonly tenant: string;
  readonly orderNumber: string;
  readonly orderId: string | null;
  readonly status: number | null;
  readonly published: PublishedState;
  /** Commands whose late outcome would be a correction. */
  readonly unconfirmed: readonly UnconfirmedCommand[];
  /** Readings of the status while the order stays in 750; null for none. */
  readonly watch: CancellationWatch | null;
}

/** How many rows the app's own tables have, for operators. */
export interface OrderCounts {
  readonly facts: number;
  readonly skus: number;
  readonly orders: number;
  /** Of these, published. */
  readonly created: number;
  readonly byStatus: ReadonlyArray<{ readonly status: number | null; readonly orders: number }>;
}

const TYPES = [
  'bigint',
  'text',
  'text',
  'text',
  'integer',
  'integer',
  'integer',
  'json',
  'json',
  'json',
  'json',
] as const;

const SAVE = [
  `INSERT INTO orders (lane_id, tenant, order_number, order_id, status, revision, told_status, told_parts, told_recalculation, unconfirmed, watch) VALUES `,
  ` ON CONFLICT (lane_id) DO UPDATE SET order_id = excluded.order_id, status = excluded.status, revision = excluded.revision,
      told_status = excluded.told_status, told_parts = excluded.told_parts, told_recalculation = excluded.told_recalculation, unconfirmed = excluded.unconfirmed, watch = excluded.watch,
      told_at = CASE WHEN orders.revision = excluded.revision THEN orders.told_at ELSE clock_timestamp() END`,
] as const;

/** Counted anew each time: for an operator's look, not for a dashboard's every second. */
const COUNTS = `
  SELECT (SELECT count(*)::float8 FROM order_facts) AS facts,
    (SELECT count(*)::float8 FROM skus) AS skus,
    (SELECT count(*)::float8 FROM orders) AS orders,
    (SELECT count(*)::float8 FROM orders WHERE revision > 0) AS created,
    (SELECT COALESCE(json_agg(json_build_object('status', status, 'orders', n) ORDER BY status), '[]')
      FROM (SELECT status, count(*)::float8 AS n FROM orders GROUP BY status) AS by_status) AS "byStatus"`;

interface StoredOrder {
  lane_id: string;
  tenant: string;
  order_number: string;
  order_id: string | null;
  status: number | null;
  revision: number;
  told_status: number | null;
  told_parts: OrderParts | null;
  told_recalculation: StoredRecency | null;
  unconfirmed: readonly UnconfirmedCommand[] | null;
  watch: CancellationWatch | null;
}

/** 100 ns counts are larger than JSON numbers can be. */
interface StoredRecency extends Omit<Recency, 'ticks'> {
  ticks: string | null;
}

/** The table `orders`. Written while the order's lane is held, so nobody else writes the same row. */
@Injectable()
export class OrdersRepository {
  constructor(private readonly database: Database) {}

  /** The rows there are, by lane id. */
  async ofLanes(laneIds: readonly string[]): Promise<ReadonlyMap<string, OrderRow>> {
    const text = 'SELECT * FROM orders WHERE lane_id = ANY ($1::bigint[])';
    const { rows } = await this.database.query<StoredOrder>(text, [laneIds]);
    return new Map(rows.map((row) => [row.lane_id, orderRow(row)]));
  }

  async counts(): Promise<OrderCounts> {
    const { rows } = await this.database.query<OrderCounts & { [column: string]: unknown }>(COUNTS);
    return rows[0]!;
  }

  /** Writes rows of lanes that `tx` has locked. */
  async save(tx: Tx, rows: readonly OrderRow[]): Promise<void> {
    for (const { tuples, values } of multiRow(rows, TYPES, valuesOf)) {
      await tx.query(SAVE.join(tuples), values);
    }
  }
}

function valuesOf({
  laneId,
  tenant,
  orderNumber,
  orderId,
  status,
  published,
  unconfirmed,
  watch,
}: OrderRow): readonly unknown[] {
  const parts = published.parts === null ? null : JSON.stringify(published.parts);
  const open = unconfirmed.length === 0 ? null : JSON.stringify(unconfirmed);
  return [
    laneId,
    tenant,
    orderNumber,
    orderId,
    status,
    published.revision,
    published.status,
    parts,
    recalculationText(published),
    open,
    watch === null ? null : JSON.stringify(watch),
  ];
}

function recalculationText({ recalculation }: PublishedState): string | null {
  if (recalculation === null) return null;
  const { ticks, ...rest } = recalculation;
  const stored: StoredRecency = { ...rest, ticks: ticks === null ? null : String(ticks) };
  return JSON.stringify(stored);
}

function orderRow(row: StoredOrder): OrderRow {
  const { told_recalculation: stored } = row;
  const recalculation =
    stored === null ? null : { ...stored, ticks: stored.ticks === null ? null : BigInt(stored.ticks) };
  return {
    laneId: row.lane_id,
    tenant: row.tenant,
    orderNumber: row.order_number,
    orderId: row.order_id,
    status: row.status,
    published: { revision: row.revision, status: row.told_status, parts: row.told_parts, recalculation },
    unconfirmed: row.unconfirmed ?? [],
    watch: row.watch,
  };
}
