import { Big } from 'big.js';
import { decimalTextOf } from '../json/digits.ts';
import type { JsonValue } from '../json/json-digits.ts';
import { type UnitName, isUnitName } from './units.ts';

/** A weight or quantity with its unit; the value is decimal text without trailing zeros. */
export interface Quantity {
  readonly value: string;
  readonly unit: UnitName;
}

/**
 * Canonical text of a weight or quantity, from a JSON number or decimal text: no trailing zeros, no exponent. Null
 * if the value is neither.
 */
export function quantityText(value: JsonValue | undefined): string | null {
  const text = decimalTextOf(value);
  return text === null ? null : plain(new Big(text));
}

/**
 * Approximate weight of an order's item: `orderedQuantity` × `arithmeticFactor` in decimal arithmetic (rule 12;
 * platform document, "Order"). Null for a unit item, or if one of the two is missing. The amount charged is never
 * calculated from it.
 */
export function approximateWeight(item: {
  readonly orderedQuantity: JsonValue | undefined;
  readonly arithmeticFactor: JsonValue | undefined;
  readonly unitOfMeasure: JsonValue | undefined;
}): Quantity | null {
  const { unitOfMeasure: unit } = item;
  const quantity = decimalTextOf(item.orderedQuantity);
  const factor = decimalTextOf(item.arithmeticFactor);
  if (!isUnitName(unit) || unit === 'Un' || quantity === null || factor === null) return null;
  return { value: product(quantity, factor), unit };
}

function plain(number: Big): string {
  // Big writes the sign of a negative zero.
  return number.eq(0) ? '0' : number.toFixed();
}

/** Canonical text of a product of two decimal texts: an order has many, and `Big` takes ten times as long. */
function product(one: string, other: string): string {
  const digits = BigInt(one.replace('.', '')) * BigInt(other.replace('.', ''));
  const decimals = decimalsOf(one) + decimalsOf(other);
  const text = String(digits < 0n ? -digits : digits).padStart(decimals + 1, '0');
  const whole = text.slice(0, text.length - decimals);
  const fraction = text.slice(text.length - decimals).replace(/0+$/, '');
  return `${digits < 0n ? '-' : ''}${whole}${fraction === '' ? '' : `.${fraction}`}`;
}

function decimalsOf(text: string): number {
  const point = text.indexOf('.');
  return point === -1 ? 0 : text.length - point - 1;
}
