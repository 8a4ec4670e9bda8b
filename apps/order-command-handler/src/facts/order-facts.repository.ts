import { Injectable } from '@nestjs/common';
import { withArrays } from '@gondola/lanes/store/array-parameter';
import { erasedAmong } from '@gondola/lanes/erased-orders/order-erasures.repository';
import { arraysOf, type Column, insertRows, selectRows } from '@gondola/lanes/store/new-rows';
import { Database, type Tx } from '@gondola/service-kit/database/database';
import { Clock } from '@gondola/service-kit/run/clock';
import { isPlainRecord, parseBytes } from '@gondola/shared/json/json-digits';
import { redactError, redactOrder } from '@gondola/shared/orders/redact-order';
import { FactContent } from './fact-content.ts';
import { RecentContents } from './recent-contents.ts';
import { type FactSummary, type NewFact, ORDER_UPDATED, type OrderFact } from './order-fact.ts';

interface StorableFact extends NewFact {
  readonly laneId: string;
  /** Set for a fact that is stored without its personal data. */
  readonly isRedacted?: true;
}

const COLUMNS: readonly Column<StorableFact>[] = [
  ['lane_id', 'bigint', (fact) => fact.laneId],
  ['tenant', 'text', (fact) => fact.tenant],
  ['order_number', 'text', (fact) => fact.orderNumber],
  ['dedup_key', 'text', (fact) => fact.dedupKey],
  ['source', 'text', (fact) => fact.source],
  ['event_type', 'text', (fact) => fact.eventType],
  ['failure', 'boolean', (fact) => fact.failure],
  ['operation_id', 'text', (fact) => fact.operationId],
  ['status', 'integer', (fact) => fact.status],
  ['updated_at', 'text', (fact) => fact.updatedAt],
  ['updated_ticks', 'bigint', (fact) => (fact.ticks === null ? null : String(fact.ticks))],
  ['order_id', 'text', (fact) => fact.orderId],
  ['has_items', 'boolean', (fact) => fact.hasItems],
  ['hash', 'text', (fact) => fact.hash],
  ['data', 'bytea', (fact) => fact.content?.bytes ?? null],
  ['error', 'bytea', (fact) => fact.errorBytes],
  ['traceparent', 'text', (fact) => fact.traceparent],
  ['is_redacted', 'boolean', (fact) => fact.isRedacted ?? (fact.content === null && fact.errorBytes === null)],
];

const NAMES = COLUMNS.map(([name]) => name);
const ON_CONFLICT = 'ON CONFLICT (dedup_key) DO NOTHING';
const arrayOf = (column: string): string => `$${NAMES.indexOf(column) + 1}::text[]`;

/** Leaves out the facts of erased orders, which it returns. */
const INSERT = `
  WITH erased AS MATERIALIZED (
    ${erasedAmong(`unnest(${arrayOf('tenant')}, ${arrayOf('order_number')}) AS new (tenant, order_number)`)}
  ), stored AS (
    INSERT INTO order_facts (${NAMES.join(', ')}) ${selectRows(COLUMNS)}
    WHERE (tenant, order_number) NOT IN (SELECT tenant, order_number FROM erased) ${ON_CONFLICT}
  ) SELECT * FROM erased`;

const LOADED = `id, lane_id AS "laneId", source, event_type AS "eventType", failure, operation_id AS "operationId", status,
  updated_ticks AS ticks, order_id AS "orderId", has_items AS "hasItems", hash, error, traceparent, is_redacted AS "isRedacted"`;

/** The row of a lane's order as JSON, for `orderRowOf`. Numbers that JSON does not keep are texts. */
const ORDER_OF_LANE = `
  SELECT to_json(stored) FROM (SELECT lane_id::text AS "laneId", tenant, order_number AS "orderNumber", order_id AS "orderId", status, revision,
    published_status AS "publishedStatus", published_parts AS parts, published_recalculation AS recalculation, unconfirmed, watch, attention,
    open_steps AS "openSteps", status_since AS "statusSince", awaited_skus AS "awaitedSkus",
    folded_up_to::text AS "foldedUpTo", folded_facts::text[] AS "foldedFacts", past_operations AS "pastOperationIds",
    looks < 0 AS "isDoubted"
  FROM orders WHERE lane_id = lane.id) AS stored`;

/**
 * $1 lanes, $2 hash of a content of each that is known; null for none. Only the newest notification is read whole,
 * whose values are published; where another fact has them, `contentsOf` reads it. A known content is not read, unless
 * the fact's is erased. Of folded facts only the standing ones are read (`standingFacts`). The order's row, if it has
 * one, comes with the first fact.
 */
const OF_LANES = `
  SELECT fact.*, CASE WHEN fact.id = min(fact.id) OVER (PARTITION BY lane.id) THEN (${ORDER_OF_LANE}) END AS "order"
  FROM unnest($1::bigint[], $2::text[]) AS lane (id, known) LEFT JOIN orders AS o ON o.lane_id = lane.id
  CROSS JOIN LATERAL (
    SELECT ${LOADED}, CASE WHEN data IS NOT NULL AND row_number() OVER (
      ORDER BY failure, source <> 'notification', event_type <> '${ORDER_UPDATED}', updated_ticks DESC NULLS LAST, id DESC
    ) = 1 AND (is_redacted OR hash IS DISTINCT FROM lane.known) THEN data END AS data FROM (
      SELECT * FROM order_facts WHERE lane_id = lane.id AND id > COALESCE(o.folded_up_to, 0)
      UNION ALL
      SELECT * FROM order_facts WHERE id = ANY (o.folded_facts)
    ) AS known
  ) AS fact ORDER BY fact.id`;

const NEWEST_RECEIPTS = `
  SELECT f.lane_id AS "laneId", EXTRACT(EPOCH FROM max(f.received_at))::float8 * 1000 AS "cameAt"
  FROM order_facts AS f LEFT JOIN orders AS o ON o.lane_id = f.lane_id
  WHERE f.lane_id = ANY ($1::bigint[]) AND f.id > COALESCE(o.folded_up_to, 0) GROUP BY 1`;

const SUMMARIES = `
  SELECT source, event_type AS "eventType", operation_id AS "operationId", status, updated_at AS "updatedAt", received_at AS "receivedAt", error
  FROM order_facts WHERE lane_id = $1 ORDER BY id`;

const UNREDACTED = 'SELECT id, data, error FROM order_facts WHERE lane_id = $1 AND NOT is_redacted';

const REDACTED: readonly Column<{
  readonly id: string;
  readonly data: Buffer | null;
  readonly error: Buffer | null;
}>[] = [
  ['id', 'bigint', ({ id }) => id],
  ['data', 'bytea', ({ data }) => data],
  ['error', 'bytea', ({ error }) => error],
];

const REDACT = `
  UPDATE order_facts AS f SET data = k.data, error = k.error, is_redacted = true FROM (${selectRows(REDACTED)}) AS k
  WHERE f.id = k.id`;

/** Follows the index of facts that are not redacted, oldest first. */
const LANES_TO_REDACT = `
  SELECT DISTINCT old.lane_id AS "laneId" FROM (
    SELECT f.lane_id FROM order_facts AS f LEFT JOIN orders AS o ON o.lane_id = f.lane_id
    WHERE f.tenant = $1 AND NOT f.is_redacted AND f.received_at < $2 AND (o.status_since IS NULL OR o.status_since < $2)
    ORDER BY f.received_at LIMIT $3) AS old`;

/** Lanes whose loaded data was erased since: $1 facts with personal data, $2 lanes with published hashes. */
const ERASED_SINCE = `
  SELECT lane_id AS "laneId" FROM order_facts WHERE id = ANY ($1::bigint[]) AND is_redacted
  UNION SELECT lane_id FROM orders WHERE lane_id = ANY ($2::bigint[]) AND published_parts IS NULL`;

type FactRow = Omit<OrderFact, 'ticks' | 'error'> & {
  laneId: string;
  ticks: string | null;
  error: Buffer | null;
  isRedacted: boolean;
  data: Buffer | null;
  order: unknown;
};

type SummaryRow = Omit<FactSummary, 'receivedAt' | 'error'> & { receivedAt: Date; error: Buffer | null };

/** The facts of a lane that determine its state. */
export interface LaneFacts {
  readonly facts: readonly OrderFact[];
  /** Ids of the facts with personal data. */
  readonly personal: readonly string[];
  /** Each content that is known or was read with the facts, by fact id. */
  readonly contents: ReadonlyMap<string, FactContent>;
  /** The order's row as JSON, for `orderRowOf`; null before its first save. */
  readonly row: unknown;
}

/** Loaded data of a lane that an erasure may remove. */
interface LoadedContent {
  readonly lane: { readonly id: string };
  readonly personal: readonly string[];
  readonly row: { readonly published: { readonly parts: object | null } };
}

/**
 * The table `order_facts`. Guarantees: one platform event is one fact, by the unique dedup key, for any
 * number of deliveries and replicas (guarantee 2, rule 2); within a lane, ids rise in the order of the
 * commits, since the lane is locked first.
 */
@Injectable()
export class OrderFactsRepository {
  readonly #recent = new RecentContents();

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /**
   * Inserts new facts of lanes that `tx` has locked; skips known ones. A fact of an erased order is stored without
   * personal data: a late notification does not restore it.
   */
  async insert(tx: Tx, facts: readonly StorableFact[]): Promise<void> {
    if (facts.length === 0) return;
    // Sorted: replicas that insert the same keys in different orders deadlock.
    const sorted = facts.toSorted((one, other) => (one.dedupKey < other.dedupKey ? -1 : 1));
    const { rows } = await withArrays(arraysOf(COLUMNS, sorted), (arrays) =>
      tx.query<{ tenant: string; order_number: string }>({ name: 'insert facts', text: INSERT }, arrays),
    );
    const erased = new Set(rows.map(({ tenant, order_number: orderNumber }) => orderText({ tenant, orderNumber })));
    const late = sorted.filter((fact) => erased.has(orderText(fact))).map(redacted);
    // The hash of a reading is not that of its content.
    const contents = facts.flatMap(({ source, laneId, hash, content }) =>
      source !== 'notification' || content === null ? [] : { laneId, hash, content },
    );
    this.#recent.add(contents, this.clock.now());
    await insertRows(tx, 'order_facts', COLUMNS, late, ON_CONFLICT);
  }

  /** The facts that determine the state of each lane, by lane id. */
  async ofLanes(laneIds: readonly string[]): Promise<ReadonlyMap<string, LaneFacts>> {
    const known = new Map(laneIds.map((laneId) => [laneId, this.#recent.take(laneId)]));
    const hashes = laneIds.map((laneId) => known.get(laneId)?.hash ?? null);
    const { rows } = await this.database.query<FactRow>(OF_LANES, [laneIds, hashes]);
    const byLane = Map.groupBy(rows, (row) => row.laneId);
    return new Map(
      [...byLane].map(([laneId, its]) => {
        const contents = new Map(its.flatMap((row) => [...contentOfRow(row, known.get(laneId))]));
        return [laneId, { facts: its.map(factOf), personal: personalOf(its), contents, row: its[0]?.order ?? null }];
      }),
    );
  }

  /** When the newest fact of each lane came that no saved step has folded (ms since 1970), by lane id. */
  async newestReceipts(tx: Tx, laneIds: readonly string[]): Promise<ReadonlyMap<string, number>> {
    if (laneIds.length === 0) return new Map();
    const { rows } = await tx.query<{ laneId: string; cameAt: number }>(NEWEST_RECEIPTS, [laneIds]);
    return new Map(rows.map(({ laneId, cameAt }) => [laneId, cameAt]));
  }

  /** The contents of facts, by fact id. */
  async contentsOf(factIds: readonly string[]): Promise<ReadonlyMap<string, FactContent>> {
    if (factIds.length === 0) return new Map();
    const text = 'SELECT id, data FROM order_facts WHERE id = ANY ($1::bigint[]) AND data IS NOT NULL';
    const { rows } = await this.database.query<{ id: string; data: Buffer }>(text, [factIds]);
    return new Map(rows.map(({ id, data }) => [id, new FactContent(data)]));
  }

  /** A lane's facts for operators, oldest first. */
  async summariesOf(laneId: string): Promise<readonly FactSummary[]> {
    const { rows } = await this.database.query<SummaryRow>(SUMMARIES, [laneId]);
    return rows.map(summaryOf);
  }

  /** Redacts the facts of a locked lane that still hold personal data, and returns how many. */
  async redact(tx: Tx, laneId: string): Promise<number> {
    const { rows } = await tx.query<{ id: string; data: Buffer | null; error: Buffer | null }>(UNREDACTED, [laneId]);
    if (rows.length === 0) return 0;
    const redacted = rows.map(({ id, data, error }) => ({ id, ...withoutPeople(data, error) }));
    await withArrays(arraysOf(REDACTED, redacted), (arrays) => tx.query(REDACT, arrays));
    return rows.length;
  }

  /**
   * At most `limit` lanes of orders whose status, if it is known, and at least one fact with personal data, is older
   * than `before`.
   */
  async lanesToRedact(tenant: string, before: Date, limit: number): Promise<string[]> {
    const { rows } = await this.database.query<{ laneId: string }>(LANES_TO_REDACT, [tenant, before, limit]);
    return rows.map(({ laneId }) => laneId);
  }

  /** True if a fact was stored after `seen`; with the lane locked, the answer holds until `tx` ends. */
  async hasNewer(tx: Tx, laneId: string, seen: string): Promise<boolean> {
    const { rows } = await tx.query('SELECT 1 FROM order_facts WHERE lane_id = $1 AND id > $2 LIMIT 1', [laneId, seen]);
    return rows.length > 0;
  }

  /**
   * Ids of the lanes whose order was erased after it was loaded; with the lanes locked, the answer holds until `tx`
   * ends. A plan made from erased personal data must not be saved.
   */
  async erasedSince(tx: Tx, loaded: readonly LoadedContent[]): Promise<ReadonlySet<string>> {
    const personal = loaded.flatMap((each) => each.personal);
    const withParts = loaded.flatMap(({ lane, row }) => (row.published.parts === null ? [] : lane.id));
    if (personal.length === 0 && withParts.length === 0) return new Set();
    const { rows } = await tx.query<{ laneId: string }>(ERASED_SINCE, [personal, withParts]);
    return new Set(rows.map(({ laneId }) => laneId));
  }
}

function orderText({ tenant, orderNumber }: { readonly tenant: string; readonly orderNumber: string }): string {
  return `${tenant}/${orderNumber}`;
}

function redacted(fact: StorableFact): StorableFact {
  const { data, error: errorBytes } = withoutPeople(fact.content?.bytes ?? null, fact.errorBytes);
  return { ...fact, content: data === null ? null : new FactContent(data), errorBytes, isRedacted: true };
}

function withoutPeople(
  data: Uint8Array | null,
  error: Uint8Array | null,
): { data: Buffer | null; error: Buffer | null } {
  return { data: data === null ? null : redactOrder(data), error: error === null ? null : redactError(error) };
}

/** A fact's content, as read or as known. */
function contentOfRow(
  { id, hash, isRedacted, data }: FactRow,
  known: { readonly hash: string; readonly content: FactContent } | undefined,
): [id: string, content: FactContent][] {
  if (data !== null) return [[id, new FactContent(data)]];
  return known === undefined || isRedacted || hash !== known.hash ? [] : [[id, known.content]];
}

function personalOf(rows: readonly FactRow[]): string[] {
  return rows.flatMap(({ id, isRedacted }) => (isRedacted ? [] : id));
}

function factOf({
  laneId: _ofTheLane,
  isRedacted: _stored,
  data: _apart,
  order: _whole,
  ticks,
  error,
  ...fact
}: FactRow): OrderFact {
  return { ...fact, ticks: ticks === null ? null : BigInt(ticks), error: parseBytes(error) ?? null };
}

/** Shows only code and title of an error: the platform's messages repeat the sent values. */
function summaryOf({ receivedAt, error: bytes, ...fact }: SummaryRow): FactSummary {
  const error = parseBytes(bytes) ?? null;
  const { statusCode, title } = isPlainRecord(error) ? error : {};
  const shown = {
    statusCode: typeof statusCode === 'number' ? statusCode : null,
    title: typeof title === 'string' ? title : null,
  };
  return { ...fact, receivedAt: receivedAt.toISOString(), error: error === null ? null : shown };
}
