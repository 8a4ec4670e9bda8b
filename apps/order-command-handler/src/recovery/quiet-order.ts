import { doubledMs } from '@gondola/shared/backoff';
import { DAY_MS, MINUTE_MS } from '@gondola/shared/durations';
import { ENDED_STATUSES, PAYMENT_APPROVED } from '@gondola/shared/orders/order-statuses';

/**
 * When recovery reads an open order. `looks` of its row counts the reads since it was last heard of; below 0 the order
 * is in doubt, since a notification contradicts an earlier reading: -1 before its first read, -2 after it …
 */
export interface OpenOrder {
  readonly looks: number;
  readonly status: number | null;
  readonly publishedStatus: number | null;
  /** It has a command under way. */
  readonly isBusy: boolean;
  /** Time since its last sign of life: a notification, or anything new by a read. */
  readonly silentMs: number;
}

/** Pauses of a tenant; `quietMs` is null where only orders in doubt are read. */
export interface QuietTimes {
  readonly quietMs: number | null;
  readonly quietMaxMs: number;
}

export type Judgement =
  | { readonly kind: 'read' }
  /** Read later. */
  | { readonly kind: 'wait'; readonly inMs: number; readonly looks: number }
  /** Never read again, until it is heard of: without further work, or given up (`looks` above 0). */
  | { readonly kind: 'end'; readonly looks: number };

/** Silence after which an order is given up: a shop that never closes its orders must not be read for ever. */
export const GIVEN_UP_MS = 30 * DAY_MS;

/** Reads of an order of which only a refused payment is known, at most: with the pauses, half a day. */
const UNPAID_LOOKS = 6;

/** Reads of an order in doubt, at most: after that it is one like the others. */
const DOUBT_LOOKS = 6;

/** First pause of an order in doubt, where quiet orders are not read. */
const DOUBT_MS = 10 * MINUTE_MS;

/** Judges an order whose time has come. One that was never read since it was heard of is read before it is given up. */
export function judgeOrder(order: OpenOrder, quietMs: number | null): Judgement {
  const { looks, isBusy, silentMs } = order;
  const pauseMs = quietMs ?? DOUBT_MS;
  if (looks >= 0 && isOver(order)) return { kind: 'end', looks: 0 };
  if (isBusy) return { kind: 'wait', inMs: pauseMs, looks: Math.min(looks, 0) };
  if (looks < 0) {
    return readsOf(looks) < DOUBT_LOOKS ? { kind: 'read' } : { kind: 'wait', inMs: 0, looks: readsOf(looks) };
  }
  if (silentMs < pauseMs) return { kind: 'wait', inMs: pauseMs - silentMs, looks: 0 };
  return looks > 0 && silentMs >= GIVEN_UP_MS ? { kind: 'end', looks } : { kind: 'read' };
}

/** A refused payment of an order that is not created may have been followed by a 300. */
function isOver({ looks, status, publishedStatus }: OpenOrder): boolean {
  if (publishedStatus !== null) return ENDED_STATUSES.has(publishedStatus);
  return status === null || status >= PAYMENT_APPROVED || looks >= UNPAID_LOOKS;
}

/** Reads since the order was heard of, or came into doubt. */
export function readsOf(looks: number): number {
  return Math.max(looks, -1 - looks);
}

/** `looks` after one more read. */
export function afterRead(looks: number): number {
  return looks < 0 ? looks - 1 : looks + 1;
}

/** Milliseconds until an order with so many `looks` is read; doubled with each, up to the longest. */
export function pauseAfterLook(looks: number, { quietMs, quietMaxMs }: QuietTimes): number {
  const firstMs = quietMs ?? DOUBT_MS;
  return doubledMs(firstMs, readsOf(looks) + 1, Math.max(quietMaxMs, firstMs));
}
