import { Big } from 'big.js';
import { decimalTextOf } from '../fields/digits.ts';
import type { JsonValue } from '../json/json-digits.ts';

/**
 * Money is decimal text with at least two decimals, in currency units, never rounded: `12.45`, `7.155`, `-3.00`. Only
 * an invoice's value is integer cents (platform document, "Invoice registration").
 */

export type Cents =
  | { readonly ok: true; readonly cents: number }
  | { readonly ok: false; readonly code: 'TOO_MANY_DECIMALS' | 'FIELD_TYPE' };

/**
 * The one text of an amount, from a JSON number or decimal text: at least two decimals, further ones only where they
 * say something (`7.1550` is `7.155`). Null for what is no amount.
 */
export function moneyText(value: JsonValue | undefined): string | null {
  const text = decimalTextOf(value);
  if (text === null) return null;
  const [whole = '', fraction = ''] = text.split('.');
  const amount = `${whole}.${fraction.replace(/0+$/, '').padEnd(2, '0')}`;
  return /^-0\.0+$/.test(amount) ? amount.slice(1) : amount;
}

/**
 * The exact integer cents of an amount (rule 14): 19.99 is 1999, never 1998. Digits that a cent cannot hold are
 * `TOO_MANY_DECIMALS`; zeros behind them (`187.4500`) lose nothing and are no error. What is no amount, or no safe
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

/** Whether two amounts are the same money, however they are written; false where one is no amount. */
export function isSameMoney(one: JsonValue | undefined, other: JsonValue | undefined): boolean {
  const amount = moneyText(one);
  return amount !== null && amount === moneyText(other);
}

/** How much more `one` is than `other`, exactly; null where one is no amount. */
export function moneyDifference(one: JsonValue | undefined, other: JsonValue | undefined): string | null {
  const amounts = [moneyText(one), moneyText(other)] as const;
  if (amounts[0] === null || amounts[1] === null) return null;
  return moneyText(new Big(amounts[0]).minus(amounts[1]).toFixed());
}
