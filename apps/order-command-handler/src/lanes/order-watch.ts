import { doubledMs } from '@gondola/shared/backoff';
import { MINUTE_MS } from '@gondola/shared/durations';
import { CANCELLATION_ANALYSIS, NOT_TO_BE_CREATED, PAYMENT_APPROVED } from '@gondola/shared/orders/order-statuses';
import {
  type DoubtedStatus,
  type OrderWatch,
  NO_OPEN_STEPS,
  type OpenSteps,
  type OrderRow,
} from '../orders/order-row.ts';
import type { Attention } from '../orders/order-event.ts';
import { isReadBefore, nextOpenSteps, type StepOfCommand, overdue, type TimeLimits } from './time-limits.ts';
import { type OrderState, statusOf, wasInvoiced } from '../facts/order-state.ts';
import { isShown, refusalOf, sentInvoiceOf } from '../commands/known-invoice.ts';
import type { FinalOutcome } from '@gondola/shared/outcomes/outcomes';
import { isNewRecalculation, type PublishedState } from '../orders/published-state.ts';
import { type HeadCommand, type LaneSituation, type StepMoment, turnOf } from './lane-situation.ts';

/** Pauses between two reads, in milliseconds: the first, and the longest. */
export interface WatchSettings {
  /** First pause for an order in 750. */
  readonly firstMs: number;
  /** First pause for an order without its 300 (rule 8). */
  readonly paidNoticeMs: number;
  readonly longestMs: number;
}

/** Most reads for a missing 300: after about a day only a notification or a release creates the order. */
const MAX_PAYLOAD_READINGS = 24;

/** Pause before a second read of a doubted status counts: the read stores of platforms are seconds behind. */
export const SECOND_READ_MS = MINUTE_MS;

/** Most reads for a doubted status: after some hours only a notification, or a read for another reason, tells it. */
const MAX_DOUBTED_READINGS = 8;

/**
 * Null where nothing is watched.
 *
 *   750 of a paid order ── first pause ──▶ status ── still 750: twice the pause, up to the longest ──▶ status …
 *                                           └── another status: a fact like any other, and the watch ends
 *   a time limit ── at once ──────────────▶ status ── as it was: attention
 *   a read of a status that was left ── pause ──▶ status, payload ── it is proved: a fact (`reading-facts.ts`)
 *                                           └── not so: twice the pause, some times
 *   a later status, no 300 ── pause ─────▶ payload ── no 300 in it: attention; twice the pause ──▶ payload …
 *                                           └── a 300, whose notification was lost: creates the order
 *
 * The 800 after a 750 may be lost, whoever requested the cancellation. So the status is read from time to time while
 * the order stays in 750, with or without an open command. An unpaid order does not concern the ERP, unless it
 * reaches a status of paid orders: then its 300 was lost, or it must not be created (rule 8).
 */
export function orderWatch(state: OrderState | null, known: OrderWatch | null, nowMs: number): OrderWatch | null {
  const reads = watched(state) ?? (isInDoubt(state, known) ? 'status' : null);
  if (state === null || reads === null) return null;
  // An order without its 300 is one wait, also when its status changes.
  const factHash = reads === 'status' ? (state.statusFact?.hash ?? '') : '';
  if (known?.factHash === factHash) return known;
  const at = new Date(nowMs).toISOString();
  return { reads, factHash, since: at, at, count: 0 };
}

/** True while a read has shown an earlier status of a paid order, and nothing else was heard since. */
function isInDoubt(state: OrderState | null, known: OrderWatch | null): boolean {
  if (known?.doubted === undefined || state?.paid !== true) return false;
  return known.factHash === (state.statusFact?.hash ?? '') && known.count < MAX_DOUBTED_READINGS;
}

/** The watch after a read that left a status in doubt, or none. */
export function watchOfDoubt(
  state: OrderState | null,
  known: OrderWatch | null,
  doubted: DoubtedStatus | null,
  at: string,
): OrderWatch | null {
  const { doubted: before, ...watch } = known ?? {};
  if (doubted === null) return before === undefined || known === null ? known : (watch as OrderWatch);
  if (known !== null && before?.status === doubted.status) return known;
  if (known !== null && watched(state) !== null) return { ...known, doubted };
  return { reads: 'status', factHash: state?.statusFact?.hash ?? '', since: at, at, count: 0, doubted };
}

/** An immediate read of the status before an overdue attention is published; null if none is needed. */
function confirmingWatch(attention: readonly Attention[], known: OrderWatch | null, nowMs: number): OrderWatch | null {
  const unsure = attention.find(isReadBefore);
  if (unsure === undefined) return null;
  const confirms = unsure.code;
  if (known?.confirms === confirms && known.factHash === unsure.since) return known;
  return { reads: 'status', confirms, factHash: unsure.since, at: new Date(nowMs).toISOString(), count: 0 };
}

/** True if the attention is to be published: at once, or after a read that did not change the status. */
function isConfirmed(attention: Attention, watch: OrderWatch | null): boolean {
  return !isReadBefore(attention) || (watch?.confirms === attention.code && watch.count > 0);
}

/** Milliseconds until the next read, zero or less if it is due; null for none. */
export function nextReadingInMs(
  { reads, confirms, doubted, at, count }: OrderWatch,
  nowMs: number,
  { firstMs, paidNoticeMs, longestMs }: WatchSettings,
): number | null {
  if (confirms !== undefined) return count === 0 ? 0 : null;
  const isPayload = reads === 'payload';
  if (isPayload && count >= MAX_PAYLOAD_READINGS) return null;
  const [first, longest] = isPayload
    ? [paidNoticeMs, Math.max(longestMs, paidNoticeMs)]
    : [doubted === undefined ? firstMs : SECOND_READ_MS, longestMs];
  return Date.parse(at) + doubledMs(first, count + 1, longest) - nowMs;
}

/** Attention for an order whose 300 came neither by notification nor by a read (rule 8). */
export function missingPaidNotice(watch: OrderWatch | null): Attention[] {
  if (watch?.reads !== 'payload' || watch.count === 0) return [];
  return [{ code: 'PAID_NOTICE_MISSING', since: watch.since ?? watch.at, waitsFor: 'operator' }];
}

function watched(state: OrderState | null): 'status' | 'payload' | null {
  if (state === null) return null;
  const status = statusOf(state);
  if (state.paid) return status === CANCELLATION_ANALYSIS ? 'status' : null;
  // Without a status only a 1300 is known.
  const goesOn = status === null || (status > PAYMENT_APPROVED && !NOT_TO_BE_CREATED.has(status));
  return goesOn ? 'payload' : null;
}

/** Result of the watch over an order in one step. */
export interface LaneWatch {
  readonly openSteps: OpenSteps;
  readonly watch: OrderWatch | null;
  readonly attention: readonly Attention[];
  /** Milliseconds until the next limit; null for none. */
  readonly nextInMs: number | null;
}

/** A command of the step, with its conclusion in it; null while it stays open. */
export interface WatchedCommand {
  readonly head: HeadCommand;
  readonly outcome: FinalOutcome | null;
}

/**
 * Watches an order: time limits, and reads of possibly lost notifications. If a read of the status can show that only
 * a notification was lost, it is made before any attention is published.
 */
export function watchLane(
  situation: LaneSituation,
  moment: StepMoment,
  state: OrderState | null,
  published: PublishedState,
  commands: readonly WatchedCommand[],
  limits: TimeLimits,
): LaneWatch {
  const { row, shownInvoices, showsPdf } = situation;
  const { nowMs } = moment;
  if (state === null) return { openSteps: NO_OPEN_STEPS, watch: null, attention: [], nextInMs: null };
  const isRecalculated = isNewRecalculation(published, state.recalculation);
  const seen = {
    showsRegistration: shownInvoices.length > 0,
    showsPdf,
    isInvoiced: wasInvoiced(state),
    isRecalculated,
    nowMs,
  };
  const steps = commands.map((each) => stepOf(each, situation, moment, state));
  const openSteps = nextOpenSteps(row.openSteps, steps, seen);
  const status = statusOf(state);
  const order = {
    state,
    isCreated: published.status !== null || (state.paid && status !== null && !NOT_TO_BE_CREATED.has(status)),
    statusSince: statusSince(row, status, nowMs),
    openSteps,
    isSending: commands.some(({ head, outcome }) => outcome === null && sentAt(head) !== null),
  };
  const { attention, nextInMs } = overdue(order, limits, nowMs);
  const watch = orderWatch(state, row.watch, nowMs) ?? confirmingWatch(attention, row.watch, nowMs);
  const confirmed = attention.filter((each) => isConfirmed(each, watch));
  return { openSteps, watch, attention: [...missingPaidNotice(watch), ...confirmed], nextInMs };
}

/** Time since which the status is known; now for a new status. */
function statusSince({ status: known, statusSince: since }: OrderRow, status: number | null, nowMs: number): string {
  return (since !== null && known === status ? since : new Date(nowMs)).toISOString();
}

function stepOf(
  { head, outcome }: WatchedCommand,
  situation: LaneSituation,
  moment: StepMoment,
  state: OrderState,
): StepOfCommand {
  const { judged, progress, pdfOutcome } = head;
  const { payload, pdfAsked } = progress;
  const isUploaded = pdfOutcome?.outcome === 'applied' || pdfOutcome?.outcome === 'unchanged';
  const turn = { ...turnOf(head, situation, moment), state };
  const shownAt = payload !== null && payload.attempts > 0 && isShown(turn) ? payload.at : null;
  return {
    name: judged.kind === 'valid' ? judged.definition.name : '',
    sentAt: sentAt(head),
    registeredAt: pdfAsked?.at ?? shownAt,
    isRegistrationRefused: refusalOf(turn) !== null,
    sentInvoice: outcome === null ? null : sentInvoiceOf(turn, outcome),
    isAttached: isUploaded || payload?.attached === true,
    outcome,
  };
}

function sentAt({ progress: { attempts, pdfAsked } }: HeadCommand): string | null {
  return attempts[0]?.at ?? pdfAsked?.at ?? null;
}
