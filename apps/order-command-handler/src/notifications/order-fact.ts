import type { JsonValue } from '@gondola/shared/json/json-digits';
import { naturalRank } from '@gondola/shared/orders/order-statuses';

/** Where a fact comes from: a notification of the platform, a reading of Gondola's, or the ERP's release (rule 8). */
export type FactSource = 'notification' | 'read' | 'release';

/**
 * One stored fact about an order, without the bytes of its `data`, which stay in the database until they are published.
 * `id` says only what was stored before what (within one order); the state never looks at it.
 */
export interface OrderFact {
  readonly id: string;
  readonly source: FactSource;
  readonly eventType: string;
  /** The core refused something. Never a fact of status or values. */
  readonly failure: boolean;
  readonly operationId: string | null;
  readonly status: number | null;
  /** `data.updatedAt` in units of 100 ns; null where it is absent or unreadable, which is older than every date. */
  readonly ticks: bigint | null;
  /** SHA-256 of the bytes of `data`. */
  readonly hash: string;
  readonly orderId: string | null;
  /** Whether `data` is an order with its items. */
  readonly hasItems: boolean;
  /** The envelope's error object; null where there is none. */
  readonly error: JsonValue;
  readonly traceparent: string;
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

/** The event by which the platform notifies of a changed order. */
export const ORDER_UPDATED = 'Order_Updated';

/** What a reading of the payload is stored under. */
export const PAYLOAD_READ = 'GET webhook-payload';

/** What decides which of two facts is the newer one. */
export type Recency = Pick<OrderFact, 'ticks' | 'status' | 'hash'>;

/**
 * Rule 9: `updatedAt`, then the natural course of an order, then the hash. Above zero: `a` is newer. A total order, so
 * that the newest of a set does not depend on the order in which the set is looked at.
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

/** Whether `fact` was stored after the fact with the id `seen`. */
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
