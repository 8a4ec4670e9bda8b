import { decimalTextOf } from '@gondola/shared/json/digits';
import { type JsonRecord, type JsonValue, isPlainRecord } from '@gondola/shared/json/json-digits';
import type { CodeAndName } from '@gondola/shared/orders/order-statuses';
import { numberOf } from '@gondola/shared/orders/read-values';
import { platformMoment } from '@gondola/shared/time';

/** Readers for fields of the platform's objects: a value of an unexpected type counts as absent, never as an error. */

/** The object, or an empty one for any other value. */
export function recordOf(value: JsonValue | undefined): JsonRecord {
  return isPlainRecord(value) ? value : {};
}

/** The objects of a list, with an empty one for each other value. */
export function recordsOf(value: JsonValue | undefined): JsonRecord[] {
  return Array.isArray(value) ? value.map((entry: JsonValue) => recordOf(entry)) : [];
}

/** Text, or the digits of a number, which the platform sends for some fields (a house number, a document). */
export function textOf(value: JsonValue | undefined): string | null {
  return typeof value === 'string' ? value : decimalTextOf(value);
}

/** An integer enum of the platform, also as text; null for none. A code without a name is kept with `name: null`. */
export function codeAndName(
  value: JsonValue | undefined,
  names: Readonly<Record<number, string>> = {},
): CodeAndName | null {
  const code = numberOf(value);
  if (code === null || !Number.isInteger(code)) return null;
  return { code, name: Object.hasOwn(names, code) ? (names[code] ?? null) : null };
}

/** Beginning of a date that was never set. */
const ZEROED_DATE = '0001-01-01';

/** True for a set date or local time: unset ones are null or the first day of year 1. */
export function isDateSet(value: JsonValue | undefined): value is string {
  return typeof value === 'string' && !value.startsWith(ZEROED_DATE);
}

/** A local time of the platform with its offset (rule 13); null if unset. */
export function momentText(value: JsonValue | undefined): string | null {
  return isDateSet(value) ? (platformMoment(value)?.text ?? null) : null;
}

/** Non-empty text; null for an empty one, which unused blocks have. */
export function filledText(value: JsonValue | undefined): string | null {
  return textOf(value) || null;
}
