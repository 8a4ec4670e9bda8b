import { type OrderFact, newest, ORDER_UPDATED, PAYLOAD_READ } from './order-fact.ts';

/** Facts of an order that a step loads: all after `upTo`, and of the earlier ones only these. */
export interface FoldedFacts {
  /** Id of a fact; `0` for none. */
  readonly upTo: string;
  readonly ids: readonly string[];
}

export const NOTHING_FOLDED: FoldedFacts = { upTo: '0', ids: [] };

/** Most facts that a step loads beside the standing ones before they are folded. */
const MOST_UNFOLDED = 16;

/**
 * Selects the facts that determine the state: the newest of each kind that `foldFacts` distinguishes. Together with
 * any later facts they give the same state as the whole set, so that a step loads a handful of any number of facts.
 */
export function standingFacts(facts: readonly OrderFact[]): OrderFact[] {
  const said = facts.filter(({ failure }) => !failure);
  return [...Map.groupBy(said, kindOf).values()].flatMap((alike) => newest(alike) ?? []);
}

/**
 * Facts that the next steps load, after one that saw `facts`; `known` itself while the gain is small. Facts after the
 * marker of an open command are not folded: its outcome may be among them.
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
