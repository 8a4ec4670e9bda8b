import type { OrderItemView } from '@gondola/shared/orders/order-event';
import type { PickedLine } from '@gondola/shared/orders/picking-items';
import type { Problem } from '../commands/decision.ts';
import type { KnownSku } from '../skus/match-skus.ts';

/**
 * What is wrong with the SKUs of a `ReportPicking` by the order's lines and the catalog: nothing is guessed (rule 11).
 * What was ordered is named by its reference, and by its line where the reference occurs twice or the line's SKU is not
 * known; what comes new has to be in the catalog.
 */
export function pickingProblems(
  picked: readonly PickedLine[],
  lines: readonly OrderItemView[],
  skus: readonly KnownSku[],
): Problem[] {
  const known = new Set(skus.map(({ skuExternalReference }) => skuExternalReference));
  return picked.flatMap((each, index) => {
    const prefix = `items[${index}].`;
    const { skuExternalReference, substitutes, outcome, line } = each;
    const about = { skuExternalReference };
    if (outcome === 'picked' || outcome === 'missing') {
      return ordered(skuExternalReference, line, lines, { ...about, prefix, name: 'skuExternalReference' });
    }
    const problems = known.has(skuExternalReference)
      ? []
      : [{ ...about, code: 'SKU_UNKNOWN' as const, field: `${prefix}skuExternalReference` }];
    if (substitutes === null) return problems;
    return [...problems, ...ordered(substitutes, line, lines, { ...about, prefix, name: 'substitutes' })];
  });
}

function ordered(
  reference: string,
  line: number | null,
  lines: readonly OrderItemView[],
  { prefix, name, skuExternalReference }: { prefix: string; name: string; skuExternalReference: string },
): Problem[] {
  if (line !== null) {
    const named = lines.find((each) => each.line === line);
    const isIt = named !== undefined && (named.skuExternalReference ?? reference) === reference;
    return isIt ? [] : [{ code: 'SKU_UNKNOWN', field: `${prefix}line`, skuExternalReference }];
  }
  const found = lines.filter((each) => each.skuExternalReference === reference).length;
  if (found === 1) return [];
  if (found > 1) return [{ code: 'SKU_AMBIGUOUS', field: `${prefix}line`, skuExternalReference }];
  return [{ code: 'SKU_UNKNOWN', field: prefix + name, skuExternalReference }];
}
