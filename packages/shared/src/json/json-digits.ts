import { MAX_NESTING } from '../limits.ts';

/**
 * JSON whose numbers have the digits with which they were written: `1.10` stays `1.10`, and a 20-digit number has
 * its 20 digits. Null stays null, an absent key stays absent, and keys stay in their order (except integer-like
 * keys, which JavaScript sorts first).
 */

/** A number that JavaScript's own number would write differently: the frozen object of `JSON.rawJSON`. */
export interface Digits {
  readonly rawJSON: string;
}

export type JsonValue = string | number | boolean | null | Digits | readonly JsonValue[] | JsonRecord;

export interface JsonRecord {
  readonly [key: string]: JsonValue;
}

interface RawJson {
  parse(text: string, reviver: (key: string, value: JsonValue, context: { source?: string }) => JsonValue): JsonValue;
  rawJSON(text: string): Digits;
  isRawJSON(value: unknown): value is Digits;
}

// Node 24 has these functions; TypeScript's library does not describe them yet.
const rawJson = JSON as unknown as RawJson;

/** True if the value is a number represented by its digits. */
export function isDigits(value: unknown): value is Digits {
  return rawJson.isRawJSON(value);
}

/**
 * The number of a JSON text: a JavaScript number if that writes the same text again, else its digits. The caller
 * ensures that the text is a JSON number.
 */
export function numberFromToken(token: string): number | Digits {
  return isOrdinaryNumber(token) ? Number(token) : rawJson.rawJSON(token);
}

/** Like `JSON.parse`, but preserves digits. Throws a SyntaxError for invalid JSON, and beyond `MAX_NESTING`. */
export function parseWithDigits(text: string): JsonValue {
  // Checked first, since code that processes the value may be recursive.
  const numbers = surveyNumbers(text);
  if (numbers === 'too deep') throw new SyntaxError('JSON is nested too deep');
  // A reviver takes five times as long as survey and parsing together, and most texts have only ordinary numbers.
  if (numbers === 'ordinary') return JSON.parse(text) as JsonValue;
  return rawJson.parse(text, (_key, value, { source }) =>
    typeof value === 'number' && source !== undefined ? numberFromToken(source) : value,
  );
}

/** `parseWithDigits` for text from outside; undefined, which no JSON text can mean, if it is no JSON. */
export function tryParseWithDigits(text: string): JsonValue | undefined {
  try {
    return parseWithDigits(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** JSON text of a value; numbers have their original digits. */
export function stringifyWithDigits(value: JsonValue): string {
  return JSON.stringify(value);
}

const DECODER = new TextDecoder('utf-8', { fatal: true });

/** Text of received bytes without a byte order mark; undefined if they are not UTF-8. */
export function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return DECODER.decode(bytes);
  } catch {
    return undefined;
  }
}

/** Parses bytes and preserves digits; undefined without bytes, or if they are no JSON in UTF-8. */
export function parseBytes(bytes: Uint8Array | null | undefined): JsonValue | undefined {
  const text = bytes === null || bytes === undefined ? undefined : decodeUtf8(bytes);
  return text === undefined ? undefined : tryParseWithDigits(text);
}

/** The JSON object in received bytes, with digits preserved; null if they are anything else. */
export function parseRecord(bytes: Uint8Array | null | undefined): JsonRecord | null {
  return recordOrNull(parseBytes(bytes));
}

/** The value if it is a JSON object, else null. */
export function recordOrNull(value: JsonValue | undefined): JsonRecord | null {
  return isPlainRecord(value) ? value : null;
}

/** True if the value is a JSON object: no array, no null, no `Digits`, no instance of a class. */
export function isPlainRecord(value: unknown): value is JsonRecord {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || isDigits(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/**
 * `ordinary` if JavaScript's own numbers write every number of a JSON text unchanged. For invalid JSON the result
 * is arbitrary; parsing reports the error.
 */
function surveyNumbers(text: string): 'ordinary' | 'with digits' | 'too deep' {
  let isOrdinary = true;
  let depth = 0;
  let inText = false;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code === 0x22) inText = !inText;
    else if (inText) index += code === 0x5c ? 1 : 0;
    // Brackets and braces differ in one bit.
    else if ((code | 0x20) === 0x7b) depth += 1;
    else if ((code | 0x20) === 0x7d) depth -= 1;
    else if (isOrdinary && (code === 0x2d || isDecimal(code))) {
      const end = endOfNumber(text, index);
      isOrdinary = isOrdinaryNumber(text.slice(index, end));
      index = end - 1;
    }
    if (depth > MAX_NESTING) return 'too deep';
  }
  return isOrdinary ? 'ordinary' : 'with digits';
}

/** End of the characters that a number may have, from its first one. */
function endOfNumber(text: string, start: number): number {
  let end = start + 1;
  while (end < text.length && isInNumber(text.charCodeAt(end))) end += 1;
  return end;
}

function isInNumber(code: number): boolean {
  // A point, a sign, or the letter of an exponent.
  return isDecimal(code) || code === 0x2e || code === 0x2d || code === 0x2b || (code | 0x20) === 0x65;
}

function isDecimal(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

function isOrdinaryNumber(token: string): boolean {
  return String(Number(token)) === token;
}

/**
 * Value at a path of field names joined by dots, as in the wire profile (`data.status`); undefined if a name is
 * missing or its parent is no object. Inherited names are not found.
 */
export function valueAtPath(record: JsonRecord, path: string): JsonValue | undefined {
  let value: JsonValue | undefined = record;
  for (const name of path.split('.')) {
    value = isPlainRecord(value) && Object.hasOwn(value, name) ? value[name] : undefined;
  }
  return value;
}
