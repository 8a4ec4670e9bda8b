import { isIdentityText } from '@gondola/shared/topics/identities';
import { type JsonRecord, type JsonValue, isPlainRecord } from '@gondola/shared/json/json-digits';
import { lineOf } from '@gondola/shared/orders/picked-item-errors';
import type { PickedLine, PickingOutcome } from '@gondola/shared/orders/picking-items';
import type { ReasonParams } from '@gondola/shared/outcomes/reason-codes';
import { type UnitName, unitFrom } from '@gondola/shared/units-and-money/units';
import type { OrderItem } from '../facts/order-values.ts';
import type { Problem } from './decision.ts';
import type { KnownSku } from '../skus/match-skus.ts';

/** The items of a `ReportPicking` (contract, "Order commands"). */

type TenantUnits = Readonly<Record<string, UnitName>>;

export function pickedLines(items: readonly JsonRecord[], units: TenantUnits): PickedLine[] {
  return items.map((item) => ({
    skuExternalReference: isIdentityText(item['skuExternalReference']) ? item['skuExternalReference'] : '',
    line: lineOf(item),
    outcome: item['outcome'] as PickingOutcome,
    substitutes: typeof item['substitutes'] === 'string' ? item['substitutes'] : null,
    quantity: quantityOf(item['quantity'], units),
    unitPrice: item['unitPrice'] ?? null,
    total: item['total'] ?? null,
  }));
}

function quantityOf(quantity: JsonValue | undefined, units: TenantUnits): PickedLine['quantity'] {
  if (!isPlainRecord(quantity)) return null;
  const unit = unitFrom(quantity['unit'], units);
  return unit === null ? null : { value: quantity['value'] ?? null, unit };
}

/**
 * Finds mistakes in the SKUs of a `ReportPicking`, by the order's lines and the catalog, without guessing (rule 11).
 * An ordered item is named by its reference, or by its line if the reference occurs twice or the line's SKU is
 * unknown; a substitute must be in the catalog.
 */
export function pickingProblems(
  picked: readonly PickedLine[],
  lines: readonly OrderItem[],
  skus: readonly KnownSku[],
): Problem[] {
  const known = new Set(skus.map(({ skuExternalReference }) => skuExternalReference));
  const problems = picked.flatMap((each, index) => {
    const prefix = `items[${index}].`;
    const { skuExternalReference, substitutes, outcome, line } = each;
    const about = { skuExternalReference };
    if (outcome === 'picked' || outcome === 'missing') {
      return ordered(skuExternalReference, line, lines, { ...about, prefix, name: 'skuExternalReference' });
    }
    const ofSku = known.has(skuExternalReference)
      ? []
      : [
          {
            ...about,
            code: 'SKU_UNKNOWN' as const,
            field: `${prefix}skuExternalReference`,
            params: quoted(skuExternalReference),
          },
        ];
    if (substitutes === null) return ofSku;
    return [...ofSku, ...ordered(substitutes, line, lines, { ...about, prefix, name: 'substitutes' })];
  });
  return problems.length === 0 && isNothingPicked(picked, lines)
    ? [{ code: 'NOTHING_PICKED', field: 'items' }]
    : problems;
}

/** True if every line of the order is missing: the order is to be cancelled instead. */
function isNothingPicked(picked: readonly PickedLine[], lines: readonly OrderItem[]): boolean {
  if (lines.length === 0 || picked.some(({ outcome }) => outcome !== 'missing')) return false;
  return lines.every(({ line, skuExternalReference }) =>
    picked.some((each) =>
      each.line === null ? each.skuExternalReference === skuExternalReference : each.line === line,
    ),
  );
}

function ordered(
  reference: string,
  line: number | null,
  lines: readonly OrderItem[],
  { prefix, name, skuExternalReference }: { prefix: string; name: string; skuExternalReference: string },
): Problem[] {
  const params = quoted(reference);
  if (line !== null) {
    const named = lines.find((each) => each.line === line);
    const isIt = named !== undefined && (named.skuExternalReference ?? reference) === reference;
    return isIt ? [] : [{ code: 'SKU_UNKNOWN', field: `${prefix}line`, skuExternalReference, params }];
  }
  const found = lines.filter((each) => each.skuExternalReference === reference).length;
  if (found === 1) return [];
  if (found > 1) return [{ code: 'SKU_AMBIGUOUS', field: `${prefix}line`, skuExternalReference, params }];
  return [{ code: 'SKU_UNKNOWN', field: prefix + name, skuExternalReference, params }];
}

/** Value of `{given}` in a reason. */
function quoted(reference: string): ReasonParams {
  return { given: JSON.stringify(reference) };
}
