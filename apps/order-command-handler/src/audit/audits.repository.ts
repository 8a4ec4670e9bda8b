import { withArrays } from '@gondola/lanes/store/array-parameter';
import { arraysOf, type Column, selectRows } from '@gondola/lanes/store/new-rows';
import { Database, type Tx } from '@gondola/service-kit/database/database';
import { Injectable } from '@nestjs/common';
import { LessThan } from 'typeorm';
import { AuditEntity } from './audit.entity.ts';
import type { AuditCounts, RunAudit } from './audit-progress.ts';
import type { AuditedOrder } from './audit.dto.ts';
import { AuditedOrderEntity } from './audited-order.entity.ts';
import type { DifferenceKind } from './compare-order.ts';

/** A number that is to be read. */
export interface NextOrder {
  readonly orderNumber: string;
  readonly looks: number;
  readonly failures: number;
  readonly dueInMs: number;
}

/** Result of a read; without an outcome it is read again. */
export type AuditRead = Pick<AuditedOrderEntity, 'orderNumber' | 'outcome' | 'looks' | 'failures' | 'isErased'> &
  Pick<AuditedOrderEntity, 'differences'> & { readonly againInMs: number } & {
    readonly [C in 'shopCents' | 'publishedCents' | 'chargedCents' | 'invoicedCents']: number | null;
  };

type Row<T> = T & { [column: string]: unknown };

/** Wider gaps between two known numbers are left out: an order with the number 999999999 has no million before it. */
const WIDEST_GAP = 1_000;
const SHOWN = 20;

/** An audit is shown for 13 months, and goes with the start of the next one. */
const FORGET = "DELETE FROM audits WHERE state <> 'running' AND started_at < now() - interval '13 months'";

/**
 * $1 audit, $2 tenant, $3 and $4 the month. The orders first heard of in the month, and a day around it, span its
 * numbers, since these rise. All known numbers between them are read, those first heard of later too, and the numbers
 * of the gaps: a read tells the month of each.
 */
const LIST = `
  WITH known AS (
    SELECT lane_id, order_number::bigint AS n FROM orders WHERE tenant = $2 AND order_number ~ '^[0-9]{1,15}$'
  ), span AS (
    SELECT min(n) AS first, max(n) AS last FROM known CROSS JOIN LATERAL (
      SELECT received_at FROM order_facts WHERE lane_id = known.lane_id ORDER BY id LIMIT 1) AS heard
    WHERE heard.received_at >= $3::timestamptz - interval '1 day' AND heard.received_at < $4::timestamptz + interval '1 day'
  ), listed AS (
    SELECT n, lead(n) OVER (ORDER BY n) - n - 1 AS gap FROM known, span WHERE n BETWEEN first AND last
  ), stored AS (
    INSERT INTO audited_orders (audit_id, order_number)
    SELECT $1, number FROM listed
    CROSS JOIN LATERAL generate_series(n, n + CASE WHEN gap <= ${WIDEST_GAP} THEN gap ELSE 0 END) AS number
  )
  UPDATE audits SET is_listed = true,
    unread_numbers = (SELECT COALESCE(sum(gap), 0) FROM listed WHERE gap > ${WIDEST_GAP})
  WHERE id = $1`;

/** $1 audit, $2 how many. */
const NEXT = `
  SELECT order_number AS "orderNumber", looks, failures, EXTRACT(EPOCH FROM due_at - clock_timestamp())::float8 * 1000 AS "dueInMs"
  FROM audited_orders WHERE audit_id = $1 AND outcome IS NULL ORDER BY due_at, order_number LIMIT $2`;

/** $1 audit, $2 milliseconds between two reads: takes the next turn, and tells in how many milliseconds it is. */
const TAKE_TURN = `
  UPDATE audits SET reads = reads + 1,
    next_read_at = greatest(next_read_at, clock_timestamp()) + $2 * interval '1 millisecond'
  WHERE id = $1 AND state = 'running' RETURNING EXTRACT(EPOCH FROM next_read_at - clock_timestamp())::float8 * 1000 - $2 AS ms`;

const FINISH = `
  UPDATE audits SET state = 'finished', finished_at = clock_timestamp()
  WHERE id = $1 AND state = 'running' AND NOT EXISTS (SELECT 1 FROM audited_orders WHERE audit_id = $1 AND outcome IS NULL)`;

/** $1 lanes: those with a fact since their last event. */
const HEARD_SINCE = `
  SELECT lane_id AS "laneId" FROM orders WHERE lane_id = ANY ($1::bigint[])
    AND EXISTS (SELECT 1 FROM order_facts WHERE lane_id = orders.lane_id AND received_at > orders.published_at)`;

/** $1 audits. */
const COUNTS = `
  SELECT a.id AS "auditId", count(order_number)::int AS numbers,
    count(order_number) FILTER (WHERE outcome IS NULL)::int AS open,
    count(*) FILTER (WHERE outcome IN ('agrees', 'differs'))::int AS orders,
    count(*) FILTER (WHERE outcome = 'differs')::int AS differing,
    count(*) FILTER (WHERE is_erased AND outcome IN ('agrees', 'differs'))::int AS erased,
    max(due_at) FILTER (WHERE outcome IS NULL AND due_at > clock_timestamp()) AS "latestDueAt",
    count(shop_cents)::int AS "shopOrders", COALESCE(sum(shop_cents), 0)::float8 AS "shopCents",
    count(published_cents)::int AS "publishedOrders", COALESCE(sum(published_cents), 0)::float8 AS "publishedCents",
    COALESCE(sum(charged_cents), 0)::float8 AS "chargedCents",
    count(invoiced_cents)::int AS "invoicedOrders", COALESCE(sum(invoiced_cents), 0)::float8 AS "invoicedCents"
  FROM audits AS a LEFT JOIN audited_orders ON audit_id = a.id WHERE a.id = ANY ($1::bigint[]) GROUP BY a.id`;

const KINDS = `
  SELECT audit_id AS "auditId", each->>'kind' AS kind, count(*)::int AS differences
  FROM audited_orders, json_array_elements(differences) AS each
  WHERE audit_id = ANY ($1::bigint[]) AND outcome = 'differs' GROUP BY 1, 2 ORDER BY 3 DESC, 2`;

const READ: readonly Column<AuditRead>[] = [
  ['order_number', 'bigint', ({ orderNumber }) => orderNumber],
  ['outcome', 'text', ({ outcome }) => outcome],
  ['looks', 'integer', ({ looks }) => looks],
  ['failures', 'integer', ({ failures }) => failures],
  ['again_in_ms', 'float8', ({ againInMs }) => againInMs],
  ['is_erased', 'boolean', ({ isErased }) => isErased],
  ['differences', 'json', ({ differences }) => JSON.stringify(differences)],
  ['shop_cents', 'bigint', ({ shopCents }) => shopCents],
  ['published_cents', 'bigint', ({ publishedCents }) => publishedCents],
  ['charged_cents', 'bigint', ({ chargedCents }) => chargedCents],
  ['invoiced_cents', 'bigint', ({ invoicedCents }) => invoicedCents],
];
const TAKEN_OVER = READ.map(([name]) => name).filter((name) => name !== 'order_number' && name !== 'again_in_ms');
const SAVE = `
  UPDATE audited_orders AS o SET ${TAKEN_OVER.map((name) => `${name} = read.${name}`).join(', ')},
    due_at = clock_timestamp() + read.again_in_ms * interval '1 millisecond'
  FROM (${selectRows(READ, 2)}) AS read WHERE o.audit_id = $1 AND o.order_number = read.order_number`;

/** The tables `audits` and `audited_orders`. Tested in test/audit.e2e.spec.ts. */
@Injectable()
export class AuditsRepository {
  constructor(private readonly database: Database) {}

  /**
   * The newest audit of a month, or a new one; `again`: a new one beside one that is finished. `tx` has locked the
   * lane.
   */
  async begin(tx: Tx, tenant: string, month: string, again: boolean): Promise<string> {
    const audits = this.database.repository(AuditEntity, tx);
    const found = await audits.findOne({ where: { tenant, month }, order: { id: 'DESC' } });
    if (found !== null && !(again && found.state === 'finished')) return found.id;
    await tx.query(FORGET);
    return String((await audits.insert({ tenant, month })).identifiers[0]!['id']);
  }

  /** The first running audit of a tenant: several are worked on one after another. */
  async running(tenant: string): Promise<AuditEntity | null> {
    const where = { tenant, state: 'running' } as const;
    return this.database.repository(AuditEntity).findOne({ where, order: { id: 'ASC' } });
  }

  async setState(tx: Tx, id: string, from: AuditEntity['state'], to: AuditEntity['state']): Promise<void> {
    await this.database.repository(AuditEntity, tx).update({ id, state: from }, { state: to });
  }

  async list(tx: Tx, { id, tenant }: AuditEntity, from: Date, to: Date): Promise<void> {
    await tx.query(LIST, [id, tenant, from, to]);
  }

  async next(id: string, limit: number): Promise<NextOrder[]> {
    return (await this.database.query<Row<NextOrder>>(NEXT, [id, limit])).rows;
  }

  /** Milliseconds until the read may be made; null if the audit was stopped. */
  async takeTurn(id: string, pauseMs: number): Promise<number | null> {
    return (await this.database.query<{ ms: number }>(TAKE_TURN, [id, pauseMs])).rows[0]?.ms ?? null;
  }

  async save(tx: Tx, auditId: string, reads: readonly AuditRead[]): Promise<void> {
    if (reads.length > 0) await withArrays(arraysOf(READ, reads), (arrays) => tx.query(SAVE, [auditId, ...arrays]));
    await tx.query(FINISH, [auditId]);
  }

  /** Lanes with a fact since their last event. */
  async heardSince(laneIds: readonly string[]): Promise<ReadonlySet<string>> {
    const { rows } = await this.database.query<{ laneId: string }>(HEARD_SINCE, [laneIds]);
    return new Set(rows.map(({ laneId }) => laneId));
  }

  /** The latest audits, newest first, of a tenant where one is named, or the one with an id. */
  async shown(where: { readonly id?: string; readonly tenant?: string }): Promise<RunAudit[]> {
    const audits = await this.database.repository(AuditEntity).find({ where, order: { id: 'DESC' }, take: SHOWN });
    const ids = audits.map(({ id }) => id);
    const [counts, kinds] = await Promise.all([
      this.database.query<Row<AuditCounts & { auditId: string }>>(COUNTS, [ids]),
      this.database.query<{ auditId: string; kind: DifferenceKind; differences: number }>(KINDS, [ids]),
    ]);
    const countsOf = new Map(counts.rows.map(({ auditId, ...own }) => [auditId, own as AuditCounts]));
    return audits.map(({ nextReadAt: _pace, ...audit }) => {
      const its = kinds.rows.filter(({ auditId }) => auditId === audit.id);
      const ofKinds = its.map(({ kind, differences }) => ({ kind, differences }));
      return { ...audit, ...countsOf.get(audit.id)!, kinds: ofKinds };
    });
  }

  /** Orders that differ, with a number below `before`, the highest first. */
  async differing(auditId: string, before: string, limit: number): Promise<AuditedOrder[]> {
    const where = { auditId, outcome: 'differs', orderNumber: LessThan(before) } as const;
    const orders = this.database.repository(AuditedOrderEntity);
    const found = await orders.find({ where, order: { orderNumber: 'DESC' }, take: limit });
    return found.map(({ orderNumber, differences, ...cents }) => ({
      id: orderNumber,
      orderNumber,
      differences: differences ?? [],
      apartCents: Number(cents.shopCents) - Number(cents.publishedCents),
      invoiceApartCents: Number(cents.chargedCents) - Number(cents.invoicedCents),
    }));
  }
}
