import { tryParseWithDigits } from '../json/json-digits.ts';
import { type ByteSpan, scanEnvelope, spanBytes, spanText, wantedNames } from '../json/span-scanner.ts';
import { isFailureEvent } from './event-names.ts';
import { isIdentityText } from './identities.ts';

/** The fields of the platform's notifications that are text (docs/platform.md, "Notification envelope"). */
export const ENVELOPE_TEXTS = ['operationId', 'contractAccountId', 'relatedEntity', 'eventType'] as const;

/** A notification as an app reads it: `data` and `error` stay bytes, since few readers need all of them parsed. */
export interface NotificationEnvelope {
  /** Null where it is no usable text. */
  readonly operationId: string | null;
  /** As written, also where nobody knows such an entity; null where it is no usable text. */
  readonly relatedEntity: string | null;
  /** Empty where it is no usable text. */
  readonly eventType: string;
  /** The bytes of `data` as received; null where there is none. */
  readonly dataBytes: Uint8Array | null;
  /** The bytes of `error` as received; null where there is none, and where it is null. */
  readonly errorBytes: Uint8Array | null;
  /**
   * The core refused something. Fields decide, for every name: an error is a refusal (rules 5, 26). A name that ends in
   * `Failed` is one even if its error got lost on the way.
   */
  readonly isFailure: boolean;
}

const WANTED = wantedNames('operationId', 'relatedEntity', 'eventType', 'data', 'error');

/** The envelope in a record of the notification topics; null for what is no JSON object. */
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
 * Longest text of the envelope, in UTF-16 units. An operationId has 36, the longest event name 31; PostgreSQL's unique
 * index takes a dedup key of 2,704 bytes, and two such texts, at three bytes a unit, leave room for the rest of it.
 */
const MAX_TEXT_LENGTH = 255;
/** The longest that the JSON text of such a field can be: all of it `\uXXXX`. */
const MAX_TEXT_BYTES = MAX_TEXT_LENGTH * 6 + 2;
const QUOTE = 0x22;
const N = 0x6e;

/**
 * A field of the envelope that must be text, by its span in the scanned bytes, or what is wrong with it. A value that
 * is too long or no text is not parsed, however long it is.
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

/** The scanner found one JSON string there; only one with escapes needs a parser, and may be no text for all that. */
function textAt(bytes: Uint8Array, { start, end }: ByteSpan): unknown {
  const text = spanText(bytes, { start: start + 1, end: end - 1 });
  return text.includes('\\') ? tryParseWithDigits(`"${text}"`) : text;
}

/** Of JSON's values only null begins with an n. */
function notNull(bytes: Uint8Array | null): Uint8Array | null {
  return bytes?.[0] === N ? null : bytes;
}
