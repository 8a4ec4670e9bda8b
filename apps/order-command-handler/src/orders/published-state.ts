import { type OrderFact, type Recency, compareRecency } from '../facts/order-fact.ts';
import { hash } from 'node:crypto';
import type { Attention } from './order-event.ts';
import type { OrderState } from '../facts/order-state.ts';
import type { OrderValues } from '../facts/order-values.ts';

/**
 * Published state of an order. The next events are the difference between the view and this state (rule 10).
 */
export interface PublishedState {
  /** The last revision; 0 before the first event. */
  readonly revision: number;
  /**
   * The last status published by an event or a command's result; null before the order was created in the ERP.
   */
  readonly status: number | null;
  /**
   * Short hash of each part of the published values, by its name in `order`; null before the first event and after an
   * erasure.
   */
  readonly parts: OrderParts | null;
  /** The newest 1300 that was published, or known at the creation of the order. */
  readonly recalculation: Recency | null;
  /** Keys of the SKUs that were unknown when the order was published (rule 11). */
  readonly awaitedSkus: readonly string[];
  /** Published attention whose reason lasts. */
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

/**
 * State after a command's result published the status that it set: no event, no revision (rule 10). A status that is
 * no longer newer than the published one changes nothing: it would be published again. The published one counts from
 * its first fact: a later one may be the return from the command's status, which is an event (`OrderReopened`).
 */
export function confirmStatus(
  published: PublishedState,
  status: number | null,
  state: Pick<OrderState, 'facts'> | null,
): PublishedState {
  if (status === null || published.status === null || published.status === status) return published;
  const datesOf = (wanted: number) =>
    (state?.facts ?? []).filter((fact) => !fact.failure && fact.status === wanted).toSorted(compareRecency);
  const [own, firstPublished] = [datesOf(status).at(-1), datesOf(published.status)[0]];
  const isOlder = own !== undefined && firstPublished !== undefined && compareRecency(own, firstPublished) < 0;
  return isOlder ? published : { ...published, status };
}

/**
 * Names of the parts that differ from the published ones. A part without a published hash was added by a newer
 * version and is no change of the order.
 */
export function changedParts({ parts: known }: PublishedState, parts: OrderParts): string[] {
  const names = Object.keys(parts).filter((name) => known === null || Object.hasOwn(known, name));
  return names.filter((name) => parts[name] !== known?.[name]);
}

export function isNewRecalculation(
  published: PublishedState,
  recalculation: OrderFact | null,
): recalculation is OrderFact {
  if (recalculation === null) return false;
  return published.recalculation === null || compareRecency(recalculation, published.recalculation) > 0;
}

/** Stored form of a published 1300. */
export function recencyOf(fact: OrderFact): Recency {
  return { ticks: fact.ticks, status: fact.status, hash: fact.hash };
}

/**
 * Short hashes of the parts of an order's values, by which changes are detected. `updatedAt` is left out: an order
 * that the platform touched without a change for the ERP causes no event, and the echo of a command differs in
 * nothing else (rule 10). Of the seller only the code counts: a shop's new phone changes no order.
 */
export function partsOf(order: OrderValues): OrderParts {
  const { orderNumber: _identity, updatedAt: _touched, seller, ...others } = order;
  const parts = { ...others, seller: { sellerCode: seller.sellerCode } };
  return Object.fromEntries(
    Object.entries(parts).map(([name, part]) => [name, part === null ? HASH_OF_NULL : shortHash(part)]),
  );
}

function shortHash(part: unknown): string {
  return hash('sha256', JSON.stringify(part)).slice(0, 16);
}

/** Most orders have no coupon, no gift card and no further parts. */
const HASH_OF_NULL = shortHash(null);
