import { decimalTextOf } from '@gondola/shared/fields/digits';
import { type JsonRecord, type JsonValue, isPlainRecord } from '@gondola/shared/json/json-digits';
import type { CodeAndName } from '@gondola/shared/orders/order-statuses';
import { platformMoment } from '@gondola/shared/time';

/** Reading fields of the platform's objects: another type than expected is as good as absent, and never an error. */

/** The object; an empty one for anything else. */
export function recordOf(value: JsonValue | undefined): JsonRecord {
  return isPlainRecord(value) ? value : {};
}

/** The objects of a list; what is no object leaves an empty one in its place. */
export function recordsOf(value: JsonValue | undefined): JsonRecord[] {
  return Array.isArray(value) ? value.map((entry: JsonValue) => recordOf(entry)) : [];
}

/** Text, or the digits of a number where the platform sent one (a house number, a document). */
export function textOf(value: JsonValue | undefined): string | null {
  return typeof value === 'string' ? value : decimalTextOf(value);
}

/** An integer enum of the platform; null where there is none. A code without a name is published as it is. */
export function codeAndName(
  value: JsonValue | undefined,
  names: Readonly<Record<number, string>> = {},
): CodeAndName | null {
  if (typeof value !== 'number' || !Number.isInteger(value)) return null;
  return { code: value, name: Object.hasOwn(names, value) ? (names[value] ?? null) : null };
}

/** How the platform begins a date that was never set. */
const ZEROED_DATE = '0001-01-01';

/** Whether a date or local time of the platform is there at all: unused ones are null, or the first day of year 1. */
export function isDateSet(value: JsonValue | undefined): value is string {
  return typeof value === 'string' && !value.startsWith(ZEROED_DATE);
}

/** A local time of the platform with its offset (rule 13); null for none, and for one that was never set. */
export function momentText(value: JsonValue | undefined): string | null {
  return isDateSet(value) ? (platformMoment(value)?.text ?? null) : null;
}

/** Text that says something; null for an empty one, as unused blocks have it. */
export function filledText(value: JsonValue | undefined): string | null {
  return textOf(value) || null;
}
