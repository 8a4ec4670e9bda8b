import type { OrderEventType } from '@gondola/shared/dto/order-event.dto';
import type { Attention, OrderEventCause } from './order-event.ts';
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
  readonly attention: Attention | null;
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

/** What the events of an order depend on beside its facts. */
export interface EventContext {
  readonly own?: OwnCommands;
  /** What the order needs somebody for now. */
  readonly attention?: readonly Attention[];
  /** The SKUs of its items that are not known now; asked for only where an event may depend on it. */
  readonly awaitedSkus?: () => readonly string[];
}

export interface EventPlan {
  readonly published: PublishedState;
  readonly events: readonly PendingEvent[];
}

/**
 * What is to be published now: the difference between the view and the published state (rule 10), as events with their
 * revisions. `parts` are the hashes of its values.
 *
 *            300 or a release in the set, status none of 750 800 1000 1100 1200
 *   not created ───────────────────────────────────────────────────────► created ──┐ another status: its event
 *       │  ▲                               OrderApproved                    ▲      │ a newer 1300: ItemsRecalculated
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
  const { statusFact } = state;
  if (statusOf(state) === null || statusFact === null) return { published, events: [] };
  const plan =
    published.status === null
      ? planCreation(state, statusFact, published, { parts, awaitedSkus })
      : planDifference(state, { statusFact, before: published, parts, awaitedSkus }, own);
  return withAttention(plan, statusFact, attention);
}

/** What an event shows of the order's values. */
interface ShownValues {
  readonly parts: OrderParts;
  readonly awaitedSkus: () => readonly string[];
}

function planCreation(
  state: OrderState,
  statusFact: OrderFact,
  published: PublishedState,
  shown: ShownValues,
): EventPlan {
  const isCreated = mayBeCreated(state, statusFact.status ?? 0);
  return isCreated ? approve(state, statusFact, published, shown) : { published, events: [] };
}

/** Rules 7, 8: a 300 or a release creates an order, and none is created while it is cancelled, returned or refunded. */
function mayBeCreated(state: OrderState, status: number): boolean {
  return state.paid && !NOT_TO_BE_CREATED.has(status);
}

function approve(state: OrderState, statusFact: OrderFact, before: PublishedState, shown: ShownValues): EventPlan {
  const status = statusFact.status ?? PAYMENT_APPROVED;
  const published: PublishedState = {
    revision: before.revision + 1,
    status,
    parts: shown.parts,
    awaitedSkus: shown.awaitedSkus(),
    recalculation: state.recalculation === null ? null : recencyOf(state.recalculation),
    attention: before.attention,
  };
  const event = eventOf('OrderApproved', published, null, ['status'], state.release ?? statusFact);
  return { published, events: [event] };
}

/** An attention is published once, for as long as its reason lasts; that it is over needs no event. */
function withAttention(
  { published, events }: EventPlan,
  statusFact: OrderFact,
  attention: readonly Attention[],
): EventPlan {
  const known = new Set(published.attention.map(({ code }) => code));
  const added = attention.filter(({ code }) => !known.has(code));
  if (added.length === 0 && attention.length === known.size) return { published, events };
  const status = published.status ?? statusFact.status ?? PAYMENT_APPROVED;
  const asked = added.map((each, index): PendingEvent => {
    const revision = published.revision + index + 1;
    const event = eventOf('OrderNeedsAttention', { ...published, revision, status }, published.status, [], statusFact);
    return { ...event, attention: each };
  });
  const revision = published.revision + added.length;
  return { published: { ...published, revision, attention }, events: [...events, ...asked] };
}

function planDifference(
  state: OrderState,
  { statusFact, before: known, parts, awaitedSkus }: ShownValues & { statusFact: OrderFact; before: PublishedState },
  own: OwnCommands,
): EventPlan {
  // The values of an erased order count as published: that they are gone is no change that the ERP hears of.
  const before = known.parts === null ? { ...known, parts } : known;
  let published = before;
  const awaited = lazily(awaitedSkus);
  const events: PendingEvent[] = [];
  const recalculation = recalculationIn(state, before, parts);
  for (const step of stepsOf({ ...state, recalculation }, statusFact, before, own.heldStatus)) {
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
    const type = typeOf(step);
    const all = step.kind === 'status' ? ['status', ...changes] : changes;
    const commandId = step.kind === 'values' ? null : own.commandOf(step.fact);
    const one = eventOf(type, published, previous, all, step.fact);
    events.push(commandId === null ? one : { ...one, cause: { kind: 'command', commandId } });
  }
  return { published, events };
}

/** The same, worked out at most once. */
function lazily<T extends object>(make: () => T): () => T {
  let made: T | null = null;
  return () => (made ??= make());
}

/** Items whose SKUs became known are changed items, although the platform changed nothing (rule 11). */
function withKnownSkus(changes: string[], published: PublishedState, awaited: () => readonly string[]): string[] {
  const isKnown = published.awaitedSkus.some((key) => !awaited().includes(key));
  return isKnown && !changes.includes('items') ? [...changes, 'items'] : changes;
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
  const values = state.valuesFact ?? state.payloadFact;
  return steps.length > 0 || values === null ? steps : [{ kind: 'values', fact: values }];
}

function typeOf(step: Step): OrderEventType {
  if (step.kind === 'values') return 'OrderChanged';
  return orderStatusEvent(step.fact.status ?? 0) ?? 'OrderChanged';
}

/** What brought an event about that no own command did. */
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
