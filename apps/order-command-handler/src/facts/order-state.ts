import {
  naturalRank,
  ORDER_INVOICED,
  PAYMENT_APPROVED,
  VALUES_RECALCULATED,
} from '@gondola/shared/orders/order-statuses';
import { type OrderFact, ORDER_UPDATED, PAYLOAD_READ, compareRecency, newest, isStoredAfter } from './order-fact.ts';

/**
 * The view of an order: a pure function of the *set* of its facts (guarantee 4). Arrival order, repeats and delays do
 * not change it; `order-state.unit.spec.ts` proves that with permutations and duplicates.
 */
export interface OrderState {
  readonly facts: readonly OrderFact[];
  /** Fact of the newest status except 1300 (rule 9); null while only values or refusals are known. */
  readonly statusFact: OrderFact | null;
  /** The newest fact with the whole order. */
  readonly valuesFact: OrderFact | null;
  /** The newest read of the payload, if its date is newer than that of `valuesFact`: its values count (rules 9, 18). */
  readonly payloadFact: OrderFact | null;
  /** The newest notification of a 1300: items and values were recalculated, the status stayed. */
  readonly recalculation: OrderFact | null;
  /** True if the set has a 300 or a release, which authorize creating the order in the ERP (rules 7, 8). */
  readonly paid: boolean;
  /** The release, if it replaces a missing 300 (rule 8). */
  readonly release: OrderFact | null;
  /** The platform's GUID of the order. */
  readonly orderId: string | null;
}

/** Folds facts into the state of an order; null if no fact has a status, and no payload was read. */
export function foldFacts(facts: readonly OrderFact[]): OrderState | null {
  const states = statesOf(facts);
  const read = newest(facts.filter(({ eventType }) => eventType === PAYLOAD_READ));
  if (states.length === 0 && read === null) return null;
  const valuesFact = newestValues(states);
  const isApproved = states.some((fact) => fact.status === PAYMENT_APPROVED);
  const release = isApproved ? null : newest(facts.filter(({ source }) => source === 'release'));
  return {
    facts,
    statusFact: newest(states.filter((fact) => fact.status !== VALUES_RECALCULATED)),
    valuesFact,
    payloadFact: newerThan(valuesFact, read),
    recalculation: newest(states.filter((fact) => fact.status === VALUES_RECALCULATED)),
    paid: isApproved || release !== null,
    release,
    orderId: newest(facts.filter((fact) => !fact.failure && fact.orderId !== null))?.orderId ?? null,
  };
}

/** The current status code; null for none. */
export function statusOf(state: OrderState): number | null {
  return state.statusFact?.status ?? null;
}

export function wasInvoiced(state: OrderState | null): boolean {
  return state?.facts.some(isInvoiced) === true;
}

/** True if the fact is a 350, and not a failure event. */
export function isInvoiced({ failure, status }: OrderFact): boolean {
  return !failure && status === ORDER_INVOICED;
}

/**
 * Facts that determine the state. Facts before a payment do not count (rule 7): a refused payment attempt never
 * reverts a paid order, whatever their dates. They count only while there are no others.
 */
function statesOf(facts: readonly OrderFact[]): OrderFact[] {
  const states = facts.filter((fact) => !fact.failure && hasStatus(fact));
  const afterPayment = states.filter((fact) => (fact.status ?? 0) >= PAYMENT_APPROVED);
  return afterPayment.length > 0 ? afterPayment : states;
}

/** A read that showed 1300 has no status; an earlier version stored it. */
function hasStatus({ source, status }: OrderFact): boolean {
  return status !== null && !(source === 'read' && status === VALUES_RECALCULATED);
}

/**
 * Fact of the newest `Order_Updated`. A whole order under an undocumented event name counts only without one.
 */
function newestValues(states: readonly OrderFact[]): OrderFact | null {
  const published = states.filter((fact) => fact.source === 'notification');
  const updates = published.filter((fact) => fact.eventType === ORDER_UPDATED);
  return withItems(newest(updates), updates) ?? newest(published.filter((fact) => fact.hasItems));
}

/** The fact, or, if its items did not come, one that tells the same state with them. */
function withItems(fact: OrderFact | null, all: readonly OrderFact[]): OrderFact | null {
  if (fact === null || fact.hasItems || fact.ticks === null) return fact;
  const { ticks, status } = fact;
  return newest(all.filter((each) => each.hasItems && each.ticks === ticks && each.status === status)) ?? fact;
}

/**
 * A payload of the same date and status has the same values, in whatever form its version writes them, and counts only
 * for a notification without its items.
 */
function newerThan(known: OrderFact | null, read: OrderFact | null): OrderFact | null {
  if (known === null || read === null || read.ticks !== known.ticks)
    return read === null || (known !== null && compareRecency(known, read) > 0) ? null : read;
  const isOneState = [known, read].some((fact) => !hasStatus(fact) || fact.status === VALUES_RECALCULATED);
  const ahead = isOneState ? 0 : naturalRank(read.status ?? 0) - naturalRank(known.status ?? 0);
  return ahead > 0 || (ahead === 0 && !known.hasItems && known.ticks !== null) ? read : null;
}

/**
 * True if a notification that was received later differs from the newest reading and counts as older, or if its date or
 * its status is not understood, so that it says nothing beside the known status. A date may be right: the notification
 * was delayed. Or a clock was wrong, and the reading hides a later change. So one more read decides.
 */
export function isReadingDoubted({ facts, statusFact, payloadFact }: OrderState): boolean {
  return facts.some(
    (fact) =>
      fact.source === 'notification' &&
      !fact.failure &&
      (contradicts(fact, statusFact) ||
        (fact.status !== null && payloadFact !== null && isStoredAfter(fact, payloadFact.id))),
  );
}

/**
 * True if a 1300 without a date that is understood was received after the known values: they are recalculated, and what
 * they are now is not known.
 */
export function areValuesOutdated({ facts, valuesFact, payloadFact }: OrderState): boolean {
  if (valuesFact === null || valuesFact.ticks === null) return false;
  const known = [valuesFact, ...(payloadFact === null ? [] : [payloadFact])];
  return facts.some(
    (fact) =>
      fact.source === 'notification' &&
      !fact.failure &&
      fact.status === VALUES_RECALCULATED &&
      fact.ticks === null &&
      known.every(({ id }) => isStoredAfter(fact, id)),
  );
}

function contradicts(fact: OrderFact, known: OrderFact | null): boolean {
  if (known === null || fact.status === known.status || !isStoredAfter(fact, known.id)) return false;
  // Under another name, a notification need not have a status.
  if (fact.status === null) return fact.eventType === ORDER_UPDATED && !isOlder(fact, known);
  if (fact.ticks === null) return known.ticks !== null;
  return known.source === 'read' && fact.status !== VALUES_RECALCULATED;
}

function isOlder(one: OrderFact, other: OrderFact): boolean {
  return one.ticks !== null && other.ticks !== null && one.ticks < other.ticks;
}
