import type { PickedLine } from '@gondola/shared/orders/picking-items';
import type { OrderItem } from '../facts/order-values.ts';
import type { KnownSku } from '../skus/match-skus.ts';
import { atLine, isOfOrder, missingLine, type NamedLine, namedReference } from './named-lines.ts';

/** An order as a picking finds it. */
export interface PickedOrder {
  /** Its lines, with their SKUs. */
  readonly lines: readonly OrderItem[];
  /** Known SKUs of the order and of the command. */
  readonly skus: readonly KnownSku[];
  /** True if an item may have been weighed already: its weight is in no payload. */
  readonly mayBeWeighed: boolean;
}

/** A line of a SKU, and what the picking says of it. */
interface SkuLine {
  readonly line: OrderItem;
  /** Null if the picking leaves the line out. */
  readonly entry: PickedLine | null;
  /** False if the line's SKU is unknown, and may be this one. */
  readonly isCertain: boolean;
}

/** All of an order and its picking that the platform may know under one SKU. */
export interface SkuLines {
  /** In the order's order. */
  readonly lines: readonly SkuLine[];
  /** Substitutes and additions, in the ERP's order. */
  readonly added: readonly PickedLine[];
}

/** The lines and additions of each SKU that a picking names. */
export function linesOfSkus(named: readonly NamedLine[], order: PickedOrder): ReadonlyMap<string, SkuLines> {
  const entries = entriesOf(named);
  const references = new Map(
    named.flatMap(({ entry, line }) => (line === null ? [] : [[line, namedReference(entry)] as const])),
  );
  const byReference = Map.groupBy(order.lines, (line) => references.get(line) ?? line.skuExternalReference);
  const added = Map.groupBy(
    named.flatMap(({ entry }) => (isOfOrder(entry) ? [] : atLine(entry, null))),
    ({ skuExternalReference }) => skuExternalReference,
  );
  const wanted = [...new Set([...references.values(), ...added.keys()])].filter((reference) => reference !== null);
  const known = Map.groupBy(order.skus, ({ skuExternalReference }) => skuExternalReference);
  const mayBe = unknownLines(byReference.get(null) ?? []);
  // A SKU that only the ERP knows has the identity of the lines that it names so.
  const unknown = wanted.map((reference) => {
    const same = (byReference.get(reference) ?? []).filter((line) => line.skuExternalReference === null);
    return mayBe(known.get(reference) ?? [], same);
  });
  const uses = Map.groupBy(
    unknown.flatMap((found) => [...found.keys()]),
    (line) => line,
  );
  return new Map(
    wanted.map((reference, index) => {
      const certain = (byReference.get(reference) ?? []).map((line) => ({ line, isCertain: true }));
      const others = [...(unknown[index] ?? [])].map(([line, isIt]) => {
        return { line, isCertain: isIt && uses.get(line)?.length === 1 };
      });
      const lines = [...certain, ...others]
        .toSorted((one, other) => one.line.line - other.line.line)
        .map((each) => ({ ...each, entry: entries.get(each.line) ?? null }));
      return [reference, { lines, added: added.get(reference) ?? [] }];
    }),
  );
}

/** The entry of each line: its own, else as missing for its substitute. */
function entriesOf(named: readonly NamedLine[]): ReadonlyMap<OrderItem, PickedLine> {
  const said = new Map<OrderItem, PickedLine>();
  for (const { entry, line } of named) {
    const reference = namedReference(entry);
    if (line === null || reference === null) continue;
    if (isOfOrder(entry)) said.set(line, atLine(entry, line));
    else if (!said.has(line)) said.set(line, missingLine(reference, line));
  }
  return said;
}

type Identity = Pick<OrderItem, 'skuId' | 'reference' | 'ean'>;

/**
 * Finds lines without a known SKU that may be one, and whether they certainly are: by the GUID that they share with
 * another line, else by reference and EAN. A line that lacks all of these may be any.
 */
function unknownLines(lines: readonly OrderItem[]) {
  const byGuid = Map.groupBy(lines, ({ skuId }) => skuId || null);
  return (skus: readonly Identity[], same: readonly Identity[]): ReadonlyMap<OrderItem, boolean> => {
    const found = new Map<OrderItem, boolean>();
    for (const identity of [...skus, ...same]) {
      const guid = identity.skuId || null;
      const candidates = guid === null ? lines : [...(byGuid.get(guid) ?? []), ...(byGuid.get(null) ?? [])];
      for (const line of candidates) if (mayHave(line, identity)) found.set(line, found.get(line) ?? false);
    }
    // A GUID that the catalog has for several SKUs tells none of them.
    const guids = same.flatMap(({ skuId }) => skuId || []);
    const certain = guids.flatMap((guid) => (byGuid.get(guid) ?? []).filter(({ match }) => match === 'unknown'));
    return new Map([...found, ...certain.map((line) => [line, true] as const)]);
  };
}

/** Two texts that are there and differ exclude each other, unless the GUID is the same. */
function mayHave(line: OrderItem, { skuId, reference, ean }: Identity): boolean {
  if (line.skuId && line.skuId === skuId) return true;
  return [
    [line.reference, reference],
    [line.ean, ean],
  ].every(([one, other]) => !one || !other || one === other);
}
