import { BRAND_FIELDS } from './brand-record.dto.ts';
import { CATEGORY_FIELDS } from './category-record.dto.ts';
import { type JsonRecord, type JsonValue, isPlainRecord } from '../json/json-digits.ts';
import { PRODUCT_FIELDS } from './product-record.dto.ts';
import { SKU_FIELDS } from './sku-record.dto.ts';

/**
 * Names that differ between the platform's answers and its input (platform document, "Product read model"; rule
 * 22). The platform silently ignores unknown keys, so an untranslated key would lose its value.
 */

export interface Translation {
  /** Name, or path of two names, in the read model. */
  readonly from: string;
  /** Name in the input. */
  readonly to: string;
}

export const PRODUCT_TRANSLATIONS: readonly Translation[] = [
  { from: 'commercialPoliticId', to: 'commercialPolicyId' },
  { from: 'brand.externalReference', to: 'brandExternalReference' },
  { from: 'category.externalReference', to: 'categoryExternalReference' },
];

export const SKU_TRANSLATIONS: readonly Translation[] = [{ from: 'unitOfMeasure', to: 'unitOfMeasurement' }];

/**
 * Keys of the read model that cannot be set: they are dropped and listed, so that a read model can be sent back
 * unchanged (rules 20, 22).
 */
export const PRODUCT_READ_ONLY: ReadonlySet<string> = new Set([
  'id',
  'contractAccountId',
  'hasImage',
  'brandId',
  'categoryId',
  'createdAt',
  'updatedAt',
  'approvedByUserId',
]);

/**
 * Read-only keys in the entries of `skus`. The read model has a SKU's `active`, but the input table has no such
 * field.
 */
export const SKU_READ_ONLY: ReadonlySet<string> = new Set(['id', 'active']);

/** A record with the names of the input tables. */
export interface TranslatedNames {
  readonly record: JsonRecord;
  /** The ERP's name of each translated key, by its input name: errors use the ERP's names. */
  readonly erpNames: ReadonlyMap<string, string>;
  /** Keys of the read model that were dropped. */
  readonly dropped: readonly string[];
}

/** Translates the names of a product record; `skus` stays unchanged. */
export function translateProductNames(record: JsonRecord): TranslatedNames {
  return translate(record, PRODUCT_TRANSLATIONS, PRODUCT_READ_ONLY);
}

/** Translates one entry of `skus`. */
export function translateSkuNames(sku: JsonRecord): TranslatedNames {
  return translate(sku, SKU_TRANSLATIONS, SKU_READ_ONLY);
}

/**
 * The ERP's name of a property that the platform rejected: `EAN` is `ean`, `ManufacturerCode` is `manufacturerCode`
 * (platform document, "Error object"; rule 26). An unknown property stays unchanged.
 */
export function fieldOfProperty(property: string, level: keyof typeof FIELDS_OF): string {
  const lower = property.toLowerCase();
  return Object.keys(FIELDS_OF[level]).find((name) => name.toLowerCase() === lower) ?? property;
}

const FIELDS_OF = { product: PRODUCT_FIELDS, sku: SKU_FIELDS, brand: BRAND_FIELDS, category: CATEGORY_FIELDS };

function translate(
  record: JsonRecord,
  translations: readonly Translation[],
  readOnly: ReadonlySet<string>,
): TranslatedNames {
  const erpNames = new Map<string, string>();
  const dropped: string[] = [];
  const entries: [string, JsonValue][] = [];
  for (const [key, value] of Object.entries(record)) {
    const translation = translations.find((candidate) => isAbout(candidate, key, value));
    const translated = translation === undefined ? undefined : valueAt(translation, value);
    if (readOnly.has(key)) {
      dropped.push(key);
    } else if (translation === undefined) {
      entries.push([key, value]);
    } else if (translated === undefined || Object.hasOwn(record, translation.to)) {
      // The input name takes precedence, and a block without the reference contains nothing to send.
      dropped.push(key);
    } else {
      entries.push([translation.to, translated]);
      erpNames.set(translation.to, translation.from);
    }
  }
  return { record: Object.fromEntries(entries), erpNames, dropped };
}

/**
 * A block must be an object or null: a text under `brand` is not from a read model, and its meaning is not guessed.
 */
function isAbout({ from }: Translation, key: string, value: JsonValue): boolean {
  return from === key || (from.startsWith(`${key}.`) && (value === null || isPlainRecord(value)));
}

/** The value for the new name; undefined if the block lacks it. A null block is a null reference. */
function valueAt({ from }: Translation, value: JsonValue): JsonValue | undefined {
  const [, inner] = from.split('.');
  if (inner === undefined || !isPlainRecord(value)) return value;
  return value[inner];
}
