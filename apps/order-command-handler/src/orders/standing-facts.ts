import { type OrderFact, newest, ORDER_UPDATED, PAYLOAD_READ } from '../notifications/order-fact.ts';

/** Which of an order's facts a step loads: those that came after `upTo`, and of the others these. */
export interface FoldedFacts {
  /** Id of a fact; `0` for none. */
  readonly upTo: string;
  readonly ids: readonly string[];
}

export const NOTHING_FOLDED: FoldedFacts = { upTo: '0', ids: [] };

/** Facts that a step may load beside those that stand, before they are folded away. */
const MOST_UNFOLDED = 16;

/**
 * The facts that say all of a set: of each kind that `foldFacts` tells apart the newest one. With whatever comes later
 * they give the same state as all of them would, so that a step loads a handful, however many there are.
 */
export function standingFacts(facts: readonly OrderFact[]): OrderFact[] {
  const said = facts.filter(({ failure }) => !failure);
  return [...Map.groupBy(said, kindOf).values()].flatMap((alike) => newest(alike) ?? []);
}

/**
 * What the next steps load, after one that saw `facts`; `known` itself while little would be won. Facts that came after
 * a marker of an open command are left: its outcome is looked for among them.
 */
export function foldedFacts(
  known: FoldedFacts,
  facts: readonly OrderFact[],
  markers: ReadonlyArray<{ readonly seenFactId: string }>,
): FoldedFacts {
  const ends = [...facts.map(({ id }) => BigInt(id)), ...markers.map(({ seenFactId }) => BigInt(seenFactId))];
  const newestId = ends.slice(0, facts.length).reduce(maxOf, BigInt(known.upTo));
  const upTo = ends.slice(facts.length).reduce(minOf, newestId);
  const added = facts.filter(({ id }) => BigInt(id) > BigInt(known.upTo) && BigInt(id) <= upTo);
  if (added.length < MOST_UNFOLDED) return known;
  const standing = standingFacts(facts.filter(({ id }) => BigInt(id) <= upTo));
  return { upTo: String(upTo), ids: standing.map(({ id }) => id) };
}

function kindOf({ source, eventType, hasItems, orderId, status }: OrderFact): string {
  const isUpdate = eventType === ORDER_UPDATED;
  const isPayload = eventType === PAYLOAD_READ;
  return [source, isUpdate, isPayload, hasItems, orderId !== null, status].join('/');
}

function maxOf(a: bigint, b: bigint): bigint {
  return a > b ? a : b;
}

function minOf(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}
