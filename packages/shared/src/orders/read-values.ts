import { decimalTextOf, plainNumberOf } from '../json/digits.ts';
import type { JsonValue } from '../json/json-digits.ts';
import { orderStatusCode, VALUES_RECALCULATED } from './order-statuses.ts';

/**
 * The one reader of statuses and numbers that the platform sends: in a notification, a payload, or an answer of
 * `GET status`. The document shows numbers, but v1 of the payload is promised no form, and a body of `GET status` is
 * not shown: digits in text and documented names mean the same. Times have `platformMoment`.
 */

/** Codes above this are no status; they do not fit into an integer column either. */
const MAX_STATUS = 999_999_999;

/**
 * The code of an order's status: a number, its digits in text, or a documented name in any case. Null for anything
 * else; 0 is never a status: some wrappers answer it for "no error".
 */
export function statusCodeOf(value: JsonValue | undefined): number | null {
  const code = typeof value === 'string' ? codeInText(value.trim()) : plainNumberOf(value);
  return code !== null && Number.isInteger(code) && code > 0 && code <= MAX_STATUS ? code : null;
}

/**
 * The status that an answer to a read shows. Null for none, and for 1300: it says that items and values were
 * recalculated, and is no status that an order has (rules 7, 9).
 */
export function shownStatus(value: JsonValue | undefined): number | null {
  const code = statusCodeOf(value);
  return code === VALUES_RECALCULATED ? null : code;
}

/** A number, or decimal text, as JavaScript's own number; null for anything else, and for one that is not exact. */
export function numberOf(value: JsonValue | undefined): number | null {
  if (typeof value !== 'string') return plainNumberOf(value);
  const text = decimalTextOf(value.trim());
  return text === null ? null : plainNumberOf(Number(text));
}

function codeInText(text: string): number | null {
  return /^\d{1,9}(\.0+)?$/.test(text) ? Number(text) : orderStatusCode(text);
}
