import { isRegistrationRefused } from '../commands/invoice-steps.ts';
import type { FinalOutcome } from '@gondola/shared/outcomes/outcomes';
import { NOT_TO_BE_CREATED } from '@gondola/shared/orders/order-statuses';
import type { Attention } from '../orders/order-event.ts';
import { NO_OPEN_STEPS, nextOpenSteps, type OpenSteps, type StepOfCommand } from '../orders/open-steps.ts';
import { type OrderState, statusOf, wasInvoiced } from '../facts/order-state.ts';
import { confirmingWatch, isConfirmed, missingPaidNotice, type OrderWatch, orderWatch } from '../orders/order-watch.ts';
import type { OrderRow } from '../orders/order-row.ts';
import { isNewRecalculation, type PublishedState } from '../orders/published-state.ts';
import { overdue, type TimeLimits } from '../orders/time-limits.ts';
import { type HeadCommand, type LaneSituation, type StepMoment, turnOf } from './lane-situation.ts';

/** Result of the watch over an order in one step. */
export interface LaneWatch {
  readonly openSteps: OpenSteps;
  readonly watch: OrderWatch | null;
  /** Attention that the order needs now. */
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
  const { row, showsRegistration, showsPdf } = situation;
  const { nowMs } = moment;
  if (state === null) return { openSteps: NO_OPEN_STEPS, watch: null, attention: [], nextInMs: null };
  const isRecalculated = isNewRecalculation(published, state.recalculation);
  const seen = { showsRegistration, showsPdf, isInvoiced: wasInvoiced(state), isRecalculated, nowMs };
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
  const shownAt = payload?.registered === true && payload.attempts > 0 ? payload.at : null;
  return {
    name: judged.kind === 'valid' ? judged.definition.name : '',
    sentAt: sentAt(head),
    registeredAt: pdfAsked?.at ?? shownAt,
    isRegistrationRefused: isRegistrationRefused({ ...turnOf(head, situation, moment), state }),
    isAttached: isUploaded || payload?.attached === true,
    outcome,
  };
}

function sentAt({ progress: { attempts, pdfAsked } }: HeadCommand): string | null {
  return attempts[0]?.at ?? pdfAsked?.at ?? null;
}
