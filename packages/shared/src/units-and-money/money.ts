import { Big } from 'big.js';
import { decimalTextOf } from '../json/digits.ts';
import type { JsonValue } from '../json/json-digits.ts';

/**
 * Money is decimal text with at least two decimals, in currency units, never rounded: `12.45`, `7.155`, `-3.00`.
 * Charged amounts are in cents: an order's final price, and the value of its invoice, which alone is an integer
 * (platform document, "Invoice registration"). A price per unit of measure may have any decimals, as that of a gram
 * does, and so may what a line costs by it: the platform's order shows them as decimal numbers.
 */

export type Cents =
  | { readonly ok: true; readonly cents: number }
  | { readonly ok: false; readonly code: 'TOO_MANY_DECIMALS' | 'FIELD_TYPE' };

/**
 * Canonical text of an amount, from a JSON number or decimal text: at least two decimals, further ones without
 * trailing zeros (`7.1550` is `7.155`). Null if the value is no amount.
 */
export function moneyText(value: JsonValue | undefined): string | null {
  const text = decimalTextOf(value);
  if (text === null) return null;
  const point = text.indexOf('.');
  const amount = point === -1 ? `${text}.00` : withTwoDecimals(text, point);
  return amount === '-0.00' ? amount.slice(1) : amount;
}

/** A number with a point at least two decimals behind it, further ones without trailing zeros. */
function withTwoDecimals(text: string, point: number): string {
  const least = point + 3;
  let end = text.length;
  while (end > least && text[end - 1] === '0') end -= 1;
  return text.slice(0, end).padEnd(least, '0');
}

/**
 * Exact integer cents of an amount (rule 14): 19.99 is 1999, never 1998. Fractions of a cent are
 * `TOO_MANY_DECIMALS`; trailing zeros (`187.4500`) are no error. A value that is no amount, or exceeds a safe
 * integer of cents, is `FIELD_TYPE`.
 */
export function toCents(value: JsonValue | undefined): Cents {
  const amount = moneyText(value);
  if (amount === null) return { ok: false, code: 'FIELD_TYPE' };
  const [, fraction = ''] = amount.split('.');
  if (fraction.length > 2) return { ok: false, code: 'TOO_MANY_DECIMALS' };
  const cents = Number(amount.replace('.', ''));
  return Number.isSafeInteger(cents) ? { ok: true, cents } : { ok: false, code: 'FIELD_TYPE' };
}

/** True if two amounts are equal, however they are written; false if one is no amount. */
export function isSameMoney(one: JsonValue | undefined, other: JsonValue | undefined): boolean {
  const amount = moneyText(one);
  return amount !== null && amount === moneyText(other);
}

/** True if `cents` is `amount`, or what rounding or truncating its fraction of a cent leaves. */
export function isCentsOf(cents: JsonValue | undefined, amount: JsonValue | undefined): boolean {
  const exact = moneyText(amount);
  if (exact === null) return false;
  return [Big.roundDown, Big.roundHalfUp].some((mode) => isSameMoney(cents, new Big(exact).toFixed(2, mode)));
}

/** Whole cents of an amount, a fraction of a cent rounded half up; null if it is no amount. */
export function roundedCents(amount: JsonValue | undefined): number | null {
  const exact = moneyText(amount);
  return exact === null ? null : Number(new Big(exact).times(100).toFixed(0, Big.roundHalfUp));
}

/** `one` minus `other`, exactly; null if one is no amount. */
export function moneyDifference(one: JsonValue | undefined, other: JsonValue | undefined): string | null {
  const amounts = [moneyText(one), moneyText(other)] as const;
  if (amounts[0] === null || amounts[1] === null) return null;
  return moneyText(new Big(amounts[0]).minus(amounts[1]).toFixed());
}

/** `amount` times `factor`, exactly; null if one is no number. */
export function moneyProduct(amount: JsonValue | undefined, factor: JsonValue | undefined): string | null {
  const texts = [decimalTextOf(amount), decimalTextOf(factor)] as const;
  return texts[0] === null || texts[1] === null ? null : moneyText(new Big(texts[0]).times(texts[1]).toFixed());
}
