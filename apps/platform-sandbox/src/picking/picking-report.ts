import { violation, violations, text, type FieldRule } from '../catalog/field-rules.ts';
import { invalid, type OrRefused, type Violation } from '../values/refusal.ts';
import type { Behaviour } from '../switches/behaviour.ts';
import { centsOf, parseDecimal, priceCentsOf, rounded, type Decimal } from '../values/decimal.ts';
import {
  isJsonArray,
  isJsonObject,
  keyOf,
  numberOf,
  numberText,
  type Json,
  type JsonObject,
} from '../values/exact-json.ts';
import { isUnitOfMeasure, type UnitOfMeasure } from '../values/unit-of-measure.ts';

/** Picked quantity and price of one SKU. Undefined values stay as they were. */
export interface PickedItem {
  readonly skuExternalReference: string;
  /** Place of the order's line, from 1; undefined: the first line of the SKU that no item before reported. */
  readonly line: number | undefined;
  /** Units, or the picked weight in the unit of measure; 0 if nothing was picked. */
  readonly quantity: Decimal | undefined;
  readonly unitOfMeasure: UnitOfMeasure | undefined;
  /** Per unit of measure. */
  readonly unitPriceCents: number | undefined;
  readonly totalCents: number | undefined;
}

/** Body of `PUT /v1/Orders/{orderNumber}`. */
export interface PickingReport {
  readonly finalPriceCents: number;
  readonly items: readonly PickedItem[];
}

/** Names of the body's keys that the document does not show. */
type PickingKeys = Behaviour['pickingKeys'];

export type PickingReading = OrRefused<{ readonly kind: 'report'; readonly report: PickingReport }>;

const REFERENCE: readonly FieldRule[] = [text('skuExternalReference', { required: true })];

/**
 * Reads a caller's report of picked items (docs/platform.md, "Orders"): `finalOrderPrice`, and items by
 * `skuExternalReference` with `unitOfMeasure` as text. The document does not show the names of the other fields.
 */
export function readPicking(body: Json, keys: PickingKeys): PickingReading {
  const given = isJsonObject(body) ? body : {};
  const found: Violation[] = [];
  const finalPriceCents = amount(given, 'finalOrderPrice', 'FinalOrderPrice', found);
  if (keyOf(given, 'finalOrderPrice') === undefined) found.push(violation('FinalOrderPrice', 'is required.'));
  const list = keyOf(given, keys.items) ?? [];
  if (!isJsonArray(list)) found.push(violation('Items', 'must be a list.'));
  const items = (isJsonArray(list) ? list : []).map((item, index) => readItem(item, keys, `Items[${index}].`, found));
  if (finalPriceCents === undefined || found.length > 0) return { kind: 'refused', refusal: invalid(found) };
  return { kind: 'report', report: { finalPriceCents, items } };
}

function readItem(item: Json, keys: PickingKeys, path: string, found: Violation[]): PickedItem {
  const given = isJsonObject(item) ? item : {};
  for (const { key, validation } of violations(REFERENCE, given, true))
    found.push({ key: `${path}${key}`, validation });
  const reference = keyOf(given, 'skuExternalReference');
  return {
    skuExternalReference: typeof reference === 'string' ? reference : '',
    line: lineOf(given, keys.line ?? null, `${path}Line`, found),
    quantity: quantity(given, keys.quantity, `${path}Quantity`, found),
    unitOfMeasure: unitOfMeasure(given, `${path}UnitOfMeasure`, found),
    unitPriceCents: price(given, keys.price, `${path}Price`, found),
    totalCents: total(given, keys.total, `${path}Total`, found),
  };
}

/** The charged amount: a JSON number with at most two decimals, in cents; undefined if it is absent or invalid. */
function amount(given: JsonObject, key: string, property: string, found: Violation[]): number | undefined {
  const value = keyOf(given, key);
  if (value === undefined) return undefined;
  const cents = centsOf(numberText(value) ?? '');
  if (cents !== undefined && cents >= 0 && Number.isSafeInteger(cents)) return cents;
  found.push(violation(property, 'must be an amount of at least 0 with at most two decimals.'));
  return undefined;
}

/** A price per unit of measure, with any decimals. */
function price(given: JsonObject, key: string, property: string, found: Violation[]): number | undefined {
  const value = keyOf(given, key);
  if (value === undefined) return undefined;
  const cents = priceCentsOf(numberText(value) ?? '');
  if (cents !== undefined && cents >= 0) return cents;
  found.push(violation(property, 'must be a price of at least 0, of up to 15 digits.'));
  return undefined;
}

/** The cost of a line, with any decimals; rounded to the cent, as a product of price and weight is. */
function total(given: JsonObject, key: string, property: string, found: Violation[]): number | undefined {
  const decimal = quantity(given, key, property, found);
  return decimal && rounded(decimal.times(100));
}

function lineOf(given: JsonObject, key: string | null, property: string, found: Violation[]): number | undefined {
  const value = key === null ? undefined : keyOf(given, key);
  if (value === undefined) return undefined;
  const line = numberOf(value);
  if (line !== undefined && Number.isSafeInteger(line) && line > 0) return line;
  found.push(violation(property, 'must be the place of a line.'));
  return undefined;
}

function quantity(given: JsonObject, key: string, property: string, found: Violation[]): Decimal | undefined {
  const value = keyOf(given, key);
  if (value === undefined) return undefined;
  const decimal = parseDecimal(numberText(value) ?? '');
  if (decimal?.gte(0)) return decimal;
  found.push(violation(property, 'must be a number of at least 0.'));
  return undefined;
}

function unitOfMeasure(given: JsonObject, property: string, found: Violation[]): UnitOfMeasure | undefined {
  const value = keyOf(given, 'unitOfMeasure');
  if (value === undefined) return undefined;
  if (isUnitOfMeasure(value)) return value;
  found.push(violation(property, 'must be a unit of measure.'));
  return undefined;
}
