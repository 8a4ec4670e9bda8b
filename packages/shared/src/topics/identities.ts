import { integerTextOf } from '../json/digits.ts';
import { type JsonRecord, type JsonValue, isPlainRecord } from '../json/json-digits.ts';
import { MAX_IDENTITY_LENGTH } from '../limits.ts';
import { VALUE_KINDS, type ValueEntity, type ValueKind, VALUES } from './values.ts';

/** Kinds of entity in lanes, partition keys and results. */
export const ENTITY_KINDS = [
  'product',
  'brand',
  'category',
  'sku',
  ...VALUE_KINDS,
  'order',
  'user',
  'operation',
  'file',
] as const;

export type EntityKind = (typeof ENTITY_KINDS)[number];

/** The eight values of `relatedEntity` (platform document, "Notification envelope") and their kinds. */
export const RELATED_ENTITY_KINDS = {
  ProductWithSKUs: 'product',
  Category: 'category',
  Brand: 'brand',
  ...byValueEntity((kind) => kind),
  Order: 'order',
  User: 'user',
} as const satisfies Record<string, EntityKind>;

export type RelatedEntity = keyof typeof RELATED_ENTITY_KINDS;

export function isRelatedEntity(name: unknown): name is RelatedEntity {
  return typeof name === 'string' && Object.hasOwn(RELATED_ENTITY_KINDS, name);
}

/** An entity of one tenant: the unit of ordering, locking and identification. */
export interface EntityIdentity {
  readonly kind: EntityKind;
  readonly identity: string;
}

/**
 * True if a value can be an identity (`commandId`, `recordId`, `externalReference`): text that is neither empty nor
 * longer than `MAX_IDENTITY_LENGTH` and can be stored: PostgreSQL rejects NUL, and UTF-8 cannot encode half a
 * surrogate pair.
 */
export function isIdentityText(value: unknown): value is string {
  return (
    typeof value === 'string' &&
    value.length > 0 &&
    value.length <= MAX_IDENTITY_LENGTH &&
    !value.includes('\0') &&
    value.isWellFormed()
  );
}

// A segment between slashes or backslashes, or the whole reference.
const DOT_SEGMENT = /(?:^|[/\\])\.{1,2}(?:$|[/\\])/;

/**
 * True if a reference has a segment `.` or `..`. The reference is part of the platform's paths, and servers resolve
 * such a segment as a step upwards, even percent-encoded: the call would reach another route.
 */
export function climbsPaths(reference: string): boolean {
  return DOT_SEGMENT.test(reference);
}

/**
 * `<tenant>/<kind>/<identity>`: chooses the partition. A tenant's id and a kind contain no slash, so two entities
 * never have the same text.
 */
export function partitionKey(tenant: string, kind: EntityKind, identity: string): string {
  return `${tenant}/${kind}/${identity}`;
}

/** `<tenant>/command/<commandId>`: chooses the partition of a result whose command names no readable entity. */
export function commandPartitionKey(tenant: string, commandId: string): string {
  return `${tenant}/command/${commandId}`;
}

/** `ce_subject`: the entity within its tenant. */
export function subjectOf(entity: EntityIdentity): string {
  return `${entity.kind}/${entity.identity}`;
}

/**
 * The entity in a notification's `data`, by the identity table of the platform's document ("Delivery rules"). Null
 * if there is none: a WarehouseSKU has no scalar identity, a User's is an e-mail, which must not be in a key (rule
 * 1), and the field may be missing.
 */
export function notificationIdentity(relatedEntity: RelatedEntity, data: unknown): EntityIdentity | null {
  if (!isPlainRecord(data)) return null;
  const identity = IDENTITY_OF[relatedEntity](data);
  return identity === null ? null : { kind: RELATED_ENTITY_KINDS[relatedEntity], identity };
}

/**
 * Partition key and subject of a notification: those of its entity, or its operation's partition key without a
 * subject.
 */
export function notificationRoute(notification: {
  readonly tenant: string;
  readonly operationId: string;
  readonly relatedEntity: RelatedEntity;
  readonly data: unknown;
}): { readonly entity: EntityIdentity | null; readonly partitionKey: string; readonly subject: string | null } {
  const { tenant, operationId, relatedEntity, data } = notification;
  const entity = notificationIdentity(relatedEntity, data);
  if (entity === null) {
    return { entity: null, partitionKey: partitionKey(tenant, 'operation', operationId), subject: null };
  }
  return { entity, partitionKey: partitionKey(tenant, entity.kind, entity.identity), subject: subjectOf(entity) };
}

/**
 * An order's number as canonical decimal text, from a JSON integer or decimal text; null for any other value, and
 * for numbers above 2^53, which a JSON reader with floats would change. Leading zeros are removed, so that
 * `"0100234"` is not a second order.
 */
export function orderNumberText(value: unknown): string | null {
  const text = typeof value === 'string' ? value : integerTextOf(value as JsonValue);
  if (text === null || !/^\d{1,30}$/.test(text)) return null;
  return Number.isSafeInteger(Number(text)) ? String(Number(text)) : null;
}

const IDENTITY_OF: Readonly<Record<RelatedEntity, (data: JsonRecord) => string | null>> = {
  Order: (data) => orderNumberText(data['number']),
  ProductWithSKUs: ({ product }) => (isPlainRecord(product) ? scalarText(product['externalReference']) : null),
  Brand: (data) => scalarText(data['externalReference']),
  Category: (data) => scalarText(data['externalReference']),
  ...byValueEntity((kind) => (data) => joinedText(VALUES[kind].identifiedBy.map((name) => scalarText(data[name])))),
  User: () => null,
};

function byValueEntity<T>(of: (kind: ValueKind) => T): Readonly<Record<ValueEntity, T>> {
  const entries = VALUE_KINDS.map((kind) => [VALUES[kind].relatedEntity, of(kind)]);
  return Object.fromEntries(entries) as Record<ValueEntity, T>;
}

function scalarText(value: unknown): string | null {
  if (isIdentityText(value)) return value;
  const text = typeof value === 'string' ? null : integerTextOf(value as JsonValue);
  return text !== null && Number.isSafeInteger(Number(text)) ? text : null;
}

/** Unique text for several identities; null without any, or if one is missing. */
function joinedText(parts: readonly (string | null)[]): string | null {
  const texts = parts.filter((part) => part !== null);
  const last = texts.at(-1);
  if (last === undefined || texts.length < parts.length) return null;
  const escaped = texts.slice(0, -1).map((text) => text.replaceAll('%', '%25').replaceAll('/', '%2F'));
  return [...escaped, last].join('/');
}
