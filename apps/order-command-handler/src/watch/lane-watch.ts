import type { FinalOutcome } from '@gondola/shared/results/outcomes';
import { NOT_TO_BE_CREATED } from '@gondola/shared/orders/order-statuses';
import type { Attention } from '../orders/order-event.ts';
import { NO_OPEN_STEPS, nextOpenSteps, type OpenSteps, type StepOfCommand } from './open-steps.ts';
import { type OrderState, statusOf } from '../orders/order-state.ts';
import { confirmingWatch, isConfirmed, missingPaidNotice, type OrderWatch, orderWatch } from './order-watch.ts';
import { isNewRecalculation, type PublishedState } from '../orders/published-state.ts';
import { overdue, type TimeLimits } from './time-limits.ts';
import type { HeadCommand, LaneSituation } from '../lanes/lane-situation.ts';

/** What one step finds of an order's waits. */
export interface LaneWatch {
  readonly openSteps: OpenSteps;
  readonly watch: OrderWatch | null;
  /** What the order needs somebody for now. */
  readonly attention: readonly Attention[];
  /** Until the next limit; null for none. */
  readonly nextInMs: number | null;
}

/** A command of the step, and how it ends in it; null: it goes on. */
export interface WatchedCommand {
  readonly head: HeadCommand;
  readonly outcome: FinalOutcome | null;
}

/**
 * The watch over an order: time limits, and the readings of what may have been lost. Where a reading of the status can
 * show that only a notification was lost, it comes before anybody is called.
 */
export function watchLane(
  situation: LaneSituation,
  state: OrderState | null,
  published: PublishedState,
  commands: readonly WatchedCommand[],
  limits: TimeLimits,
): LaneWatch {
  const { nowMs, showsRegistration } = situation;
  if (state === null) return { openSteps: NO_OPEN_STEPS, watch: null, attention: [], nextInMs: null };
  const isRecalculated = isNewRecalculation(published, state.recalculation);
  const seen = { showsRegistration, isRecalculated, nowMs };
  const openSteps = nextOpenSteps(situation.openSteps, commands.map(stepOf), seen);
  const status = statusOf(state);
  const order = {
    state,
    isCreated: published.status !== null || (state.paid && status !== null && !NOT_TO_BE_CREATED.has(status)),
    statusSince: statusSince(situation, status),
    openSteps,
    isSending: commands.some(({ head, outcome }) => outcome === null && sentAt(head) !== null),
  };
  const { attention, nextInMs } = overdue(order, limits, nowMs);
  const watch = orderWatch(state, situation.watch, nowMs) ?? confirmingWatch(attention, situation.watch, nowMs);
  const confirmed = attention.filter((each) => isConfirmed(each, watch));
  return { openSteps, watch, attention: [...missingPaidNotice(watch), ...confirmed], nextInMs };
}

/** A status that this step finds has lasted for no time yet. */
function statusSince({ known, nowMs }: LaneSituation, status: number | null): string {
  return known !== null && known.status === status ? known.since : new Date(nowMs).toISOString();
}

function stepOf({ head, outcome }: WatchedCommand): StepOfCommand {
  const { judged, progress, pdfOutcome } = head;
  const isAttached = pdfOutcome?.outcome === 'applied' || pdfOutcome?.outcome === 'unchanged';
  const isShown = progress.payload?.registered === true && progress.payload.attempts > 0;
  return {
    name: judged.kind === 'valid' ? judged.definition.name : '',
    sentAt: sentAt(head),
    isRegistered: isShown || progress.pdfAsked !== null,
    isAttached,
    outcome,
  };
}

function sentAt({ progress: { attempts, pdfAsked } }: HeadCommand): string | null {
  return attempts[0]?.at ?? pdfAsked?.at ?? null;
}
