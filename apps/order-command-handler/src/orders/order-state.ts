import { PAYMENT_APPROVED, VALUES_RECALCULATED } from '@gondola/shared/orders/order-statuses';
import { type OrderFact, ORDER_UPDATED, PAYLOAD_READ, compareRecency, newest } from '../notifications/order-fact.ts';

/**
 * What is known about an order, its view in the words of the design: a pure function of the *set* of its facts
 * (guarantee 4). Arrival order, repeats and delays change nothing; `order-state.unit.spec.ts` holds that with
 * permutations and duplicates.
 */
export interface OrderState {
  readonly facts: readonly OrderFact[];
  /** The newest status that is one (rule 9); null while only values or refusals are known. */
  readonly statusFact: OrderFact | null;
  /** The newest fact that carries the whole order. */
  readonly valuesFact: OrderFact | null;
  /**
   * The newest reading of the payload, if it is newer than that: what it says of the final price holds (rules 9, 18).
   */
  readonly payloadFact: OrderFact | null;
  /** The newest 1300: items and values were recalculated, the status stayed. */
  readonly recalculation: OrderFact | null;
  /** A 300 or a release is in the set: what authorises creating the order in the ERP (rules 7, 8). */
  readonly paid: boolean;
  /** The ERP's release, where it stands in for a 300 that never came (rule 8). */
  readonly release: OrderFact | null;
  /** The platform's GUID of the order. */
  readonly orderId: string | null;
}

/** The state of an order; null while none of its facts has one, whatever was refused about its number. */
export function foldFacts(facts: readonly OrderFact[]): OrderState | null {
  const states = statesOf(facts);
  if (states.length === 0) return null;
  const valuesFact = newestValues(states);
  const isApproved = states.some((fact) => fact.status === PAYMENT_APPROVED);
  const release = isApproved ? null : newest(facts.filter(({ source }) => source === 'release'));
  return {
    facts,
    statusFact: newest(states.filter((fact) => fact.status !== VALUES_RECALCULATED)),
    valuesFact,
    payloadFact: newerThan(valuesFact, newest(facts.filter(({ eventType }) => eventType === PAYLOAD_READ))),
    recalculation: newest(states.filter((fact) => fact.status === VALUES_RECALCULATED)),
    paid: isApproved || release !== null,
    release,
    orderId: newest(facts.filter((fact) => !fact.failure && fact.orderId !== null))?.orderId ?? null,
  };
}

/** The current status code; null while there is none. */
export function statusOf(state: OrderState): number | null {
  return state.statusFact?.status ?? null;
}

/**
 * The facts that count. What comes before a payment does nothing (rule 7): a refused attempt never takes an order back
 * that was paid, in whichever order the two are dated. It counts only while there is nothing else.
 */
function statesOf(facts: readonly OrderFact[]): OrderFact[] {
  const states = facts.filter((fact) => !fact.failure && fact.status !== null);
  const afterPayment = states.filter((fact) => (fact.status ?? 0) >= PAYMENT_APPROVED);
  return afterPayment.length > 0 ? afterPayment : states;
}

/**
 * Values are those of the newest `Order_Updated`. An undocumented name that carries a whole order stands in only while
 * there is none.
 */
function newestValues(states: readonly OrderFact[]): OrderFact | null {
  const published = states.filter((fact) => fact.source === 'notification');
  return (
    newest(published.filter((fact) => fact.eventType === ORDER_UPDATED)) ??
    newest(published.filter((fact) => fact.hasItems))
  );
}

function newerThan(known: OrderFact | null, read: OrderFact | null): OrderFact | null {
  return read === null || (known !== null && compareRecency(known, read) > 0) ? null : read;
}
