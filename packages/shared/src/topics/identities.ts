import { type JsonRecord, isPlainRecord } from '../json/json-digits.ts';
import { MAX_IDENTITY_LENGTH } from '../limits.ts';

/** The kinds of entity that lanes, partition keys and results speak of. */
export const ENTITY_KINDS = [
  'product',
  'brand',
  'category',
  'sku',
  'price',
  'warehouse',
  'stock',
  'order',
  'user',
  'operation',
  'file',
] as const;

export type EntityKind = (typeof ENTITY_KINDS)[number];

/** The eight values of `relatedEntity` (platform document, "Notification envelope") and the kind each one is here. */
export const RELATED_ENTITY_KINDS = {
  ProductWithSKUs: 'product',
  Category: 'category',
  Brand: 'brand',
  Warehouse: 'warehouse',
  WarehouseSKU: 'stock',
  SKUPricing: 'price',
  Order: 'order',
  User: 'user',
} as const satisfies Record<string, EntityKind>;

export type RelatedEntity = keyof typeof RELATED_ENTITY_KINDS;

export function isRelatedEntity(name: unknown): name is RelatedEntity {
  return typeof name === 'string' && Object.hasOwn(RELATED_ENTITY_KINDS, name);
}

/** An entity of one tenant: what is ordered, locked and distinguished. */
export interface EntityIdentity {
  readonly kind: EntityKind;
  readonly identity: string;
}

/**
 * Whether a value of a record can be the identity of something (`commandId`, `recordId`, `externalReference`): text,
 * neither empty nor longer than `MAX_IDENTITY_LENGTH`, and storable: a NUL or half a surrogate pair survives neither
 * PostgreSQL nor UTF-8.
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

// Between slashes or backslashes, or alone.
const DOT_SEGMENT = /(?:^|[/\\])\.{1,2}(?:$|[/\\])/;

/**
 * Whether a reference has a segment `.` or `..`. It stands in the paths of the platform's routes, and whoever reads an
 * address takes such a segment for a way up, percent-encoded too: the call would reach another route.
 */
export function climbsPaths(reference: string): boolean {
  return DOT_SEGMENT.test(reference);
}

/**
 * `<tenant>/<kind>/<identity>`: what the partition is chosen by. A tenant's id and a kind hold no slash, so that two
 * entities never share a text.
 */
export function partitionKey(tenant: string, kind: EntityKind, identity: string): string {
  return `${tenant}/${kind}/${identity}`;
}

/** `<tenant>/command/<commandId>`: the place of a result whose command names no readable entity. */
export function commandPartitionKey(tenant: string, commandId: string): string {
  return `${tenant}/command/${commandId}`;
}

/** `ce_subject`: the entity within its tenant. */
export function subjectOf(entity: EntityIdentity): string {
  return `${entity.kind}/${entity.identity}`;
}

/**
 * The entity that a notification's `data` is about, by the identity table of the platform's document ("Delivery
 * rules"). Null where there is none: a WarehouseSKU has no scalar identity, a User's is an e-mail and never goes into a
 * key (rule 1), and a record without the field has none.
 */
export function notificationIdentity(relatedEntity: RelatedEntity, data: unknown): EntityIdentity | null {
  if (!isPlainRecord(data)) return null;
  const identity = IDENTITY_OF[relatedEntity](data);
  return identity === null ? null : { kind: RELATED_ENTITY_KINDS[relatedEntity], identity };
}

/**
 * Where a notification goes: its entity's partition key and subject, or its operation's partition key and no subject.
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
 * An order's number as canonical decimal text, from a JSON integer or decimal text; null for anything else, and for
 * what a JSON reader with floats would change (above 2^53). Leading zeros are no part of a number, so that `"0100234"`
 * is not a second order.
 */
export function orderNumberText(value: unknown): string | null {
  const text = typeof value === 'number' ? String(value) : value;
  if (typeof text !== 'string' || !/^\d{1,30}$/.test(text)) return null;
  return Number.isSafeInteger(Number(text)) ? String(Number(text)) : null;
}

const IDENTITY_OF: Readonly<Record<RelatedEntity, (data: JsonRecord) => string | null>> = {
  Order: (data) => orderNumberText(data['number']),
  ProductWithSKUs: ({ product }) => (isPlainRecord(product) ? scalarText(product['externalReference']) : null),
  Brand: (data) => scalarText(data['externalReference']),
  Category: (data) => scalarText(data['externalReference']),
  Warehouse: (data) => scalarText(data['id']),
  SKUPricing: (data) => pairText(scalarText(data['skuId']), scalarText(data['commercialPolicyId'])),
  WarehouseSKU: () => null,
  User: () => null,
};

function scalarText(value: unknown): string | null {
  if (isIdentityText(value)) return value;
  return typeof value === 'number' && Number.isSafeInteger(value) ? String(value) : null;
}

function pairText(first: string | null, second: string | null): string | null {
  if (first === null || second === null) return null;
  return `${first.replaceAll('%', '%25').replaceAll('/', '%2F')}/${second}`;
}
