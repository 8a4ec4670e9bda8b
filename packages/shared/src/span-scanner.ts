import { isUtf8 } from 'node:buffer';
import { endOfColon, endOfSpace, endOfString, endOfValue, NOT_JSON, TOO_DEEP } from './json-scanner.ts';

/**
 * Finds where the top-level values of a JSON object stand in the bytes received, so that `data` and `error` can be hashed and passed on
 * as they came (rule 1, guarantee 6). It accepts exactly what `JSON.parse` accepts, down to `MAX_NESTING` levels: RFC 8259, UTF-8, with or
 * without a byte order mark. It never throws, and it recurses nowhere.
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

const COMMA = 0x2c;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const BOM = [0xef, 0xbb, 0xbf];

/** The spans of the values of the object that the bytes are. */
export function scanEnvelope(bytes: Uint8Array): EnvelopeScan {
  const scan = scanEnvelopeInside(bytes, null);
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

/** As `scanEnvelope`, with the spans of the values of the object under the key `inside`, found in the same pass. */
export function scanEnvelopeInside(received: Uint8Array, inside: string | null): EnvelopeScanInside {
  if (!isUtf8(received)) return failed('not-utf8');
  const bytes = bufferOf(received);
  const start = endOfSpace(bytes, BOM.every((byte, index) => bytes[index] === byte) ? BOM.length : 0);
  if (bytes[start] !== OPEN_OBJECT) {
    const end = endOfAll(bytes, endOfValue(bytes, start, 0));
    return failed(end < 0 ? reasonOf(end) : 'not-an-object');
  }
  const spans: Spans = new Map();
  let found: EnvelopeSpans | null = null;
  const end = readObject(bytes, start, spans, (key, at) => {
    if (key !== inside) return endOfValue(bytes, at, 1);
    found = null;
    if (bytes[at] !== OPEN_OBJECT) return endOfValue(bytes, at, 1);
    const values: Spans = new Map();
    found = values;
    return readObject(bytes, at, values, (_key, valueAt) => endOfValue(bytes, valueAt, 2));
  });
  const whole = endOfAll(bytes, end);
  return whole < 0 ? failed(reasonOf(whole)) : { ok: true, spans, inside: found };
}

/** The bytes of a span, as received, without a copy; null where there is no such span. */
export function spanBytes(bytes: Uint8Array, span: ByteSpan | undefined): Uint8Array | null {
  return span === undefined ? null : bytes.subarray(span.start, span.end);
}

type Spans = Map<string, ByteSpan>;

/** Where a value ends that begins at `at`, under `key`; below zero: it is none. */
type EndOf = (key: string, at: number) => number;

/** Reads the object that begins at `start` into `spans`; answers where it ends, as the scanner's functions do. */
function readObject(bytes: Buffer, start: number, spans: Spans, endOf: EndOf): number {
  let at = endOfSpace(bytes, start + 1);
  if (bytes[at] === CLOSE_OBJECT) return at + 1;
  for (;;) {
    const keyEnd = endOfString(bytes, at);
    if (keyEnd < 0) return keyEnd;
    const key = keyText(bytes, at, keyEnd);
    at = endOfColon(bytes, keyEnd);
    if (at < 0) return at;
    const end = endOf(key, at);
    if (end < 0) return end;
    spans.set(key, { start: at, end });
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

function reasonOf(end: number): ScanFailure {
  return end === TOO_DEEP ? 'too-deep' : 'not-json';
}

function failed(reason: ScanFailure): FailedScan {
  return { ok: false, reason };
}
