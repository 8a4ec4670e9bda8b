import { tryParseWithDigits } from '../json/json-digits.ts';
import { type ByteSpan, scanEnvelope, spanBytes, spanText, wantedNames } from '../json/span-scanner.ts';
import { isFailureEvent } from './event-names.ts';
import { isIdentityText } from './identities.ts';

/** Text fields of the platform's notifications (docs/platform.md, "Notification envelope"). */
export const ENVELOPE_TEXTS = ['operationId', 'contractAccountId', 'relatedEntity', 'eventType'] as const;

/** A notification as an app reads it: `data` and `error` stay bytes, since few readers parse all of them. */
export interface NotificationEnvelope {
  /** Null if it is no usable text. */
  readonly operationId: string | null;
  /** As written, even if the entity is unknown; null if it is no usable text. */
  readonly relatedEntity: string | null;
  /** Empty if it is no usable text. */
  readonly eventType: string;
  /** Bytes of `data` as received; null if absent. */
  readonly dataBytes: Uint8Array | null;
  /** Bytes of `error` as received; null if absent or null. */
  readonly errorBytes: Uint8Array | null;
  /**
   * True if the core refused something. Fields decide for every name: an error is a refusal (rules 5, 26). A name
   * that ends in `Failed` is also a refusal if the error is missing.
   */
  readonly isFailure: boolean;
}

const WANTED = wantedNames('operationId', 'relatedEntity', 'eventType', 'data', 'error');

/** The envelope in a record of the notification topics; null if it is no JSON object. */
export function readEnvelope(value: Uint8Array | null): NotificationEnvelope | null {
  const scan = value === null ? null : scanEnvelope(value, WANTED);
  if (value === null || scan === null || !scan.ok) return null;
  const { spans } = scan;
  const text = (name: string): string | null => {
    const read = envelopeText(value, spans.get(name));
    return 'text' in read ? read.text : null;
  };
  const eventType = text('eventType') ?? '';
  const errorBytes = notNull(spanBytes(value, spans.get('error')));
  return {
    operationId: text('operationId'),
    relatedEntity: text('relatedEntity'),
    eventType,
    dataBytes: spanBytes(value, spans.get('data')),
    errorBytes,
    isFailure: errorBytes !== null || isFailureEvent(eventType),
  };
}

/**
 * Longest text of the envelope, in UTF-16 units. An operationId has 36, the longest event name 31; PostgreSQL's
 * unique index accepts a dedup key of 2,704 bytes, and two such texts with three bytes per unit leave room for the
 * rest of the key.
 */
const MAX_TEXT_LENGTH = 255;
/** Longest JSON text of such a field: every unit is written as `\uXXXX`. */
const MAX_TEXT_BYTES = MAX_TEXT_LENGTH * 6 + 2;
const QUOTE = 0x22;
const N = 0x6e;

/**
 * A text field of the envelope, by its span in the scanned bytes, or its error. A value that is too long or no text
 * is not parsed, however long it is.
 */
export function envelopeText(
  bytes: Uint8Array,
  span: ByteSpan | undefined,
): { readonly text: string } | { readonly problem: 'FIELD_REQUIRED' | 'FIELD_TYPE' | 'LIMIT' } {
  if (span === undefined) return { problem: 'FIELD_REQUIRED' };
  if (bytes[span.start] !== QUOTE) return { problem: 'FIELD_TYPE' };
  if (span.end - span.start > MAX_TEXT_BYTES) return { problem: 'LIMIT' };
  const text = textAt(bytes, span);
  if (text === '') return { problem: 'FIELD_REQUIRED' };
  if (!isIdentityText(text)) return { problem: 'FIELD_TYPE' };
  return text.length > MAX_TEXT_LENGTH ? { problem: 'LIMIT' } : { text };
}

/**
 * The scanner found one JSON string; only a string with escapes requires a parser, and it may still be unusable.
 */
function textAt(bytes: Uint8Array, { start, end }: ByteSpan): unknown {
  const text = spanText(bytes, { start: start + 1, end: end - 1 });
  return text.includes('\\') ? tryParseWithDigits(`"${text}"`) : text;
}

/** Null is the only JSON value that begins with an n. */
function notNull(bytes: Uint8Array | null): Uint8Array | null {
  return bytes?.[0] === N ? null : bytes;
}
