import { Injectable } from '@nestjs/common';
import { multiRow } from '@gondola/messaging/store/multi-row';
import { Database, type Tx } from '@gondola/service-kit/database/database';
import { isPlainRecord, parseBytes } from '@gondola/shared/json/json-digits';
import type { NewFact } from './read-notification.ts';
import type { FactSummary, OrderFact } from './order-fact.ts';

/** A fact with the lane of its order. */
interface StorableFact extends NewFact {
  readonly laneId: string;
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
  SELECT id, lane_id AS "laneId", source, event_type AS "eventType", failure, operation_id AS "operationId", status, updated_ticks AS ticks,
    order_id AS "orderId", has_items AS "hasItems", hash, error, traceparent
  FROM order_facts WHERE lane_id = ANY ($1::bigint[]) ORDER BY id`;

const SUMMARIES = `
  SELECT source, event_type AS "eventType", operation_id AS "operationId", status, updated_at AS "updatedAt", received_at AS "receivedAt", error
  FROM order_facts WHERE lane_id = $1 ORDER BY id`;

type FactRow = Omit<OrderFact, 'ticks' | 'error'> & { laneId: string; ticks: string | null; error: Buffer | null };

type SummaryRow = Omit<FactSummary, 'receivedAt' | 'error'> & { receivedAt: Date; error: Buffer | null };

/**
 * The table `order_facts`. Gives: one platform event is one fact, by the unique dedup key, whatever arrives how often
 * on how many replicas (guarantee 2, rule 2); within a lane, ids rise in the order of the commits, since the lane is
 * locked first.
 */
@Injectable()
export class OrderFactsRepository {
  constructor(private readonly database: Database) {}

  /** Adds facts whose lanes `tx` has locked; those that are known already are left alone. */
  async insert(tx: Tx, facts: readonly StorableFact[]): Promise<void> {
    // Replicas that insert the same keys in different orders deadlock.
    const sorted = facts.toSorted((one, other) => (one.dedupKey < other.dedupKey ? -1 : 1));
    for (const { tuples, values } of multiRow(sorted, TYPES, valuesOf)) {
      const text = `INSERT INTO order_facts (${NAMES}) VALUES ${tuples} ON CONFLICT (dedup_key) DO NOTHING`;
      await tx.query(text, values);
    }
  }

  /** Every fact of the lanes, by lane id. */
  async ofLanes(laneIds: readonly string[]): Promise<ReadonlyMap<string, readonly OrderFact[]>> {
    const { rows } = await this.database.query<FactRow>(OF_LANES, [laneIds]);
    const byLane = Map.groupBy(rows, (row) => row.laneId);
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
    const { rows } = await this.database.query<SummaryRow>(SUMMARIES, [laneId]);
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

function factOf({ laneId: _ofTheLane, ticks, error, ...fact }: FactRow): OrderFact {
  return { ...fact, ticks: ticks === null ? null : BigInt(ticks), error: parseBytes(error) ?? null };
}

/** The platform's messages repeat what was sent, so only its code and its title are shown. */
function summaryOf({ receivedAt, error: bytes, ...fact }: SummaryRow): FactSummary {
  const error = parseBytes(bytes) ?? null;
  const { statusCode, title } = isPlainRecord(error) ? error : {};
  const shown = {
    statusCode: typeof statusCode === 'number' ? statusCode : null,
    title: typeof title === 'string' ? title : null,
  };
  return { ...fact, receivedAt: receivedAt.toISOString(), error: error === null ? null : shown };
}
