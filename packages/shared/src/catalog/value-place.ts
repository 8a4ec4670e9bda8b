import { createHash } from 'node:crypto';
import { integerTextOf } from '../json/digits.ts';
import { isDigits, isPlainRecord, type JsonRecord, type JsonValue } from '../json/json-digits.ts';
import { isIdentityText } from '../topics/identities.ts';
import { type ValueKind, VALUES } from '../topics/values.ts';

/** Place of a price or stock: a SKU with a warehouse or a policy; for a warehouse its own reference alone. */
export interface ValuePlace {
  readonly externalReference: string;
  readonly warehouse?: string;
  readonly policy?: string;
}

/** Placeholders of the wire profile that stand for what a record names beside `data`, with the record's field. */
export const NAMED_BESIDE = {
  '<SKU>': 'externalReference',
  '<WAREHOUSE>': 'warehouse',
  '<POLICY>': 'policy',
} as const;

/** A tenant's names for the identity of a value of one kind. */
export interface PlaceNames {
  /** Fields that the wire profile adds to `data`: one that is just `<WAREHOUSE>` is the platform's name of it. */
  readonly fields: Readonly<Record<string, unknown>>;
  /** Aliases of commercial policies, each with its GUID. */
  readonly policies: Readonly<Record<string, string>>;
}

/**
 * Names by which `data` may name a warehouse or policy where the wire profile has another name, or none, in lower case
 * without hyphens and underscores: a lane too many loses nothing, one too few loses the values of a store.
 */
const USUAL = {
  warehouse: usual('warehouse|store|branch|depot|loja|filial|dep[oó]sito|armaz[eé]m'),
  policy: usual('(?:commercial)?(?:policy|politic)|pol[ií]tica(?:comercial)?|pricelist|pricetable|tabelapreco'),
} as const;

function usual(names: string): RegExp {
  const code = 'id|code?|c[oó]d(?:igo)?|number|n[uú]mero|(?:external)?reference|ref(?:er[eê]ncia)?';
  return new RegExp(`^(?:${code})?(?:d[aeo])?(?:${names})(?:${code})?$`);
}

const GUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

/**
 * Place of a record as the platform sees it: by `data`, in the platform's names, else as the record names it beside
 * `data`. A policy's alias is its GUID.
 */
export function valuePlace(record: JsonRecord, externalReference: string, names: PlaceNames): ValuePlace {
  const data = isPlainRecord(record['data']) ? record['data'] : {};
  const warehouse = namedIn(data, 'warehouse', names) ?? identityOf(record['warehouse']);
  const policy = namedIn(data, 'policy', names) ?? identityOf(record['policy']);
  return {
    externalReference,
    ...(warehouse !== null && { warehouse }),
    ...(policy !== null && { policy: samePolicy(policy, names) }),
  };
}

/** Identity of the record's lane: unique for each value that the platform tells from others. */
export function valueIdentity(kind: ValueKind, record: JsonRecord, place: ValuePlace, names: PlaceNames): string {
  const id = kind === 'warehouse' ? warehouseId(record, place, names) : null;
  return id === null ? placeText(place) : `${ID_PREFIX}${encodeURIComponent(id)}`;
}

/** No reference begins so: `=` is encoded. */
const ID_PREFIX = 'id=';

/** The documented identity of a warehouse, which is not the ERP's reference unless the profile says so. */
function warehouseId(record: JsonRecord, { externalReference }: ValuePlace, { fields }: PlaceNames): string | null {
  const [name] = VALUES.warehouse.identifiedBy;
  const data = isPlainRecord(record['data']) ? record['data'] : {};
  return identityOf(data[name]) ?? (fields[name] === '<WAREHOUSE>' ? externalReference : null);
}

/** Unique text for each place; `placeFromText` is the inverse. */
export function placeText({ externalReference, warehouse, policy }: ValuePlace): string {
  const parts = [
    encodeURIComponent(externalReference),
    ...(warehouse === undefined ? [] : [`warehouse=${encodeURIComponent(warehouse)}`]),
    ...(policy === undefined ? [] : [`policy=${encodeURIComponent(policy)}`]),
  ];
  return parts.join('/');
}

/** @param text as made by `valueIdentity`; a warehouse that has an `id` of the platform has it as its reference */
export function placeFromText(text: string): ValuePlace {
  if (text.startsWith(ID_PREFIX)) return { externalReference: decodeURIComponent(text.slice(ID_PREFIX.length)) };
  const [reference = '', ...rest] = text.split('/');
  const named = rest
    .map((part) => part.split('=', 2))
    .map(([key = '', value = '']) => [key, decodeURIComponent(value)]);
  return { externalReference: decodeURIComponent(reference), ...(Object.fromEntries(named) as Partial<ValuePlace>) };
}

/** A field of `data` that says otherwise than the record says beside it. */
export interface Contradiction {
  /** `data.warehouseId`. */
  readonly field: string;
  readonly given: JsonValue;
  /** Field of the record. */
  readonly other: string;
  readonly expected: string;
}

/**
 * Fields of `data` that the wire profile would fill with what the record names beside them, and that say otherwise.
 *
 * @param skuId the platform's id of the SKU; null if it is not known
 */
export function contradictions(
  kind: ValueKind,
  record: JsonRecord,
  names: PlaceNames,
  skuId: string | null,
): Contradiction[] {
  const data = isPlainRecord(record['data']) ? record['data'] : {};
  return Object.entries(names.fields).flatMap(([key, template]) => {
    const inside = identityOf(data[key]);
    const found = inside === null ? null : besideOf(kind, template, record, skuId);
    if (inside === null || found === null || samePolicy(inside, names) === samePolicy(found.value, names)) return [];
    return [{ field: `data.${key}`, given: data[key]!, other: found.field, expected: found.value }];
  });
}

function besideOf(
  kind: ValueKind,
  template: unknown,
  record: JsonRecord,
  skuId: string | null,
): { readonly field: string; readonly value: string } | null {
  if (template === '<SKU_ID>') return skuId === null ? null : { field: 'externalReference', value: sameGuid(skuId) };
  const field = typeof template === 'string' ? fieldOf(kind, template) : undefined;
  const value = field === undefined ? null : identityOf(record[field]);
  return field === undefined || value === null ? null : { field, value };
}

function fieldOf(kind: ValueKind, placeholder: string): string | undefined {
  if (kind === 'warehouse' && placeholder === '<WAREHOUSE>') return 'externalReference';
  return Object.entries(NAMED_BESIDE).find(([each]) => each === placeholder)?.[1];
}

/** `data` with the GUID in place of a policy's alias, in the fields that the wire profile fills with the policy. */
export function withoutAliases(data: JsonRecord, { fields, policies }: PlaceNames): JsonRecord {
  const resolved = Object.entries(fields).flatMap(([key, template]): [string, string][] => {
    const value = data[key];
    const isAlias = template === '<POLICY>' && typeof value === 'string' && Object.hasOwn(policies, value.trim());
    return isAlias ? [[key, policies[value.trim()]!]] : [];
  });
  return resolved.length === 0 ? data : { ...data, ...Object.fromEntries(resolved) };
}

function namedIn(data: JsonRecord, part: keyof typeof USUAL, { fields }: PlaceNames): string | null {
  const placeholder = part === 'warehouse' ? '<WAREHOUSE>' : '<POLICY>';
  const profiled = Object.entries(fields).flatMap(([key, template]) => (template === placeholder ? [key] : []));
  const usual = Object.keys(data)
    .filter((key) => USUAL[part].test(key.toLowerCase().replaceAll(/[_-]/g, '')))
    .toSorted();
  for (const key of [...profiled, ...usual]) {
    const value = Object.hasOwn(data, key) ? identityOf(data[key]) : null;
    if (value !== null) return value;
  }
  return null;
}

function samePolicy(policy: string, { policies }: PlaceNames): string {
  return Object.hasOwn(policies, policy) ? sameGuid(policies[policy]!) : policy;
}

/** Text that names something, a number as its digits; a text that cannot be an identity as its hash; null for none. */
function identityOf(value: JsonValue | undefined): string | null {
  const digits = isDigits(value) ? value.rawJSON : typeof value === 'number' ? String(value) : value;
  const text = typeof value === 'string' ? value : (integerTextOf(value) ?? digits);
  const trimmed = typeof text === 'string' ? text.trim() : '';
  if (trimmed === '') return null;
  return isIdentityText(trimmed) ? sameGuid(trimmed) : createHash('sha256').update(trimmed).digest('hex');
}

/** A GUID is the same in upper and in lower case. */
function sameGuid(text: string): string {
  return GUID.test(text) ? text.toLowerCase() : text;
}
