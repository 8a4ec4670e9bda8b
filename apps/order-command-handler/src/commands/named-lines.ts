import type { PickedLine } from '@gondola/shared/orders/picking-items';
import type { ReasonParams } from '@gondola/shared/outcomes/reason-codes';
import type { OrderItem } from '../facts/order-values.ts';
import type { KnownSku } from '../skus/match-skus.ts';
import type { Problem } from './decision.ts';

/** An entry of a picking with the line of the order that it reports or replaces; null for an addition. */
export interface NamedLine {
  readonly entry: PickedLine;
  readonly line: OrderItem | null;
}

/** True for an entry about a line itself; the others bring a SKU that is to be added. */
export function isOfOrder({ outcome }: PickedLine): boolean {
  return outcome === 'picked' || outcome === 'missing';
}

/** The reference by which an entry names a line of the order; null for an addition. */
export function namedReference(entry: PickedLine): string | null {
  return isOfOrder(entry) ? entry.skuExternalReference : entry.substitutes;
}

/**
 * Finds the line of each entry of a `ReportPicking`, and mistakes in its SKUs, by the order's lines and the catalog,
 * without guessing (rule 11). An ordered item is named by its reference, or by its line if the reference occurs twice
 * or the line's SKU is unknown; a substitute must be in the catalog. No line is reported twice.
 */
export function nameLines(
  picked: readonly PickedLine[],
  lines: readonly OrderItem[],
  skus: readonly KnownSku[],
): { readonly named: readonly NamedLine[]; readonly problems: readonly Problem[] } {
  const known = new Set(skus.map(({ skuExternalReference }) => skuExternalReference));
  const find = lineFinder(lines);
  const reported = new Set<OrderItem>();
  const references = new Map<OrderItem, string>();
  const problems: Problem[] = [];
  const named = picked.map((entry, index): NamedLine => {
    const { skuExternalReference, substitutes } = entry;
    const prefix = `items[${index}].`;
    const wrong = (code: Problem['code'], field: string, given: string): void =>
      void problems.push({ code, field: prefix + field, skuExternalReference, params: quoted(given) });
    if (!isOfOrder(entry) && !known.has(skuExternalReference))
      wrong('SKU_UNKNOWN', 'skuExternalReference', skuExternalReference);
    const reference = namedReference(entry);
    if (reference === null) return { entry, line: null };
    if (substitutes === skuExternalReference && !isOfOrder(entry)) wrong('SKU_AMBIGUOUS', 'substitutes', substitutes);
    const found = find(reference, entry.line);
    if ('code' in found) {
      const ofReference = isOfOrder(entry) ? 'skuExternalReference' : 'substitutes';
      wrong(found.code, found.field === 'line' ? 'line' : ofReference, reference);
      return { entry, line: null };
    }
    const { line } = found;
    const isTwice = isOfOrder(entry) && reported.has(line);
    if (isTwice || (references.get(line) ?? reference) !== reference) wrong('SKU_AMBIGUOUS', 'line', reference);
    if (isOfOrder(entry)) reported.add(line);
    references.set(line, reference);
    return { entry, line };
  });
  return { named, problems: problems.length === 0 && isNothingPicked(named, lines) ? [NOTHING_PICKED] : problems };
}

const NOTHING_PICKED: Problem = { code: 'NOTHING_PICKED', field: 'items' };

/** True if every line of the order is missing: the order is to be cancelled instead. */
function isNothingPicked(named: readonly NamedLine[], lines: readonly OrderItem[]): boolean {
  if (lines.length === 0 || named.some(({ entry }) => entry.outcome !== 'missing')) return false;
  const missing = new Set(named.map(({ line }) => line));
  return lines.every((line) => missing.has(line));
}

type FoundLine =
  | { readonly line: OrderItem }
  | { readonly code: 'SKU_UNKNOWN' | 'SKU_AMBIGUOUS'; readonly field: 'line' | 'reference' };

function lineFinder(lines: readonly OrderItem[]): (reference: string, line: number | null) => FoundLine {
  const byNumber = new Map(lines.map((each) => [each.line, each]));
  const byReference = Map.groupBy(lines, ({ skuExternalReference }) => skuExternalReference);
  return (reference, line) => {
    if (line !== null) {
      const at = byNumber.get(line);
      const isIt = at !== undefined && (at.skuExternalReference ?? reference) === reference;
      return isIt ? { line: at } : { code: 'SKU_UNKNOWN', field: 'line' };
    }
    const [only, ...others] = byReference.get(reference) ?? [];
    if (only === undefined) return { code: 'SKU_UNKNOWN', field: 'reference' };
    return others.length > 0 ? { code: 'SKU_AMBIGUOUS', field: 'line' } : { line: only };
  };
}

/** Value of `{given}` in a reason. */
export function quoted(reference: string): ReasonParams {
  return { given: JSON.stringify(reference) };
}

/** An entry with the number of its line; null for an addition, which has none yet. */
export function atLine(entry: PickedLine, line: OrderItem | null): PickedLine {
  return { ...entry, line: line?.line ?? null };
}

export function missingLine(skuExternalReference: string, { line }: OrderItem): PickedLine {
  const nothing = { substitutes: null, quantity: null, unitPrice: null, total: null };
  return { ...nothing, skuExternalReference, line, outcome: 'missing' };
}
