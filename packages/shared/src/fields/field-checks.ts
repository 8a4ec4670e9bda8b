import { isStorable } from '../json/storable-text.ts';
import { isAccessKey } from './trade-codes.ts';
import { decimalTextOf, integerTextOf } from '../json/digits.ts';
import { fileTypeCode } from './file-types.ts';
import { climbsPaths, isIdentityText, orderNumberText } from '../topics/identities.ts';
import { type JsonValue, isPlainRecord } from '../json/json-digits.ts';
import { toCents } from '../units-and-money/money.ts';
import { isPureDate, offsetMoment } from '../time.ts';
import type { FieldSpec, FieldType } from '../schemas/field.decorators.ts';
import { isUnitName } from '../units-and-money/units.ts';

const GUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

const TYPE_CHECKS: Readonly<Record<FieldType, (value: JsonValue, spec: FieldSpec) => boolean>> = {
  text: (value) => typeof value === 'string',
  identity: isIdentityText,
  guid: (value) => typeof value === 'string' && GUID.test(value),
  integer: (value) => integerTextOf(value) !== null,
  number: (value) => typeof value === 'number',
  decimal: (value) => decimalTextOf(value) !== null,
  boolean: (value) => typeof value === 'boolean',
  date: isPureDate,
  time: (value) => offsetMoment(value) !== null,
  unit: isUnitName,
  'order-number': (value) => orderNumberText(value) !== null,
  version: (value) => /^\d{1,18}$/.test(integerTextOf(value) ?? ''),
  money: (value) => {
    const cents = toCents(value);
    return cents.ok || cents.code === 'TOO_MANY_DECIMALS';
  },
  'access-key': isAccessKey,
  code: (value) => (typeof value === 'string' ? value !== '' : integerTextOf(value) !== null),
  choice: (value, { choices }) => typeof value === 'string' && choices?.includes(value) === true,
  record: isPlainRecord,
  'file-type': (value) => fileTypeCode(value) !== null,
  'text-list': (value) =>
    Array.isArray(value) && value.length > 0 && value.every((item) => typeof item === 'string' && item !== ''),
  list: (value) => Array.isArray(value) && value.every((item) => isPlainRecord(item)),
  any: () => true,
};

/**
 * True if a present value has the field's type. Null has every type except a list's: null and absent are
 * distinguished (rule 21).
 */
export function isOfType(spec: FieldSpec, value: JsonValue): boolean {
  return value === null ? spec.type !== 'list' : TYPE_CHECKS[spec.type](value, spec);
}

/**
 * True if a value of the field's type is within the field's limits; a value of another type is not checked here.
 */
export function isWithinLimits(spec: FieldSpec, value: JsonValue): boolean {
  if (value === null || !isOfType(spec, value)) return true;
  if (typeof value === 'string' && !isStorable(value)) return false;
  if (typeof value === 'string' && spec.inPath === true && climbsPaths(value)) return false;
  if (typeof value === 'string' && spec.type === 'text') {
    const { minLength = 0, maxLength = Infinity } = spec;
    const length = codePoints(value, Math.max(minLength, maxLength === Infinity ? 0 : maxLength) + 1);
    return length >= minLength && length <= maxLength;
  }
  if (Array.isArray(value)) return value.length <= (spec.maxEntries ?? Infinity);
  if (spec.type !== 'integer' && spec.type !== 'decimal' && spec.type !== 'money') return true;
  // Only the sign matters to the document's limits, and a float preserves it.
  const number = Number(decimalTextOf(value));
  return number >= (spec.min ?? -Infinity) && (spec.above === undefined || number > spec.above);
}

/** True if an amount can be expressed in cents; other types than `money` are not checked here (rule 14). */
export function isExactInCents(spec: FieldSpec, value: JsonValue): boolean {
  const cents = spec.type === 'money' ? toCents(value) : null;
  return cents === null || cents.ok || cents.code !== 'TOO_MANY_DECIMALS';
}

/** True if a value counts as missing in a required field. */
export function isEmpty(value: JsonValue | undefined): boolean {
  return value === null || value === undefined || value === '';
}

/** Number of code points of a text, counted up to `limit`. */
function codePoints(text: string, limit: number): number {
  let count = 0;
  for (const _ of text) {
    count += 1;
    if (count >= limit) break;
  }
  return count;
}
