import type { JsonRecord } from '@gondola/shared/json/json-digits';
import type { MadeReference } from './awaiting.ts';

const FIELDS = { brandExternalReference: 'brand', categoryExternalReference: 'category' } as const;

/** The brand and category that a product's body names, but for those that the product already has. */
export function referencesOf(body: JsonRecord, applied: JsonRecord): MadeReference[] {
  return Object.entries(FIELDS).flatMap(([field, kind]) => {
    const externalReference = body[field];
    if (typeof externalReference !== 'string' || externalReference === '') return [];
    return applied[field] === externalReference ? [] : [{ kind, externalReference, field }];
  });
}

/** The references that a tenant's file says to take for known: of a kind all (`true`), or those of a list. */
export interface AssumedReferences {
  readonly brand: true | ReadonlySet<string>;
  readonly category: true | ReadonlySet<string>;
}

const KEYS = { brands: 'brand', categories: 'category' } as const;

/** What is wrong in `catalog.assumeExists`, or what it says: `{ brands: true, categories: ["FRIOS"] }`. */
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
