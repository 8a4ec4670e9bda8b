import { MAX_NESTING } from '../limits.ts';

/**
 * JSON whose numbers keep the digits they were written with: `1.10` stays `1.10`, a 20-digit number keeps its 20
 * digits. Null stays null, an absent key absent, and keys stay in their order (but for integer-like keys, which
 * JavaScript sorts first).
 */

/** A number whose text JavaScript's own number would not write again: the frozen object that `JSON.rawJSON` makes. */
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

// Node 24 has these; TypeScript's library does not describe them yet.
const rawJson = JSON as unknown as RawJson;

/** Whether the value is a number as its digits. */
export function isDigits(value: unknown): value is Digits {
  return rawJson.isRawJSON(value);
}

/**
 * The number a JSON text stands for: a JavaScript number where that writes the same text again, else its digits.
 * The caller has made sure that the text is a JSON number.
 */
export function numberFromToken(token: string): number | Digits {
  return isOrdinaryNumber(token) ? Number(token) : rawJson.rawJSON(token);
}

/** Like `JSON.parse`, with digits preserved. Throws a SyntaxError for invalid JSON, and beyond `MAX_NESTING`. */
export function parseWithDigits(text: string): JsonValue {
  // Checked first: whatever walks the value afterwards may recurse.
  const numbers = surveyNumbers(text);
  if (numbers === 'too deep') throw new SyntaxError('JSON is nested too deep');
  // A reviver costs five times what the survey and the parsing do, and most texts have only ordinary numbers.
  if (numbers === 'ordinary') return JSON.parse(text) as JsonValue;
  return rawJson.parse(text, (_key, value, { source }) =>
    typeof value === 'number' && source !== undefined ? numberFromToken(source) : value,
  );
}

/** `parseWithDigits` for text of others: undefined, which no JSON text can mean, for what is no JSON. */
export function tryParseWithDigits(text: string): JsonValue | undefined {
  try {
    return parseWithDigits(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** The JSON text of a value, numbers with the digits they came with. */
export function stringifyWithDigits(value: JsonValue): string {
  return JSON.stringify(value);
}

const DECODER = new TextDecoder('utf-8', { fatal: true });

/** The text of received bytes: a byte order mark is left out; undefined for what is not UTF-8. */
export function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return DECODER.decode(bytes);
  } catch {
    return undefined;
  }
}

/** Parses bytes, with digits preserved; undefined for no bytes, and for what is no JSON in UTF-8. */
export function parseBytes(bytes: Uint8Array | null | undefined): JsonValue | undefined {
  const text = bytes === null || bytes === undefined ? undefined : decodeUtf8(bytes);
  return text === undefined ? undefined : tryParseWithDigits(text);
}

/** The JSON object that received bytes are, with digits preserved; null for anything else. */
export function parseRecord(bytes: Uint8Array | null | undefined): JsonRecord | null {
  return recordOrNull(parseBytes(bytes));
}

/** The value where it is a JSON object, else null. */
export function recordOrNull(value: JsonValue | undefined): JsonRecord | null {
  return isPlainRecord(value) ? value : null;
}

/** Whether the value is a JSON object: no array, no null, no `Digits`, no instance of a class. */
export function isPlainRecord(value: unknown): value is JsonRecord {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || isDigits(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/**
 * Whether JavaScript's own numbers write every number of a JSON text again as it stands there. Of a text that is no
 * JSON it says anything: parsing finds that out.
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

/** Where the characters end that a number may have, from its first one. */
function endOfNumber(text: string, start: number): number {
  let end = start + 1;
  while (end < text.length && isInNumber(text.charCodeAt(end))) end += 1;
  return end;
}

function isInNumber(code: number): boolean {
  // A point, a sign, or an exponent's letter.
  return isDecimal(code) || code === 0x2e || code === 0x2d || code === 0x2b || (code | 0x20) === 0x65;
}

function isDecimal(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

function isOrdinaryNumber(token: string): boolean {
  return String(Number(token)) === token;
}

/**
 * The value at the end of field names joined by dots, as the wire profile writes them (`data.status`); undefined where
 * a name is missing or what it stands in is no object. Inherited names are not found.
 */
export function valueAtPath(record: JsonRecord, path: string): JsonValue | undefined {
  let value: JsonValue | undefined = record;
  for (const name of path.split('.')) {
    value = isPlainRecord(value) && Object.hasOwn(value, name) ? value[name] : undefined;
  }
  return value;
}
