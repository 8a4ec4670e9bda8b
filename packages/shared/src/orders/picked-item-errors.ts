import { PickedQuantityDto, PickingItemDto } from './order-commands.dto.ts';
import { decimalTextOf } from '../json/digits.ts';
import { fieldReason, given } from '../fields/field-reasons.ts';
import { expectedText, fieldWords } from '../fields/field-texts.ts';
import { type ShapePlace, shapeErrors, shapeOf } from '../fields/record-shape.ts';
import { isPlainRecord, type JsonRecord, type JsonValue } from '../json/json-digits.ts';
import type { FieldReason, Language } from '../outcomes/reason-codes.ts';
import { isIdentityText } from '../topics/identities.ts';
import { UNIT_NAMES, type UnitName, unitFrom } from '../units-and-money/units.ts';

const ITEM = shapeOf(PickingItemDto);
const QUANTITY = shapeOf(PickedQuantityDto);

/** Errors of the items in a list of objects; each names its position in the list and, if readable, its SKU. */
export function pickingErrors(
  items: readonly JsonRecord[],
  language: Language,
  units: Readonly<Record<string, UnitName>>,
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

function quantityErrors(
  item: JsonRecord,
  quantity: JsonValue | undefined,
  language: Language,
  place: ShapePlace & { readonly prefix: string },
  units: Readonly<Record<string, UnitName>>,
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
  // Units are counted, weights are weighed; a missing item has no amount, any other item has one.
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

/**
 * Identifies a line of the order, or its outcome: if the same one occurred twice, it would be unclear which entry
 * applies.
 */
function identityOf(item: JsonRecord): string {
  const { skuExternalReference, outcome, substitutes } = item;
  const isOfOrder = outcome === 'picked' || outcome === 'missing';
  return JSON.stringify([skuExternalReference, lineOf(item), ...(isOfOrder ? [] : [outcome, substitutes ?? null])]);
}

/** The order's line that an item names; null if it names none. */
export function lineOf({ line }: JsonRecord): number | null {
  return (line ?? null) === null ? null : Number(decimalTextOf(line));
}
