import { decodeUtf8 } from './json-digits.ts';
import { JsonScanner } from './json-scanner.ts';

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

/** The spans by key. The record has no prototype: any key may be asked for. */
export type EnvelopeSpans = Readonly<Record<string, ByteSpan>>;

export type ScanFailure = 'not-utf8' | 'not-json' | 'not-an-object' | 'too-deep';

/** `at` is the byte where reading ended. */
interface FailedScan {
  readonly ok: false;
  readonly reason: ScanFailure;
  readonly at: number;
}

export type EnvelopeScan = { readonly ok: true; readonly spans: EnvelopeSpans } | FailedScan;

const COMMA = 0x2c;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

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
export function scanEnvelopeInside(bytes: Uint8Array, inside: string | null): EnvelopeScanInside {
  if (decodeUtf8(bytes) === undefined) return { ok: false, reason: 'not-utf8', at: 0 };
  const scanner = new JsonScanner(bytes);
  scanner.skipSpace();
  if (!scanner.isAt(OPEN_OBJECT))
    return scanner.skipValue(0) && isAtEnd(scanner) ? failed(scanner, 'not-an-object') : failed(scanner);
  let found: EnvelopeSpans | null = null;
  const spans = objectSpans(scanner, bytes, (key) => {
    if (key !== inside) return scanner.skipValue(1);
    found = null;
    if (!scanner.isAt(OPEN_OBJECT)) return scanner.skipValue(1);
    found = objectSpans(scanner, bytes, () => scanner.skipValue(2));
    return found !== null;
  });
  return spans !== null && isAtEnd(scanner) ? { ok: true, spans, inside: found } : failed(scanner);
}

/** The bytes of a span, as received, without a copy; null where there is no such span. */
export function spanBytes(bytes: Uint8Array, span: ByteSpan | undefined): Uint8Array | null {
  return span === undefined ? null : bytes.subarray(span.start, span.end);
}

/** The spans of the object at which the scanner stands, each value skipped by `skip`. */
function objectSpans(scanner: JsonScanner, bytes: Uint8Array, skip: (key: string) => boolean): EnvelopeSpans | null {
  const spans = Object.create(null) as Record<string, ByteSpan>;
  scanner.take(OPEN_OBJECT);
  scanner.skipSpace();
  if (scanner.take(CLOSE_OBJECT)) return spans;
  do {
    scanner.skipSpace();
    const keyStart = scanner.at;
    if (!scanner.skipString()) return null;
    const key = stringText(bytes.subarray(keyStart, scanner.at));
    if (!scanner.skipColon()) return null;
    const start = scanner.at;
    if (!skip(key)) return null;
    spans[key] = { start, end: scanner.at };
    scanner.skipSpace();
  } while (scanner.take(COMMA));
  return scanner.take(CLOSE_OBJECT) ? spans : null;
}

// A byte order mark inside a key belongs to it.
const DECODER = new TextDecoder('utf-8', { ignoreBOM: true });
const BACKSLASH = 0x5c;

function stringText(bytes: Uint8Array): string {
  // Checked before: the bytes are UTF-8, and one JSON string. Only its parser knows all escapes.
  if (bytes.includes(BACKSLASH)) return JSON.parse(DECODER.decode(bytes)) as string;
  return DECODER.decode(bytes.subarray(1, -1));
}

function isAtEnd(scanner: JsonScanner): boolean {
  scanner.skipSpace();
  return scanner.isAt(undefined);
}

function failed(scanner: JsonScanner, reason: ScanFailure = scanner.isTooDeep ? 'too-deep' : 'not-json'): FailedScan {
  return { ok: false, reason, at: scanner.at };
}
