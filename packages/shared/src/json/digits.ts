import { type Digits, type JsonValue, isDigits, numberFromToken } from './json-digits.ts';
import { MAX_DIGITS, MAX_EXPONENT_DIGITS, MAX_NUMBER_LENGTH } from '../limits.ts';

/**
 * Decimal numbers by their digits: JSON numbers and decimal text have the same meaning (contract, "Values"), and
 * neither is converted to a float.
 */

const PARTS = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d{1,4}))?$/;
const DECIMAL_TEXT = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/;
const LARGE_EXPONENT = new RegExp(`[eE][+-]?\\d{${MAX_EXPONENT_DIGITS + 1}}`);

/**
 * True for a decimal number in the contract's form: `0.1`, `12`, `-3.50`; no exponent, no leading zeros, no comma.
 */
export function isDecimalText(value: unknown): value is string {
  // Limits the length before the regular expression runs: the digits, a sign and a point.
  return typeof value === 'string' && value.length <= MAX_DIGITS + 2 && DECIMAL_TEXT.test(value);
}

/**
 * Plain decimal text of a JSON number or decimal text, with every digit and without an exponent; null for anything
 * else, and for a number of more than about 60 digits.
 */
export function decimalTextOf(value: JsonValue | undefined): string | null {
  if (typeof value === 'string') return isDecimalText(value) ? value : null;
  if (typeof value === 'number') return Number.isFinite(value) ? textOfNumber(value) : null;
  return isDigits(value) ? withoutExponent(value.rawJSON) : null;
}

/**
 * Text of an integer by its digits, from a text of digits or from a JSON number whose fraction is zero, as JSON Schema
 * has it: `100001`, `100001.0` (pandas, Gson) and `1e5`. Null for anything else.
 */
export function integerTextOf(value: JsonValue | undefined): string | null {
  const decimal = decimalTextOf(value);
  const text = decimal === null || typeof value === 'string' ? decimal : decimal.replace(/\.0+$/, '');
  if (text === null || text.includes('.')) return null;
  return text === '-0' ? '0' : text;
}

/**
 * A JSON number as JavaScript's own number, even if it is written with unnecessary decimals (`3.0`); null if it is
 * no number, or would lose digits before its point.
 */
export function plainNumberOf(value: JsonValue | undefined): number | null {
  const number = isDigits(value) ? Number(value.rawJSON) : value;
  return typeof number === 'number' && Math.abs(number) <= Number.MAX_SAFE_INTEGER ? number : null;
}

/**
 * JSON number with the digits of a decimal text, for a numeric field of the platform (rule 21); a JSON number stays
 * unchanged. Null for anything else.
 */
export function decimalTextToNumberToken(value: JsonValue | undefined): number | Digits | null {
  if (typeof value === 'number' || isDigits(value)) return value;
  return isDecimalText(value) ? numberFromToken(value) : null;
}

/** JavaScript writes most numbers in plain decimal text. */
function textOfNumber(number: number): string | null {
  const text = String(number);
  return text.includes('e') ? withoutExponent(text) : text;
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
 * True if a JSON number exceeds the limits of a record, in its digits or its exponent. Takes the same time for a
 * number of any length.
 */
export function isNumberTooLong(number: Digits): boolean {
  const { rawJSON } = number;
  return rawJSON.length > MAX_NUMBER_LENGTH || LARGE_EXPONENT.test(rawJSON);
}

/** True for a number, or a text with the form of a number, that has more digits than a record may contain. */
export function hasTooManyDigits(value: JsonValue | undefined): boolean {
  if (isDigits(value)) return isNumberTooLong(value) || withoutExponent(value.rawJSON) === null;
  return typeof value === 'string' && value.length > MAX_DIGITS && DECIMAL_TEXT.test(value) && !isDecimalText(value);
}
