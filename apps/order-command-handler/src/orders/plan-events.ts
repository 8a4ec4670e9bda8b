import type { OrderEventType } from '@gondola/shared/orders/order-event.dto';
import type { Attention, PendingEvent } from './order-event.ts';
import {
  CANCELLATION_ANALYSIS,
  isReturn,
  NOT_TO_BE_CREATED,
  orderStatusEvent,
  PAYMENT_APPROVED,
  VALUES_RECALCULATED,
} from '@gondola/shared/orders/order-statuses';
import { type OrderFact, compareRecency, newest } from '../facts/order-fact.ts';
import { type OrderState, statusOf } from '../facts/order-state.ts';
import {
  type OrderParts,
  type PublishedState,
  changedParts,
  isNewRecalculation,
  recencyOf,
} from './published-state.ts';

/** Relation of the order's open commands to its facts. */
export interface OwnCommands {
  /** A status that an open command has reached and whose result will publish it; null for none. */
  readonly heldStatus: number | null;
  /** Id of the command that caused a fact; null for none. */
  readonly commandOf: (fact: OrderFact) => string | null;
}

const NO_OWN_COMMANDS: OwnCommands = { heldStatus: null, commandOf: () => null };

/** Input of an order's events beside its facts. */
export interface EventContext {
  readonly own?: OwnCommands;
  readonly attention?: readonly Attention[];
  /** SKUs of the order's items that are unknown now; called only if an event depends on them. */
  readonly awaitedSkus?: () => readonly string[];
}

export interface EventPlan {
  readonly published: PublishedState;
  readonly events: readonly PendingEvent[];
}

/**
 * Plans the events to publish: the difference between the view and the published state (rule 10), with revisions.
 * `parts` are the hashes of the order's values.
 *
 *            300 or a release in the set, status none of 750 800 1000 1100 1200
 *   not created ───────────────────────────────────────────────────────► created ──┐ another status: its event
 *       │  ▲                               OrderApproved                    ▲      │ an earlier one: OrderReopened
 *       │  │                                                                │      │ a newer 1300: ItemsRecalculated
 *       └──┘ everything else: no event, the facts stay (rule 7)             └──────┘ other values: OrderChanged
 *
 *   created or not, an attention that is new: OrderNeedsAttention (rule 8)
 */
export function planEvents(
  state: OrderState,
  published: PublishedState,
  parts: OrderParts,
  { own = NO_OWN_COMMANDS, attention = [], awaitedSkus = () => [] }: EventContext = {},
): EventPlan {
  const plan =
    published.status === null
      ? planCreation(state, published, { parts, awaitedSkus })
      : planDifference(state, { before: published, parts, awaitedSkus }, own);
  const fact = state.statusFact ?? state.valuesFact ?? state.payloadFact;
  return fact === null ? plan : withAttention(plan, fact, attention);
}

interface ShownValues {
  readonly parts: OrderParts;
  readonly awaitedSkus: () => readonly string[];
}

function planCreation(state: OrderState, published: PublishedState, shown: ShownValues): EventPlan {
  const fact = state.release ?? readPayment(state) ?? state.statusFact;
  return fact !== null && mayBeCreated(state) ? approve(state, fact, published, shown) : { published, events: [] };
}

/** The 300 that authorizes the order, if only reads showed one. */
function readPayment({ facts }: OrderState): OrderFact | null {
  const payments = facts.filter(({ failure, status }) => !failure && status === PAYMENT_APPROVED);
  return payments.some(({ source }) => source !== 'read') ? null : newest(payments);
}

/** Rules 7, 8: a 300 or a release creates an order, unless it is cancelled, returned or refunded. */
function mayBeCreated(state: OrderState): boolean {
  return state.paid && !NOT_TO_BE_CREATED.has(statusOf(state) ?? PAYMENT_APPROVED);
}

/** An order that is released without any status is approved: the release stands in for its 300 (rule 8). */
function approve(state: OrderState, fact: OrderFact, before: PublishedState, shown: ShownValues): EventPlan {
  const status = statusOf(state) ?? PAYMENT_APPROVED;
  const published: PublishedState = {
    revision: before.revision + 1,
    status,
    parts: shown.parts,
    awaitedSkus: shown.awaitedSkus(),
    recalculation: state.recalculation === null ? null : recencyOf(state.recalculation),
    attention: before.attention,
  };
  const event = eventOf('OrderApproved', published, null, ['status'], fact);
  return { published, events: [event] };
}

/**
 * Publishes an attention once while its reason lasts; its end is no event. An order of which only recalculations are
 * known has no status to show but their 1300.
 */
function withAttention(
  { published, events }: EventPlan,
  newestFact: OrderFact,
  attention: readonly Attention[],
): EventPlan {
  const known = new Set(published.attention.map(({ code }) => code));
  const added = attention.filter(({ code }) => !known.has(code));
  if (added.length === 0 && attention.length === known.size) return { published, events };
  const status = published.status ?? newestFact.status ?? VALUES_RECALCULATED;
  const asked = added.map((each, index): PendingEvent => {
    const revision = published.revision + index + 1;
    const event = eventOf('OrderNeedsAttention', { ...published, revision, status }, published.status, [], newestFact);
    return { ...event, attention: each };
  });
  const revision = published.revision + added.length;
  return { published: { ...published, revision, attention }, events: [...events, ...asked] };
}

function planDifference(
  state: OrderState,
  { before: known, parts, awaitedSkus }: ShownValues & { before: PublishedState },
  own: OwnCommands,
): EventPlan {
  // The values of an erased order count as published: their erasure is no change for the ERP.
  const before = known.parts === null ? { ...known, parts } : known;
  let published = before;
  const awaited = lazily(awaitedSkus);
  const events: PendingEvent[] = [];
  const recalculation = recalculationIn(state, before, parts);
  for (const step of stepsOf({ ...state, recalculation }, before, own.heldStatus)) {
    const changes = withKnownSkus(changedParts(published, parts), published, awaited);
    if (step.kind === 'values' && changes.length === 0) continue;
    const previous = published.status;
    published = {
      revision: published.revision + 1,
      status: step.kind === 'status' ? step.fact.status : published.status,
      parts,
      awaitedSkus: awaited(),
      recalculation: step.kind === 'recalculation' ? recencyOf(step.fact) : published.recalculation,
      attention: published.attention,
    };
    const type = typeOf(step, previous);
    const all = step.kind === 'status' ? ['status', ...changes] : changes;
    const commandId = step.kind === 'values' ? null : own.commandOf(step.fact);
    const one = eventOf(type, published, previous, all, step.fact);
    events.push(commandId === null ? one : { ...one, cause: { kind: 'command', commandId } });
  }
  return { published, events };
}

/** Calls `make` at most once. */
function lazily<T extends object>(make: () => T): () => T {
  let made: T | null = null;
  return () => (made ??= make());
}

/** Items with newly known SKUs count as changed, although the platform changed nothing (rule 11). */
function withKnownSkus(changes: string[], published: PublishedState, awaited: () => readonly string[]): string[] {
  const isKnown = published.awaitedSkus.length > 0 && !new Set(awaited()).isSupersetOf(new Set(published.awaitedSkus));
  return isKnown && !changes.includes('items') ? [...changes, 'items'] : changes;
}

interface Step {
  readonly kind: 'status' | 'recalculation' | 'values';
  readonly fact: OrderFact;
}

/** Parts of an order that a 1300 recalculates. */
const RECALCULATED = ['items', 'totals'];

/**
 * The newest 1300. If a newer read shows unpublished items or totals, their 1300 was lost and the read replaces it;
 * the 1300 is not newer than the read if it still arrives.
 */
function recalculationIn(state: OrderState, published: PublishedState, parts: OrderParts): OrderFact | null {
  const { recalculation, payloadFact } = state;
  if (payloadFact === null || !changedParts(published, parts).some((name) => RECALCULATED.includes(name)))
    return recalculation;
  if (recalculation !== null && compareRecency(recalculation, payloadFact) > 0) return recalculation;
  return { ...payloadFact, status: VALUES_RECALCULATED };
}

/** Orders a change of status and a recalculation of the same step by their dates. */
function stepsOf(state: OrderState, published: PublishedState, heldStatus: number | null): Step[] {
  const steps: Step[] = [];
  const { statusFact } = state;
  if (statusFact !== null && statusFact.status !== published.status && statusFact.status !== heldStatus)
    steps.push({ kind: 'status', fact: statusFact });
  if (isNewRecalculation(published, state.recalculation))
    steps.push({ kind: 'recalculation', fact: state.recalculation });
  steps.sort((a, b) => compareRecency(a.fact, b.fact));
  const values = state.valuesFact ?? state.payloadFact;
  return steps.length > 0 || values === null ? steps : [{ kind: 'values', fact: values }];
}

/** A return to an earlier status lets an ERP go on from there, whatever it did before. */
function typeOf(step: Step, previous: number | null): OrderEventType {
  if (step.kind === 'values') return 'OrderChanged';
  if (step.kind === 'status' && isReturn(previous ?? 0, step.fact.status ?? 0)) return 'OrderReopened';
  return orderStatusEvent(step.fact.status ?? 0) ?? 'OrderChanged';
}

/** Cause of an event without a command, by the source of its fact. */
const CAUSES = { notification: 'platform', read: 'recovered', release: 'released' } as const;

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
    attention: null,
    cause: { kind: CAUSES[fact.source] },
    traceparent: fact.traceparent,
  };
}
