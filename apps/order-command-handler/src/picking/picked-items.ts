import { decimalTextOf } from '@gondola/shared/fields/digits';
import { PickedQuantityDto, PickingItemDto } from '@gondola/shared/dto/report-picking.dto';
import { fieldReason, given } from '@gondola/shared/fields/field-reasons';
import { expectedText, fieldWords } from '@gondola/shared/fields/field-texts';
import { isIdentityText } from '@gondola/shared/topics/identities';
import { type JsonRecord, type JsonValue, isPlainRecord } from '@gondola/shared/json/json-digits';
import type { PickedLine, PickingOutcome } from '@gondola/shared/orders/picking-items';
import type { FieldReason, Language, ReasonParams } from '@gondola/shared/results/reason-codes';
import { type ShapePlace, shapeErrors, shapeOf } from '@gondola/shared/fields/record-shape';
import { UNIT_NAMES, type UnitName, unitFrom } from '@gondola/shared/units-and-money/units';
import type { OrderItem } from '../values/order-values.ts';
import type { Problem } from '../commands/decision.ts';
import type { KnownSku } from '../skus/match-skus.ts';

/** The items of a `ReportPicking` (contract, "Order commands"). */

const ITEM = shapeOf(PickingItemDto);
const QUANTITY = shapeOf(PickedQuantityDto);

type TenantUnits = Readonly<Record<string, UnitName>>;

/**
 * What is wrong with the items of a list of objects; each names its place in the list and, where it is readable,
 * its SKU.
 */
export function pickingErrors(
  items: readonly JsonRecord[],
  language: Language,
  units: TenantUnits,
  foundBefore = 0,
): FieldReason[] {
  const seen = new Set<string>();
  let found = foundBefore;
  return items.flatMap((item, index) => {
    const { skuExternalReference: sku, quantity } = item;
    const place = { prefix: `items[${index}].`, skuExternalReference: isIdentityText(sku) ? sku : undefined, found };
    const errors = [
      ...shapeErrors(item, ITEM, language, place),
      ...quantityErrors(item, quantity, language, place, units),
    ];
    if (item['outcome'] === 'substitute' && (item['substitutes'] ?? null) === null) {
      errors.push(fieldReason('FIELD_REQUIRED', language, { ...place, field: `${place.prefix}substitutes` }));
    }
    const identity = identityOf(item);
    if (seen.has(identity)) {
      const params = given(item['skuExternalReference'], language);
      errors.push(fieldReason('SKU_AMBIGUOUS', language, { ...place, field: `${place.prefix}line` }, { params }));
    }
    seen.add(identity);
    found += errors.length;
    return errors;
  });
}

/** The lines of items that were judged. */
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

function quantityErrors(
  item: JsonRecord,
  quantity: JsonValue | undefined,
  language: Language,
  place: ShapePlace & { readonly prefix: string },
  units: TenantUnits,
): FieldReason[] {
  if (!isPlainRecord(quantity)) return [];
  const words = fieldWords(language);
  const within = {
    ...place,
    prefix: `${place.prefix}quantity.`,
    hints: { unit: words.units([...UNIT_NAMES, ...Object.keys(units)].join(', ')) },
  };
  const unit = unitFrom(quantity['unit'], units);
  const errors = shapeErrors(unit === null ? quantity : { ...quantity, unit }, QUANTITY, language, within);
  if (errors.length > 0) return errors;
  const value = decimalTextOf(quantity['value']) ?? '';
  const at = { ...place, field: `${within.prefix}value` };
  // Units are counted, weights weighed; what is missing has no amount, and whatever else there is has one.
  if (unit === 'Un' && !/^\d+(\.0+)?$/.test(value)) {
    const expected = expectedText({ type: 'integer' }, language);
    return [fieldReason('FIELD_TYPE', language, at, { params: { expected, ...given(quantity['value'], language) } })];
  }
  const isZero = /^[0.]+$/.test(value);
  if ((item['outcome'] === 'missing') === isZero) return [];
  return [
    fieldReason('LIMIT', language, at, {
      params: { limit: isZero ? words.above(0) : words.zero, ...given(quantity['value'], language) },
    }),
  ];
}

/** A line of the order, or what came to it: the same twice would leave open which of the two holds. */
function identityOf(item: JsonRecord): string {
  const { skuExternalReference, outcome, substitutes } = item;
  const isOfOrder = outcome === 'picked' || outcome === 'missing';
  return JSON.stringify([skuExternalReference, lineOf(item), ...(isOfOrder ? [] : [outcome, substitutes ?? null])]);
}

function lineOf({ line }: JsonRecord): number | null {
  return (line ?? null) === null ? null : Number(decimalTextOf(line));
}

function quantityOf(quantity: JsonValue | undefined, units: TenantUnits): PickedLine['quantity'] {
  if (!isPlainRecord(quantity)) return null;
  const unit = unitFrom(quantity['unit'], units);
  return unit === null ? null : { value: quantity['value'] ?? null, unit };
}

/**
 * What is wrong with the SKUs of a `ReportPicking` by the order's lines and the catalog: nothing is guessed (rule 11).
 * What was ordered is named by its reference, and by its line where the reference occurs twice or the line's SKU is not
 * known; what comes new has to be in the catalog.
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

/** Every line of the order is reported as missing, so there is nothing to charge: the order is to be cancelled. */
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

/** For a reason's `{given}`. */
function quoted(reference: string): ReasonParams {
  return { given: JSON.stringify(reference) };
}
