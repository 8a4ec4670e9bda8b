import { createHash } from 'node:crypto';
import { type JsonRecord, type JsonValue, isDigits, isPlainRecord } from '../json/json-digits.ts';
import { MAX_NUMBER_LENGTH } from '../limits.ts';

/**
 * A unique text per JSON value: keys sorted, no white space, numbers by value (`1.10` and `1.1` are equal), null
 * and absent distinguished. A number that exceeds the limits of a record (`limits`) is compared by its text. For
 * comparison only, never for output.
 */
export function canonicalText(value: JsonValue): string {
  if (typeof value === 'number') return isPlainInteger(value) ? `${value}e0` : canonicalNumber(String(value));
  if (isDigits(value)) return canonicalNumber(value.rawJSON);
  if (Array.isArray(value)) return `[${value.map((item: JsonValue) => canonicalText(item)).join(',')}]`;
  if (!isPlainRecord(value)) return JSON.stringify(value);
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([key, item]) => `${JSON.stringify(key)}:${canonicalText(item)}`).join(',')}}`;
}

/**
 * Hash that decides whether a repeated `commandId` or `recordId` has equal content: the SHA-256, in hexadecimal
 * digits, of the JSON without `requestedAt` (contract, "Results"; rule 19).
 */
export function contentHash(record: JsonRecord): string {
  const content = Object.fromEntries(Object.entries(record).filter(([key]) => key !== 'requestedAt'));
  return createHash('sha256').update(canonicalText(content)).digest('hex');
}

/** True for a number that is its own canonical text, as most are. */
function isPlainInteger(value: number): boolean {
  return Number.isSafeInteger(value) && value % 10 !== 0;
}

function canonicalNumber(token: string): string {
  // The code below examines zeros at both ends and the exponent, which is too much work for a number that is
  // `invalid` anyway.
  if (token.length > MAX_NUMBER_LENGTH) return token;
  const [mantissa = '', exponent = '0'] = token.toLowerCase().split('e');
  const [whole = '', fraction = ''] = mantissa.replace('-', '').split('.');
  const digits = (whole + fraction).replace(/^0+/, '');
  const significant = digits.replace(/0+$/, '');
  if (significant === '') return '0';
  const power = BigInt(exponent) - BigInt(fraction.length) + BigInt(digits.length - significant.length);
  return `${mantissa.startsWith('-') ? '-' : ''}${significant}e${power}`;
}
