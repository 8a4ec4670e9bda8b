import type { OrderEventCause, OrderEventType } from './order-event.ts';
import {
  CANCELLATION_ANALYSIS,
  NOT_TO_BE_CREATED,
  orderStatusEvent,
  PAYMENT_APPROVED,
  VALUES_RECALCULATED,
} from '@gondola/shared/orders/order-statuses';
import { type OrderFact, compareRecency } from '../notifications/order-fact.ts';
import { type OrderState, statusOf } from './order-state.ts';
import {
  type OrderParts,
  type PublishedState,
  changedParts,
  isNewRecalculation,
  recencyOf,
} from './published-state.ts';

/** An event that is to be published, without the values and names that `order-event` gives it. */
export interface PendingEvent {
  readonly type: OrderEventType;
  readonly revision: number;
  readonly previousStatus: number | null;
  readonly status: number;
  readonly changes: readonly string[];
  /** Stop picking until the next event. */
  readonly hold: boolean;
  readonly cause: OrderEventCause;
  readonly traceparent: string;
}

/** What the open commands of the order say about its facts. */
export interface OwnCommands {
  /** A status that an open command has reached, and that its result will publish; null for none. */
  readonly heldStatus: number | null;
  /** The command that brought a fact about; null for none of ours. */
  readonly commandOf: (fact: OrderFact) => string | null;
}

const NO_OWN_COMMANDS: OwnCommands = { heldStatus: null, commandOf: () => null };

export interface EventPlan {
  readonly published: PublishedState;
  readonly events: readonly PendingEvent[];
}

/**
 * What is to be published now: the difference between the view and the published state (rule 10), as events with their
 * revisions. `parts` are the hashes of its values.
 *
 *                 300 in the set, status none of 750 800 1000 1100 1200
 *   not created ───────────────────────────────────────────────────────► created ──┐ another status: its event
 *       │  ▲                          OrderApproved, revision 1             ▲      │ a newer 1300: ItemsRecalculated
 *       └──┘ everything else: no event, the facts stay (rule 7)             └──────┘ other values: OrderChanged
 */
export function planEvents(
  state: OrderState,
  published: PublishedState,
  parts: OrderParts,
  own: OwnCommands = NO_OWN_COMMANDS,
): EventPlan {
  const status = statusOf(state);
  if (status === null || state.statusFact === null) return { published, events: [] };
  if (published.revision === 0)
    return mayBeCreated(state, status) ? approve(state, state.statusFact, parts) : { published, events: [] };
  return planDifference(state, { statusFact: state.statusFact, before: published, parts }, own);
}

/** Rule 7: only a 300 creates an order, and none is created while it is cancelled, returned or refunded. */
function mayBeCreated(state: OrderState, status: number): boolean {
  return state.paid && !NOT_TO_BE_CREATED.has(status);
}

function approve(state: OrderState, statusFact: OrderFact, parts: OrderParts): EventPlan {
  const status = statusFact.status ?? PAYMENT_APPROVED;
  const published: PublishedState = {
    revision: 1,
    status,
    parts,
    recalculation: state.recalculation === null ? null : recencyOf(state.recalculation),
  };
  return { published, events: [eventOf('OrderApproved', published, null, ['status'], statusFact)] };
}

function planDifference(
  state: OrderState,
  { statusFact, before, parts }: { statusFact: OrderFact; before: PublishedState; parts: OrderParts },
  own: OwnCommands,
): EventPlan {
  let published = before;
  const events: PendingEvent[] = [];
  const recalculation = recalculationIn(state, before, parts);
  for (const step of stepsOf({ ...state, recalculation }, statusFact, before, own.heldStatus)) {
    const changes = changedParts(published, parts);
    if (step.kind === 'values' && changes.length === 0) continue;
    const previous = published.status;
    published = {
      revision: published.revision + 1,
      status: step.kind === 'status' ? step.fact.status : published.status,
      parts,
      recalculation: step.kind === 'recalculation' ? recencyOf(step.fact) : published.recalculation,
    };
    const type = typeOf(step);
    const all = step.kind === 'status' ? ['status', ...changes] : changes;
    const commandId = step.kind === 'values' ? null : own.commandOf(step.fact);
    const one = eventOf(type, published, previous, all, step.fact);
    events.push(commandId === null ? one : { ...one, cause: { kind: 'command', commandId } });
  }
  return { published, events };
}

interface Step {
  readonly kind: 'status' | 'recalculation' | 'values';
  readonly fact: OrderFact;
}

/** The parts of an order that a 1300 recalculates. */
const RECALCULATED = ['items', 'totals'];

/**
 * The newest 1300. Where a newer reading shows other items or totals than were published, theirs was lost, and the
 * reading stands for it: should it come after all, it is no newer.
 */
function recalculationIn(state: OrderState, published: PublishedState, parts: OrderParts): OrderFact | null {
  const { recalculation, payloadFact } = state;
  if (payloadFact === null || !changedParts(published, parts).some((name) => RECALCULATED.includes(name)))
    return recalculation;
  if (recalculation !== null && compareRecency(recalculation, payloadFact) > 0) return recalculation;
  return { ...payloadFact, status: VALUES_RECALCULATED };
}

/** A change of status and a recalculation that become known together are published in the order of their dates. */
function stepsOf(
  state: OrderState,
  statusFact: OrderFact,
  published: PublishedState,
  heldStatus: number | null,
): Step[] {
  const steps: Step[] = [];
  if (statusFact.status !== published.status && statusFact.status !== heldStatus)
    steps.push({ kind: 'status', fact: statusFact });
  if (isNewRecalculation(published, state.recalculation))
    steps.push({ kind: 'recalculation', fact: state.recalculation });
  steps.sort((a, b) => compareRecency(a.fact, b.fact));
  return steps.length > 0 || state.valuesFact === null ? steps : [{ kind: 'values', fact: state.valuesFact }];
}

function typeOf(step: Step): OrderEventType {
  if (step.kind === 'values') return 'OrderChanged';
  return orderStatusEvent(step.fact.status ?? 0) ?? 'OrderChanged';
}

function eventOf(
  type: OrderEventType,
  published: PublishedState,
  previousStatus: number | null,
  changes: readonly string[],
  fact: OrderFact,
): PendingEvent {
  const status = published.status ?? PAYMENT_APPROVED;
  return {
    type,
    revision: published.revision,
    previousStatus,
    status,
    changes,
    hold: status === CANCELLATION_ANALYSIS,
    cause: { kind: fact.source === 'read' ? 'recovered' : 'platform' },
    traceparent: fact.traceparent,
  };
}
