import { isUtf8 } from 'node:buffer';
import { endOfColon, endOfSpace, endOfString, endOfValue, NOT_JSON, TOO_DEEP } from './json-scanner.ts';

/**
 * Finds the positions of the top-level values of a JSON object in the received bytes, so that `data` and `error`
 * can be hashed and passed on unchanged (rule 1, guarantee 6). It accepts exactly what `JSON.parse` accepts, up to
 * `MAX_NESTING` levels: RFC 8259, UTF-8, with or without a byte order mark. It never throws and is not recursive.
 *
 * For a key that occurs twice, the last value counts, as with `JSON.parse`: both readings of a body must agree.
 */

/** From `start` up to, not including, `end`, in bytes of the whole input. */
export interface ByteSpan {
  readonly start: number;
  readonly end: number;
}

/** Spans by key. */
export type EnvelopeSpans = ReadonlyMap<string, ByteSpan>;

export type ScanFailure = 'not-utf8' | 'not-json' | 'not-an-object' | 'too-deep';

interface FailedScan {
  readonly ok: false;
  readonly reason: ScanFailure;
}

export type EnvelopeScan = { readonly ok: true; readonly spans: EnvelopeSpans } | FailedScan;

const BACKSLASH = 0x5c;
/** Length of an escape such as `\u0061`. */
const UNICODE_ESCAPE_BYTES = 6;
const COMMA = 0x2c;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const BOM = [0xef, 0xbb, 0xbf];

/** Keys whose spans a reader requires. Created once, by `wantedNames`. */
export interface WantedNames {
  readonly names: ReadonlySet<string>;
  /** 1 at the index of each length, in bytes, that one of the names has. */
  readonly lengths: Uint8Array;
}

/** Names must consist of ASCII characters for which JSON has no short escape. */
export function wantedNames(...names: string[]): WantedNames {
  const lengths = new Uint8Array(Math.max(...names.map((name) => name.length)) + 1);
  for (const name of names) lengths[name.length] = 1;
  return { names: new Set(names), lengths };
}

/** Spans of the values of the object in the bytes: of the wanted keys, or of all. */
export function scanEnvelope(bytes: Uint8Array, wanted: WantedNames | null = null): EnvelopeScan {
  const scan = scanEnvelopeInside(bytes, null, wanted);
  return scan.ok ? { ok: true, spans: scan.spans } : scan;
}

type EnvelopeScanInside =
  | {
      readonly ok: true;
      readonly spans: EnvelopeSpans;
      /** Spans within the same bytes; null if the value is absent or no object. */
      readonly inside: EnvelopeSpans | null;
    }
  | FailedScan;

/**
 * Like `scanEnvelope`, and in the same pass finds the spans of the values of the object under the key `inside`,
 * which must be one of the wanted names.
 *
 * With `wanted`, a body of 5 MB that consists of keys alone is scanned in a tenth of the time: the text, entry and
 * span of a key are only created if it can be one of the names.
 */
export function scanEnvelopeInside(
  received: Uint8Array,
  inside: string | null,
  wanted: WantedNames | null = null,
): EnvelopeScanInside {
  if (!isUtf8(received)) return failed('not-utf8');
  const bytes = bufferOf(received);
  const start = endOfSpace(bytes, BOM.every((byte, index) => bytes[index] === byte) ? BOM.length : 0);
  if (bytes[start] !== OPEN_OBJECT) {
    const end = endOfAll(bytes, endOfValue(bytes, start, 0));
    return failed(end < 0 ? reasonOf(end) : 'not-an-object');
  }
  const into: Wish = { spans: new Map(), wanted };
  let found: EnvelopeSpans | null = null;
  const end = readObject(bytes, start, into, (key, at) => {
    if (key === null || key !== inside) return endOfValue(bytes, at, 1);
    found = null;
    if (bytes[at] !== OPEN_OBJECT) return endOfValue(bytes, at, 1);
    const values: Spans = new Map();
    found = values;
    return readObject(bytes, at, { spans: values, wanted }, (_key, valueAt) => endOfValue(bytes, valueAt, 2));
  });
  const whole = endOfAll(bytes, end);
  return whole < 0 ? failed(reasonOf(whole)) : { ok: true, spans: into.spans, inside: found };
}

/** Bytes of a span, as received, without copying; null without a span. */
export function spanBytes(bytes: Uint8Array, span: ByteSpan | undefined): Uint8Array | null {
  return span === undefined ? null : bytes.subarray(span.start, span.end);
}

/** Text of a span, which the scanner has found to be UTF-8. */
export function spanText(bytes: Uint8Array, { start, end }: ByteSpan): string {
  return bufferOf(bytes).toString('utf8', start, end);
}

type Spans = Map<string, ByteSpan>;

interface Wish {
  readonly spans: Spans;
  readonly wanted: WantedNames | null;
}

/** Returns the end of a value that begins at `at`, or a negative code; `key` is null if the value is not wanted. */
type EndOf = (key: string | null, at: number) => number;

/** Reads the wanted parts of the object that begins at `start`; returns its end, or a negative code. */
function readObject(bytes: Buffer, start: number, { spans, wanted }: Wish, endOf: EndOf): number {
  let at = endOfSpace(bytes, start + 1);
  if (bytes[at] === CLOSE_OBJECT) return at + 1;
  for (;;) {
    const keyEnd = endOfString(bytes, at);
    if (keyEnd < 0) return keyEnd;
    const key = wanted === null ? keyText(bytes, at, keyEnd) : wantedKey(bytes, at, keyEnd, wanted);
    at = endOfColon(bytes, keyEnd);
    if (at < 0) return at;
    const end = endOf(key, at);
    if (end < 0) return end;
    if (key !== null) spans.set(key, { start: at, end });
    at = endOfSpace(bytes, end);
    if (bytes[at] !== COMMA) return bytes[at] === CLOSE_OBJECT ? at + 1 : NOT_JSON;
    at = endOfSpace(bytes, at + 1);
  }
}

/** End of the bytes, if only white space follows `end`; a negative `end` is returned unchanged. */
function endOfAll(bytes: Uint8Array, end: number): number {
  if (end < 0) return end;
  return endOfSpace(bytes, end) === bytes.byteLength ? bytes.byteLength : NOT_JSON;
}

/** The same bytes as a buffer, which converts a part to text without a view or a decoder. */
function bufferOf(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** Text of a key, given with its quotes. Only JSON's own parser handles all escapes. */
function keyText(bytes: Buffer, start: number, end: number): string {
  const text = bytes.toString('utf8', start + 1, end - 1);
  return text.includes('\\') ? (JSON.parse(`"${text}"`) as string) : text;
}

/** Text of a key, given with its quotes, if it is one of the names. */
function wantedKey(bytes: Buffer, start: number, end: number, { names, lengths }: WantedNames): string | null {
  const length = end - start - 2;
  if (lengths[length] === 1) {
    const text = bytes.toString('latin1', start + 1, end - 1);
    if (names.has(text)) return text;
  }
  // A name is longest if every character is escaped.
  if (length >= lengths.length * UNICODE_ESCAPE_BYTES) return null;
  const text = unescapedName(bytes, start + 1, end - 1, lengths.length);
  return text !== null && names.has(text) ? text : null;
}

/**
 * Text of a key with escapes `\u00XX`; null if it has no escapes, other escapes, or at least `limit` characters,
 * since it is then not one of the names.
 */
function unescapedName(bytes: Buffer, start: number, end: number, limit: number): string | null {
  let at = start;
  while (at < end && bytes[at] !== BACKSLASH) at += 1;
  if (at === end || at - start >= limit) return null;
  let text = bytes.toString('latin1', start, at);
  while (at < end && text.length < limit) {
    const isEscaped = bytes[at] === BACKSLASH;
    if (isEscaped && (bytes[at + 1] !== 0x75 || bytes[at + 2] !== 0x30 || bytes[at + 3] !== 0x30)) return null;
    text += String.fromCharCode(isEscaped ? hexByte(bytes[at + 4]!, bytes[at + 5]!) : bytes[at]!);
    at += isEscaped ? UNICODE_ESCAPE_BYTES : 1;
  }
  return at === end ? text : null;
}

function hexByte(high: number, low: number): number {
  return hexDigit(high) * 16 + hexDigit(low);
}

/** The scanner has checked that the byte is a hexadecimal digit. */
function hexDigit(byte: number): number {
  return byte <= 0x39 ? byte - 0x30 : (byte | 0x20) - 0x57;
}

function reasonOf(end: number): ScanFailure {
  return end === TOO_DEEP ? 'too-deep' : 'not-json';
}

function failed(reason: ScanFailure): FailedScan {
  return { ok: false, reason };
}
