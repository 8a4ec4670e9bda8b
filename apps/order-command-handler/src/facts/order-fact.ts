import type { JsonValue } from '@gondola/shared/json/json-digits';
import { naturalRank } from '@gondola/shared/orders/order-statuses';
import type { FactContent } from './fact-content.ts';

/** Source of a fact: a notification of the platform, a read by Gondola, or a release (rule 8). */
type FactSource = 'notification' | 'read' | 'release';

/**
 * One stored fact about an order, without the bytes of its `data`, which stay in the database until they are
 * published. `id` gives only the order of storing within one order; the state never depends on it.
 */
export interface OrderFact {
  readonly id: string;
  readonly source: FactSource;
  readonly eventType: string;
  /** True for a refusal of the core. Such a fact has neither status nor values. */
  readonly failure: boolean;
  readonly operationId: string | null;
  readonly status: number | null;
  /** `data.updatedAt` in units of 100 ns; null if absent or unreadable, which counts as older than every date. */
  readonly ticks: bigint | null;
  /** SHA-256 of the bytes of `data`. */
  readonly hash: string;
  readonly orderId: string | null;
  /** True if `data` is an order with its items. */
  readonly hasItems: boolean;
  /** The envelope's error object; null for none. */
  readonly error: JsonValue;
  readonly traceparent: string;
}

/** A new fact, with the fields that only the database holds. */
export interface NewFact extends Omit<OrderFact, 'id' | 'error'> {
  /** `ce_id` of the record: one platform event is one fact (guarantee 2). */
  readonly dedupKey: string;
  readonly tenant: string;
  readonly orderNumber: string;
  readonly updatedAt: string | null;
  /** Null for a reading of the status alone. */
  readonly content: FactContent | null;
  /** The bytes of the envelope's `error`, as received. */
  readonly errorBytes: Uint8Array | null;
}

/** A fact without its `data`, and with only those fields of its error that name no person. */
export interface FactSummary {
  readonly source: FactSource;
  readonly eventType: string;
  readonly operationId: string | null;
  readonly status: number | null;
  readonly updatedAt: string | null;
  readonly receivedAt: string;
  readonly error: { readonly statusCode: number | null; readonly title: string | null } | null;
}

export const ORDER_UPDATED = 'Order_Updated';

/** Event name under which a read of the payload is stored. */
export const PAYLOAD_READ = 'GET webhook-payload';

/** Fields that decide which of two facts is newer. */
export type Recency = Pick<OrderFact, 'ticks' | 'status' | 'hash'>;

/**
 * Compares two facts by rule 9: `updatedAt`, then the natural course of an order, then the hash. Positive if `a` is
 * newer. The order is total, so the newest of a set does not depend on the order of its members.
 */
export function compareRecency(a: Recency, b: Recency): number {
  return (
    compare(a.ticks ?? OLDEST, b.ticks ?? OLDEST) ||
    rankOf(a.status) - rankOf(b.status) ||
    (a.status ?? 0) - (b.status ?? 0) ||
    compare(a.hash, b.hash)
  );
}

/** The newest fact by rule 9; null for none. */
export function newest<T extends Recency>(facts: readonly T[]): T | null {
  return facts.reduce<T | null>((best, fact) => (best === null || compareRecency(fact, best) > 0 ? fact : best), null);
}

export function isStoredAfter(fact: Pick<OrderFact, 'id'>, seen: string): boolean {
  return BigInt(fact.id) > BigInt(seen);
}

const OLDEST = -1n;

function rankOf(status: number | null): number {
  return status === null ? -1 : naturalRank(status);
}

function compare<T extends bigint | string>(a: T, b: T): number {
  if (a === b) return 0;
  return a > b ? 1 : -1;
}
