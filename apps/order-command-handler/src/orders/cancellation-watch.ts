import { CANCELLATION_ANALYSIS } from '@gondola/shared/orders/order-statuses';
import type { OrderState } from './order-state.ts';

/** Readings of an order that stays in 750. */
export interface CancellationWatch {
  /** Hash of the fact that says 750; another one begins anew. */
  readonly factHash: string;
  /** Of the last reading, or when it was begun; RFC 3339. */
  readonly at: string;
  /** Readings so far that showed nothing new. */
  readonly count: number;
}

/** Pauses between two readings, in milliseconds: the first, and the longest. */
export interface WatchSettings {
  readonly firstMs: number;
  readonly longestMs: number;
}

/**
 * From 750 on nothing promises an 800: its event may be lost, whoever asked for the cancellation. So the status is read
 * now and then for as long as the order stays there, with or without an open command. Null where nothing is watched; an
 * order that was never paid is none of the ERP's.
 *
 *   750 ── first pause ──▶ read ── still 750: twice the pause, up to the longest ──▶ read …
 *                           └── another status: a fact like any other, and the watch ends
 */
export function cancellationWatch(
  state: OrderState | null,
  known: CancellationWatch | null,
  nowMs: number,
): CancellationWatch | null {
  const fact = state?.statusFact ?? null;
  if (state === null || fact === null || !state.paid || fact.status !== CANCELLATION_ANALYSIS) return null;
  if (known?.factHash === fact.hash) return known;
  return { factHash: fact.hash, at: new Date(nowMs).toISOString(), count: 0 };
}

/** Milliseconds until the next reading; zero or less: it is due. */
export function nextReadingInMs({ at, count }: CancellationWatch, nowMs: number, settings: WatchSettings): number {
  const pauseMs = Math.min(settings.firstMs * 2 ** count, settings.longestMs);
  return Date.parse(at) + pauseMs - nowMs;
}
