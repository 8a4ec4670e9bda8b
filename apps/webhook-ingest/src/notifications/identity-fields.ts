import {
  decodeUtf8,
  type JsonRecord,
  type JsonValue,
  numberFromToken,
  tryParseWithDigits,
} from '@gondola/shared/json/json-digits';
import { isRelatedEntity, notificationIdentity, subjectOf } from '@gondola/shared/topics/identities';
import { readEnvelope } from '@gondola/shared/topics/notification-envelope';
import { MAX_IDENTITY_LENGTH } from '@gondola/shared/limits';
import { type EnvelopeSpans, scanEnvelope, spanBytes, wantedNames } from '@gondola/shared/json/span-scanner';

/**
 * Fields in which the identity table of docs/platform.md ("Delivery rules", 5) finds identities, besides
 * `product.externalReference`.
 */
const SCALARS = ['number', 'externalReference', 'id', 'skuId', 'commercialPolicyId'] as const;
/** All keys of `data` that are read. */
export const IDENTITY_NAMES = [...SCALARS, 'product'] as const;
const NAMES_OF_IDENTITIES = wantedNames(...IDENTITY_NAMES);
/** Longest JSON text of an identity: all of it `\uXXXX`. */
const MAX_SCALAR_BYTES = MAX_IDENTITY_LENGTH * 6 + 2;

/**
 * Fields of `data` that can identify an entity; null if `data` is no object. Only these are parsed: parsing a whole
 * `data` of 5 MB would block the event loop, and with it every other delivery, for more than a second.
 */
export function identityFields(data: Uint8Array): JsonRecord | null {
  const spans = spansOf(data);
  return spans === null ? null : identityFieldsAt(data, spans);
}

/** As `identityFields`, for a `data` whose values are at `spans` of `bytes`. */
export function identityFieldsAt(bytes: Uint8Array, spans: EnvelopeSpans): JsonRecord {
  const fields = smallValues(bytes, spans, SCALARS);
  const product = spanBytes(bytes, spans.get('product'));
  const ofProduct = product === null ? null : spansOf(product);
  if (product === null || ofProduct === null) return fields;
  return { ...fields, product: smallValues(product, ofProduct, ['externalReference']) };
}

/**
 * Subject (as in `ce_subject`) of the order that a quarantined body concerns; null if none can be read. A body that
 * names no entity counts as an order's if its `data` has an order number: erasing one content too many is better
 * than one too few. Pure.
 */
export function orderOfBody(body: Uint8Array): string | null {
  const envelope = readEnvelope(body);
  if (envelope === null || envelope.dataBytes === null) return null;
  const { relatedEntity, dataBytes } = envelope;
  if (relatedEntity !== 'Order' && isRelatedEntity(relatedEntity)) return null;
  const identity = notificationIdentity('Order', identityFields(dataBytes));
  return identity === null ? null : subjectOf(identity);
}

function spansOf(bytes: Uint8Array): EnvelopeSpans | null {
  const scan = scanEnvelope(bytes, NAMES_OF_IDENTITIES);
  return scan.ok ? scan.spans : null;
}

function smallValues(bytes: Uint8Array, spans: EnvelopeSpans, names: readonly string[]): Record<string, JsonValue> {
  const values: Record<string, JsonValue> = {};
  for (const name of names) {
    const text = spanBytes(bytes, spans.get(name));
    if (text === null || text.byteLength > MAX_SCALAR_BYTES) continue;
    const value = valueOf(decodeUtf8(text) ?? '');
    if (value !== undefined) values[name] = value;
  }
  return values;
}

const IS_NUMBER = /^[-\d]/;

/** The scanner has found one JSON value: a number, or text without escapes, needs no parser. */
function valueOf(json: string): JsonValue | undefined {
  if (IS_NUMBER.test(json)) return numberFromToken(json);
  return json.startsWith('"') && !json.includes('\\') ? json.slice(1, -1) : tryParseWithDigits(json);
}
