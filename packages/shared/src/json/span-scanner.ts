import { isUtf8 } from 'node:buffer';
import { endOfColon, endOfSpace, endOfString, endOfValue, NOT_JSON, TOO_DEEP } from './json-scanner.ts';

/**
 * Finds where the top-level values of a JSON object stand in the bytes received, so that `data` and `error` can be
 * hashed and passed on as they came (rule 1, guarantee 6). It accepts exactly what `JSON.parse` accepts, down to
 * `MAX_NESTING` levels: RFC 8259, UTF-8, with or without a byte order mark. It never throws, and it recurses nowhere.
 *
 * A key that occurs twice means its last value, as it does to `JSON.parse`: both readings of one body must agree.
 */

/** From `start` up to, not including, `end`, in bytes of the whole input. */
export interface ByteSpan {
  readonly start: number;
  readonly end: number;
}

/** The spans by key. */
export type EnvelopeSpans = ReadonlyMap<string, ByteSpan>;

export type ScanFailure = 'not-utf8' | 'not-json' | 'not-an-object' | 'too-deep';

interface FailedScan {
  readonly ok: false;
  readonly reason: ScanFailure;
}

export type EnvelopeScan = { readonly ok: true; readonly spans: EnvelopeSpans } | FailedScan;

const BACKSLASH = 0x5c;
/** Of `\u0061`. */
const UNICODE_ESCAPE_BYTES = 6;
const COMMA = 0x2c;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const BOM = [0xef, 0xbb, 0xbf];

/** Which keys a reader wants the spans of. Made once, by `wantedNames`. */
export interface WantedNames {
  readonly names: ReadonlySet<string>;
  /** By a key's length in bytes: 1 where one of the names is as long. */
  readonly lengths: Uint8Array;
}

/** Of ASCII characters, none of which JSON has a short escape for. */
export function wantedNames(...names: string[]): WantedNames {
  const lengths = new Uint8Array(Math.max(...names.map((name) => name.length)) + 1);
  for (const name of names) lengths[name.length] = 1;
  return { names: new Set(names), lengths };
}

/** The spans of the values of the object that the bytes are: of those that are wanted, or of all. */
export function scanEnvelope(bytes: Uint8Array, wanted: WantedNames | null = null): EnvelopeScan {
  const scan = scanEnvelopeInside(bytes, null, wanted);
  return scan.ok ? { ok: true, spans: scan.spans } : scan;
}

type EnvelopeScanInside =
  | {
      readonly ok: true;
      readonly spans: EnvelopeSpans;
      /** Within the same bytes; null where there is no such value, or it is no object. */
      readonly inside: EnvelopeSpans | null;
    }
  | FailedScan;

/**
 * As `scanEnvelope`, with the spans of the values of the object under the key `inside`, found in the same pass;
 * `inside` is one of the wanted names.
 *
 * With `wanted`, a body of 5 MB that is nothing but keys is walked through in a tenth of the time: the text of a key,
 * its entry and its span are only made for keys that can be one of the names.
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

/** The bytes of a span, as received, without a copy; null where there is no such span. */
export function spanBytes(bytes: Uint8Array, span: ByteSpan | undefined): Uint8Array | null {
  return span === undefined ? null : bytes.subarray(span.start, span.end);
}

/** The text of a span that the scanner has found to be UTF-8. */
export function spanText(bytes: Uint8Array, { start, end }: ByteSpan): string {
  return bufferOf(bytes).toString('utf8', start, end);
}

type Spans = Map<string, ByteSpan>;

interface Wish {
  readonly spans: Spans;
  readonly wanted: WantedNames | null;
}

/** Where a value ends that begins at `at`, under `key`, null for one that is not wanted; below zero: it is none. */
type EndOf = (key: string | null, at: number) => number;

/** Reads what is wanted of the object that begins at `start`; answers where it ends, as the scanner's functions do. */
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

/** The end of the bytes, if nothing but space is behind `end`, which may be below zero. */
function endOfAll(bytes: Uint8Array, end: number): number {
  if (end < 0) return end;
  return endOfSpace(bytes, end) === bytes.byteLength ? bytes.byteLength : NOT_JSON;
}

/** The same bytes. A buffer makes text of a part of them without a view or a decoder in between. */
function bufferOf(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** The text of a key, given with its quotes. Only JSON's own parser knows all escapes. */
function keyText(bytes: Buffer, start: number, end: number): string {
  const text = bytes.toString('utf8', start + 1, end - 1);
  return text.includes('\\') ? (JSON.parse(`"${text}"`) as string) : text;
}

/** The text of a key, given with its quotes, if it is one of the names. */
function wantedKey(bytes: Buffer, start: number, end: number, { names, lengths }: WantedNames): string | null {
  const length = end - start - 2;
  if (lengths[length] === 1) {
    const text = bytes.toString('latin1', start + 1, end - 1);
    if (names.has(text)) return text;
  }
  // A name whose every character is escaped is the longest text of one.
  if (length >= lengths.length * UNICODE_ESCAPE_BYTES) return null;
  const text = unescapedName(bytes, start + 1, end - 1, lengths.length);
  return text !== null && names.has(text) ? text : null;
}

/**
 * The text of a key with `\u00XX` in it; null for one without escapes, with others, or of `limit` characters or more:
 * none of them is a name.
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

/** The scanner has seen that it is one. */
function hexDigit(byte: number): number {
  return byte <= 0x39 ? byte - 0x30 : (byte | 0x20) - 0x57;
}

function reasonOf(end: number): ScanFailure {
  return end === TOO_DEEP ? 'too-deep' : 'not-json';
}

function failed(reason: ScanFailure): FailedScan {
  return { ok: false, reason };
}
