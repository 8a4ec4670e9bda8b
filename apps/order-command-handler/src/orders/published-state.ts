import { type OrderFact, type Recency, compareRecency } from '../notifications/order-fact.ts';
import { createHash } from 'node:crypto';
import type { Attention } from './order-event.ts';
import type { OrderValues } from '../values/order-values.ts';

/**
 * What was published of an order so far. The next events are the difference between the state and this (rule 10).
 */
export interface PublishedState {
  /** The last revision; 0 before the first event. */
  readonly revision: number;
  /**
   * The last published status, by an event or by the result of an own command; null while the order was not created in
   * the ERP.
   */
  readonly status: number | null;
  /**
   * A short hash of each part of the published values, by its name in `order`; null while there are none, or once they
   * were erased.
   */
  readonly parts: OrderParts | null;
  /** The newest 1300 that was published, or that was known when the order was created. */
  readonly recalculation: Recency | null;
  /** The SKUs that were not known when the order was published, by what they are looked up by (rule 11). */
  readonly awaitedSkus: readonly string[];
  /** What the order needs somebody for, as published and not over yet. */
  readonly attention: readonly Attention[];
}

/** Name of a part of `order` → hash of its content. */
export type OrderParts = Readonly<Record<string, string>>;

export const NOTHING_PUBLISHED: PublishedState = {
  revision: 0,
  status: null,
  parts: null,
  recalculation: null,
  awaitedSkus: [],
  attention: [],
};

/** An own command set the status: its result publishes it, no event does, and no revision is used (rule 10). */
export function confirmStatus(published: PublishedState, status: number): PublishedState {
  return published.status === null ? published : { ...published, status };
}

/**
 * The names of the parts that differ from what was published. A part that was not among them was read by a newer
 * version for the first time, and is no change of the order.
 */
export function changedParts({ parts: known }: PublishedState, parts: OrderParts): string[] {
  const names = Object.keys(parts).filter((name) => known === null || Object.hasOwn(known, name));
  return names.filter((name) => parts[name] !== known?.[name]);
}

/** Whether the newest 1300 is one that was not published yet. */
export function isNewRecalculation(
  published: PublishedState,
  recalculation: OrderFact | null,
): recalculation is OrderFact {
  if (recalculation === null) return false;
  return published.recalculation === null || compareRecency(recalculation, published.recalculation) > 0;
}

/** What is stored of a 1300 that was published. */
export function recencyOf(fact: OrderFact): Recency {
  return { ticks: fact.ticks, status: fact.status, hash: fact.hash };
}

/**
 * The parts of an order's values by which a change is found, each as a short hash. `updatedAt` is none of them: that
 * the platform touched an order without changing anything the ERP sees is no event, and the echo of an own command
 * differs in nothing else (rule 10). Of the seller the code alone counts: that a shop has a new phone changes no order.
 */
export function partsOf(order: OrderValues): OrderParts {
  const { orderNumber: _identity, updatedAt: _touched, seller, ...others } = order;
  const parts = { ...others, seller: { sellerCode: seller.sellerCode } };
  return Object.fromEntries(Object.entries(parts).map(([name, part]) => [name, shortHash(part)]));
}

function shortHash(part: unknown): string {
  return createHash('sha256').update(JSON.stringify(part)).digest('hex').slice(0, 16);
}
