import { isEmpty } from '../fields/field-checks.ts';
import type { FieldTable } from '../schemas/field.decorators.ts';
import { type JsonRecord, type JsonValue, isPlainRecord } from '../json/json-digits.ts';
import { PRODUCT_FIELDS, type ProductRecordDto } from './product-record.dto.ts';
import { SKU_FIELDS, type SkuRecordDto } from './sku-record.dto.ts';
import { slugOf } from './slug.ts';

/**
 * Values for fields that a tenant's ERP does not have (rule 23): `catalog.defaults` of the tenants file.
 *
 * ```yaml
 * defaults:
 *   product:
 *     punctuation: 10
 *     commercialPolicyId: varejo                 # a GUID or an alias of `commercialPolicies`
 *     slug: { from: nameAndReference }           # pattern: '{reference}-{name}', '{reference}' …; see `slugOf`
 *     shortDescription: { from: title }
 *     longDescription: { from: title }
 *   sku:
 *     name: { from: productName }
 *     manufacturerCode: "N/A"
 *     arrivalDate: "2026-01-01"
 *   byCategory:                                  # before the two above, by categoryExternalReference
 *     "FRIOS": { sku: { weightForFreight: "0.5", heightForFreight: "10" } }
 * ```
 */
export interface CatalogDefaults extends LevelDefaults {
  readonly byCategory?: Readonly<Record<string, LevelDefaults>>;
}

export interface LevelDefaults {
  readonly product?: ProductDefaults;
  readonly sku?: SkuDefaults;
}

/** A value as it would be in the record; decimal text preserves the digits of a number. */
export type DefaultValue = string | number | boolean;

/** Fields of a product that can be derived from another field, each with its only source. */
export const PRODUCT_DERIVATIONS = {
  slug: 'nameAndReference',
  shortDescription: 'title',
  longDescription: 'title',
} as const;

/** Fields of a SKU that can be derived from another field. */
export const SKU_DERIVATIONS = { name: 'productName' } as const;

type Defaults<Field extends string, Derivations extends Readonly<Record<string, string>>> = {
  readonly [Name in Field]?:
    | DefaultValue
    | (Name extends keyof Derivations ? Derivation & { readonly from: Derivations[Name] } : never);
};

/** Derivation of a field from another. */
interface Derivation {
  readonly from: string;
  /** Pattern of a slug; must match `SLUG_PATTERN`. */
  readonly pattern?: string | undefined;
}

export type ProductDefaults = Defaults<
  Exclude<keyof ProductRecordDto, 'externalReference' | 'skus'>,
  typeof PRODUCT_DERIVATIONS
>;
export type SkuDefaults = Defaults<Exclude<keyof SkuRecordDto, 'externalReference'>, typeof SKU_DERIVATIONS>;

/** The field that each source is, or begins with. */
const SOURCE_FIELDS = { nameAndReference: 'name', title: 'title', productName: 'name' } as const;

/** The product's field from which a field of the product or of a SKU is derived. */
export function sourceField(field: string, ofSku: boolean): string | undefined {
  const derivations: Readonly<Record<string, keyof typeof SOURCE_FIELDS>> = ofSku
    ? SKU_DERIVATIONS
    : PRODUCT_DERIVATIONS;
  const source = Object.hasOwn(derivations, field) ? derivations[field] : undefined;
  return source === undefined ? undefined : SOURCE_FIELDS[source];
}

/** Entities that the shop already has; all others are created, and only created ones get defaults. */
export interface KnownProduct {
  readonly product: boolean;
  readonly skus: ReadonlySet<string>;
  /** Known values of the product, by input name: they count where the record of a known product names none. */
  readonly values?: JsonRecord;
}

export interface FilledField {
  readonly field: string;
  readonly ofSku: boolean;
}

/** Fields to be derived from others, whether or not that was possible; for SKUs in the order of `skus`. */
export interface DerivedFields {
  readonly product: ReadonlySet<string>;
  readonly skus: readonly ReadonlySet<string>[];
}

/**
 * A product record, by the names of the input tables, with the tenant's defaults in the fields that it lacks, and
 * the names of those fields. A field that is present stays unchanged, even if null, except a required one: there
 * null or empty text counts as missing. Nothing is filled in for a known product or SKU, so a generated slug never
 * changes. A new SKU of a known product gets what it would have got with the product: the category and the name count
 * that the record names, else those that are known.
 */
export function applyDefaults(
  record: JsonRecord,
  defaults: CatalogDefaults,
  known: KnownProduct,
): { readonly record: JsonRecord; readonly filled: readonly FilledField[]; readonly derived: DerivedFields } {
  const valueOf = (named: JsonRecord, field: string): JsonValue | undefined =>
    Object.hasOwn(named, field) || !known.product ? named[field] : known.values?.[field];
  const category = valueOf(record, 'categoryExternalReference');
  const ofCategory = typeof category === 'string' ? ownValue(defaults.byCategory, category) : undefined;
  const filled: FilledField[] = [];
  const ofProduct = new Set<string>();

  const product = known.product
    ? record
    : fill(record, { ...defaults.product, ...ofCategory?.product }, PRODUCT_FIELDS, {
        derive: (derivation) => deriveForProduct(derivation, record),
        note: (field) => filled.push({ field, ofSku: false }),
        noteDerived: (field) => ofProduct.add(field),
      });

  const { skus } = product;
  if (!Array.isArray(skus)) return { record: product, filled, derived: { product: ofProduct, skus: [] } };
  const ofSkus = skus.map(() => new Set<string>());
  const filledSkus = skus.map((sku: JsonValue, index) => {
    const reference = isPlainRecord(sku) ? sku['externalReference'] : undefined;
    if (!isPlainRecord(sku) || (typeof reference === 'string' && known.skus.has(reference))) return sku;
    return fill(sku, { ...defaults.sku, ...ofCategory?.sku }, SKU_FIELDS, {
      derive: ({ from }) => (from === 'productName' ? valueOf(product, 'name') : undefined),
      note: (field) => filled.push({ field, ofSku: true }),
      noteDerived: (field) => ofSkus[index]?.add(field),
    });
  });
  return { record: { ...product, skus: filledSkus }, filled, derived: { product: ofProduct, skus: ofSkus } };
}

type Derive = (derivation: Derivation) => JsonValue | undefined;

function fill(
  record: JsonRecord,
  defaults: Readonly<Record<string, DefaultValue | Derivation | undefined>>,
  table: FieldTable,
  on: {
    readonly derive: Derive;
    readonly note: (field: string) => void;
    readonly noteDerived: (field: string) => void;
  },
): JsonRecord {
  const added: [string, JsonValue][] = [];
  for (const [field, value] of Object.entries(defaults)) {
    const present = record[field];
    const lacks = table[field]?.required === undefined ? present === undefined : isEmpty(present);
    if (lacks && typeof value === 'object') on.noteDerived(field);
    const supplied = typeof value === 'object' ? on.derive(value) : value;
    if (!lacks || supplied === undefined || isEmpty(supplied)) continue;
    added.push([field, supplied]);
    on.note(field);
  }
  return { ...record, ...Object.fromEntries(added) };
}

function deriveForProduct({ from, pattern }: Derivation, record: JsonRecord): JsonValue | undefined {
  if (from === 'title') return record['title'];
  const { name, externalReference } = record;
  return typeof name === 'string' && name !== '' && typeof externalReference === 'string'
    ? slugOf(name, externalReference, pattern)
    : undefined;
}

function ownValue<T>(record: Readonly<Record<string, T>> | undefined, key: string): T | undefined {
  return record !== undefined && Object.hasOwn(record, key) ? record[key] : undefined;
}
