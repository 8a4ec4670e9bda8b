import { CANCELLATION_ANALYSIS, NOT_TO_BE_CREATED, PAYMENT_APPROVED } from '@gondola/shared/orders/order-statuses';
import type { AttentionCode } from '@gondola/shared/dto/order-event.dto';
import type { Attention } from '../orders/order-event.ts';
import { isReadBefore } from './time-limits.ts';
import { type OrderState, statusOf } from '../orders/order-state.ts';

/** Readings of an order that waits for what may have been lost. */
export interface OrderWatch {
  /** `status` for a cancellation, `payload` for a missing 300; absent in what an earlier version stored: `status`. */
  readonly reads?: 'status' | 'payload';
  /** What is overdue, if one reading is to confirm it; absent for all else. */
  readonly confirms?: AttentionCode;
  /** Hash of the fact that it began with, or since when something is overdue; another one begins anew. */
  readonly factHash: string;
  /** When it was begun, RFC 3339; absent in what an earlier version stored. */
  readonly since?: string;
  /** Of the last reading, or when it was begun; RFC 3339. */
  readonly at: string;
  /** Readings so far that showed nothing new. */
  readonly count: number;
}

/** Pauses between two readings, in milliseconds: the first, and the longest. */
export interface WatchSettings {
  /** Of an order in 750. */
  readonly firstMs: number;
  /** Of an order whose 300 is missing (rule 8). */
  readonly paidNoticeMs: number;
  readonly longestMs: number;
}

/** Readings for a missing 300, at most: after about a day only a notification or a release creates the order. */
const MAX_PAYLOAD_READINGS = 24;

/**
 * Null where nothing is watched.
 *
 *   750 of a paid order ── first pause ──▶ status ── still 750: twice the pause, up to the longest ──▶ status …
 *                                           └── another status: a fact like any other, and the watch ends
 *   a time limit ── at once ──────────────▶ status ── as it was: somebody is called
 *   a later status, no 300 ── pause ─────▶ payload ── no 300 in it: somebody is needed; twice the pause ──▶ payload …
 *                                           └── a 300, whose notification was lost: creates the order
 *
 * From 750 on nothing promises an 800: its event may be lost, whoever asked for the cancellation. So the status is read
 * now and then for as long as the order stays there, with or without an open command. An order that was never paid is
 * none of the ERP's, unless it goes on as only a paid one does: then its 300 was lost, or it must not be created (rule
 * 8).
 */
export function orderWatch(state: OrderState | null, known: OrderWatch | null, nowMs: number): OrderWatch | null {
  const reads = watched(state);
  if (state === null || reads === null) return null;
  // What goes on without a 300 is one wait, whatever its status is meanwhile.
  const factHash = reads === 'status' ? (state.statusFact?.hash ?? '') : '';
  if (known?.factHash === factHash) return known;
  const at = new Date(nowMs).toISOString();
  return { reads, factHash, since: at, at, count: 0 };
}

/** One reading of the status at once, before somebody is called for what is overdue; null where none is needed. */
export function confirmingWatch(
  attention: readonly Attention[],
  known: OrderWatch | null,
  nowMs: number,
): OrderWatch | null {
  const unsure = attention.find(isReadBefore);
  if (unsure === undefined) return null;
  const confirms = unsure.code;
  if (known?.confirms === confirms && known.factHash === unsure.since) return known;
  return { reads: 'status', confirms, factHash: unsure.since, at: new Date(nowMs).toISOString(), count: 0 };
}

/** Whether somebody is to be called: at once, or after the status was read and showed nothing else. */
export function isConfirmed(attention: Attention, watch: OrderWatch | null): boolean {
  return !isReadBefore(attention) || (watch?.confirms === attention.code && watch.count > 0);
}

/** Milliseconds until the next reading; zero or less: it is due. Null: there is none any more. */
export function nextReadingInMs(
  { reads, confirms, at, count }: OrderWatch,
  nowMs: number,
  { firstMs, paidNoticeMs, longestMs }: WatchSettings,
): number | null {
  if (confirms !== undefined) return count === 0 ? 0 : null;
  const isPayload = reads === 'payload';
  if (isPayload && count >= MAX_PAYLOAD_READINGS) return null;
  const [first, longest] = isPayload ? [paidNoticeMs, Math.max(longestMs, paidNoticeMs)] : [firstMs, longestMs];
  const pauseMs = Math.min(first * 2 ** count, longest);
  return Date.parse(at) + pauseMs - nowMs;
}

/** An order whose 300 did not come, not even by a reading: it is released, or it is none (rule 8). */
export function missingPaidNotice(watch: OrderWatch | null): Attention[] {
  if (watch?.reads !== 'payload' || watch.count === 0) return [];
  return [{ code: 'PAID_NOTICE_MISSING', since: watch.since ?? watch.at, waitsFor: 'operator' }];
}

function watched(state: OrderState | null): 'status' | 'payload' | null {
  if (state === null) return null;
  const status = statusOf(state);
  if (state.paid) return status === CANCELLATION_ANALYSIS ? 'status' : null;
  // No status: only a 1300 is known.
  const goesOn = status === null || (status > PAYMENT_APPROVED && !NOT_TO_BE_CREATED.has(status));
  return goesOn ? 'payload' : null;
}
