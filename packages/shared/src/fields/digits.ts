import { type Digits, type JsonValue, isDigits, numberFromToken } from '../json/json-digits.ts';
import { MAX_DIGITS, MAX_EXPONENT_DIGITS, MAX_NUMBER_LENGTH } from '../limits.ts';

/**
 * Decimal numbers by their digits: JSON numbers and decimal text mean the same (contract, "Values"), and neither passes
 * through a float.
 */

const PARTS = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d{1,4}))?$/;
const DECIMAL_TEXT = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/;
const LARGE_EXPONENT = new RegExp(`[eE][+-]?\\d{${MAX_EXPONENT_DIGITS + 1}}`);

/**
 * Whether the text is a decimal number as this contract writes it: `0.1`, `12`, `-3.50`; no exponent, no leading zeros,
 * no comma.
 */
export function isDecimalText(value: unknown): value is string {
  // Bounded before the expression is asked: sign and point stand beside the digits.
  return typeof value === 'string' && value.length <= MAX_DIGITS + 2 && DECIMAL_TEXT.test(value);
}

/**
 * The plain decimal text of a JSON number or decimal text, with every digit, an exponent written out; null for anything
 * else, also for a number that takes more than about 60 digits to write.
 */
export function decimalTextOf(value: JsonValue | undefined): string | null {
  if (typeof value === 'string') return isDecimalText(value) ? value : null;
  if (typeof value === 'number') return Number.isFinite(value) ? withoutExponent(String(value)) : null;
  return isDigits(value) ? withoutExponent(value.rawJSON) : null;
}

/**
 * The JSON number of the same digits for decimal text, as it is posted in a numeric field of the platform (rule 21); a
 * JSON number passes as it is. Null for what is no number.
 */
export function decimalTextToNumberToken(value: JsonValue | undefined): number | Digits | null {
  if (typeof value === 'number' || isDigits(value)) return value;
  return isDecimalText(value) ? numberFromToken(value) : null;
}

function withoutExponent(token: string): string | null {
  const match = token.length > MAX_NUMBER_LENGTH ? null : PARTS.exec(token);
  if (match === null) return null;
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = match;
  const digits = whole + fraction;
  const point = whole.length + Number(exponent);
  const places = Math.max(digits.length - point, 0);
  if (Math.max(point, 1) + places > MAX_DIGITS) return null;
  const padded = digits.padEnd(point, '0').padStart(digits.length - Math.min(point - 1, 0), '0');
  const cut = Math.max(point, 1);
  const plainWhole = padded.slice(0, cut).replace(/^0+(?=\d)/, '');
  return sign + plainWhole + (padded.length > cut ? `.${padded.slice(cut)}` : '');
}

/**
 * Whether a JSON number is longer than a record may hold one, in its digits or by its exponent. Costs the same for a
 * number of any length.
 */
export function isNumberTooLong(number: Digits): boolean {
  const { rawJSON } = number;
  return rawJSON.length > MAX_NUMBER_LENGTH || LARGE_EXPONENT.test(rawJSON);
}

/**
 * Whether a value of a numeric field is a number, or text that would be one, with more digits than a record may hold.
 */
export function hasTooManyDigits(value: JsonValue | undefined): boolean {
  if (isDigits(value)) return isNumberTooLong(value) || withoutExponent(value.rawJSON) === null;
  return typeof value === 'string' && value.length > MAX_DIGITS && DECIMAL_TEXT.test(value) && !isDecimalText(value);
}
