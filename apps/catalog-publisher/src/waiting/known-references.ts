import type { JsonRecord } from '@gondola/shared/json/json-digits';
import type { MadeReference } from './awaiting.ts';

const FIELDS = { brandExternalReference: 'brand', categoryExternalReference: 'category' } as const;

/** Brand and category of a product's body, without those that the product already has. */
export function referencesOf(body: JsonRecord, applied: JsonRecord): MadeReference[] {
  return Object.entries(FIELDS).flatMap(([field, kind]) => {
    const externalReference = body[field];
    if (typeof externalReference !== 'string' || externalReference === '') return [];
    return applied[field] === externalReference ? [] : [{ kind, externalReference, field }];
  });
}

/**
 * Kinds of which it is known what the product has: its last value is known, or it is not in the shop. After an outcome
 * that is unknown, or a record that never named one, the product may have a reference that is not known.
 *
 * @param mayExist false if the product cannot be in the shop
 */
export function knownReferenceKinds(applied: JsonRecord, mayExist: boolean): ('brand' | 'category')[] {
  return Object.entries(FIELDS).flatMap(([field, kind]) => (!mayExist || Object.hasOwn(applied, field) ? [kind] : []));
}

/** References that the tenants file assumes to exist: all of a kind (`true`), or those of a list. */
export interface AssumedReferences {
  readonly brand: true | ReadonlySet<string>;
  readonly category: true | ReadonlySet<string>;
}

const KEYS = { brands: 'brand', categories: 'category' } as const;

/** Reads `catalog.assumeExists`, such as `{ brands: true, categories: ["FRIOS"] }`, or returns its mistakes. */
export function readAssumedReferences(
  setting: Readonly<Record<string, unknown>>,
): { readonly ok: true; readonly assumed: AssumedReferences } | { readonly ok: false; readonly key: string } {
  const wrong = Object.entries(setting).find(([key, value]) => !Object.hasOwn(KEYS, key) || !isAssumption(value));
  if (wrong !== undefined) return { ok: false, key: wrong[0] };
  const of = (key: keyof typeof KEYS) =>
    setting[key] === true ? true : new Set(Array.isArray(setting[key]) ? (setting[key] as string[]) : []);
  return { ok: true, assumed: { brand: of('brands'), category: of('categories') } };
}

export function isAssumed(
  assumed: AssumedReferences,
  { kind, externalReference }: Pick<MadeReference, 'kind' | 'externalReference'>,
): boolean {
  const ofKind = assumed[kind];
  return ofKind === true || ofKind.has(externalReference);
}

function isAssumption(value: unknown): boolean {
  return typeof value === 'boolean' || (Array.isArray(value) && value.every((item) => typeof item === 'string'));
}
