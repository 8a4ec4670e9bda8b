import { Injectable } from '@nestjs/common';
import { multiRow } from '@gondola/messaging/store/multi-row';
import { Database, type Tx } from '@gondola/service-kit/database/database';
import { isPlainRecord, parseBytes } from '@gondola/shared/json/json-digits';
import type { NewFact } from './read-notification.ts';
import type { FactSource, OrderFact } from './order-fact.ts';

/** A fact with the lane of its order. */
interface StorableFact extends NewFact {
  readonly laneId: string;
}

/** A fact without the content of its `data`, and of its error only what names no person. */
export interface FactSummary {
  readonly source: FactSource;
  readonly eventType: string;
  readonly operationId: string | null;
  readonly status: number | null;
  readonly updatedAt: string | null;
  readonly receivedAt: string;
  readonly error: { readonly statusCode: number | null; readonly title: string | null } | null;
}

/** What is written of a fact: column, type, value. */
const COLUMNS: readonly (readonly [name: string, type: string, of: (fact: StorableFact) => unknown])[] = [
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
  ['data', 'bytea', (fact) => buffer(fact.data)],
  ['error', 'bytea', (fact) => buffer(fact.errorBytes)],
  ['traceparent', 'text', (fact) => fact.traceparent],
];

const NAMES = COLUMNS.map(([name]) => name).join(', ');
const TYPES = COLUMNS.map(([, type]) => type);

/** The bytes of `data` stay where they are: only the one notification whose values are published is read whole. */
const OF_LANES = `
  SELECT id, lane_id, source, event_type, failure, operation_id, status, updated_ticks, order_id, has_items, hash, error, traceparent
  FROM order_facts WHERE lane_id = ANY ($1::bigint[]) ORDER BY id`;

interface FactRow {
  id: string;
  lane_id: string;
  source: FactSource;
  event_type: string;
  failure: boolean;
  operation_id: string | null;
  status: number | null;
  updated_ticks: string | null;
  order_id: string | null;
  has_items: boolean;
  hash: string;
  error: Buffer | null;
  traceparent: string;
}

interface SummaryRow extends Pick<FactRow, 'source' | 'event_type' | 'operation_id' | 'status' | 'error'> {
  updated_at: string | null;
  received_at: Date;
}

/**
 * The table `order_facts`. Gives: one platform event is one fact, by the unique dedup key, whatever arrives how often
 * on how many replicas (guarantee 2, rule 2); within a lane, ids rise in the order of the commits, since the lane is
 * locked first.
 */
@Injectable()
export class OrderFactsRepository {
  constructor(private readonly database: Database) {}

  /** Adds facts whose lanes `tx` has locked; those that are known already are left alone. Returns how many were new. */
  async insert(tx: Tx, facts: readonly StorableFact[]): Promise<number> {
    // Replicas that insert the same keys in different orders deadlock.
    const sorted = facts.toSorted((one, other) => (one.dedupKey < other.dedupKey ? -1 : 1));
    let inserted = 0;
    for (const { tuples, values } of multiRow(sorted, TYPES, valuesOf)) {
      const text = `INSERT INTO order_facts (${NAMES}) VALUES ${tuples} ON CONFLICT (dedup_key) DO NOTHING`;
      inserted += (await tx.query(text, values)).rowCount ?? 0;
    }
    return inserted;
  }

  /** Every fact of the lanes, by lane id. */
  async ofLanes(laneIds: readonly string[]): Promise<ReadonlyMap<string, readonly OrderFact[]>> {
    const { rows } = await this.database.query<FactRow>(OF_LANES, [laneIds]);
    const byLane = Map.groupBy(rows, (row) => row.lane_id);
    return new Map([...byLane].map(([laneId, its]) => [laneId, its.map(factOf)]));
  }

  /** The bytes of `data`, by fact id. */
  async dataOf(factIds: readonly string[]): Promise<ReadonlyMap<string, Buffer>> {
    if (factIds.length === 0) return new Map();
    const text = 'SELECT id, data FROM order_facts WHERE id = ANY ($1::bigint[]) AND data IS NOT NULL';
    const { rows } = await this.database.query<{ id: string; data: Buffer }>(text, [factIds]);
    return new Map(rows.map(({ id, data }) => [id, data]));
  }

  /** A lane's facts for operators, oldest first. */
  async summariesOf(laneId: string): Promise<readonly FactSummary[]> {
    const text = `SELECT source, event_type, operation_id, status, updated_at, received_at, error
      FROM order_facts WHERE lane_id = $1 ORDER BY id`;
    const { rows } = await this.database.query<SummaryRow>(text, [laneId]);
    return rows.map(summaryOf);
  }

  /** Whether a fact came after the one with the id `seen`; with the lane locked, the answer holds until `tx` ends. */
  async hasNewer(tx: Tx, laneId: string, seen: string): Promise<boolean> {
    const { rows } = await tx.query('SELECT 1 FROM order_facts WHERE lane_id = $1 AND id > $2 LIMIT 1', [laneId, seen]);
    return rows.length > 0;
  }
}

function valuesOf(fact: StorableFact): readonly unknown[] {
  return COLUMNS.map(([, , of]) => of(fact));
}

/** node-pg takes Buffers for `bytea`; a plain Uint8Array it would write as an object. */
function buffer(bytes: Uint8Array | null): Buffer | null {
  return bytes === null ? null : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function factOf(row: FactRow): OrderFact {
  return {
    id: row.id,
    source: row.source,
    eventType: row.event_type,
    failure: row.failure,
    operationId: row.operation_id,
    status: row.status,
    ticks: row.updated_ticks === null ? null : BigInt(row.updated_ticks),
    hash: row.hash,
    orderId: row.order_id,
    hasItems: row.has_items,
    error: parseBytes(row.error) ?? null,
    traceparent: row.traceparent,
  };
}

/** The platform's messages repeat what was sent, so only its code and its title are shown. */
function summaryOf(row: SummaryRow): FactSummary {
  const error = parseBytes(row.error) ?? null;
  const { statusCode, title } = isPlainRecord(error) ? error : {};
  return {
    source: row.source,
    eventType: row.event_type,
    operationId: row.operation_id,
    status: row.status,
    updatedAt: row.updated_at,
    receivedAt: row.received_at.toISOString(),
    error:
      error === null
        ? null
        : {
            statusCode: typeof statusCode === 'number' ? statusCode : null,
            title: typeof title === 'string' ? title : null,
          },
  };
}
