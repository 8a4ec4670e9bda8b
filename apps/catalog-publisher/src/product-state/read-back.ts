import { canonicalText } from '@gondola/shared/files/content-hash';
import { decimalTextToNumberToken } from '@gondola/shared/fields/digits';
import { isPlainRecord, type JsonRecord, type JsonValue } from '@gondola/shared/json/json-digits';
import { type AppliedProduct, changedKeys, ownSku, referenceOf, splitBody } from './applied-product.ts';

/**
 * Where the read model has the value of a product's input key (docs/platform.md, "Product read model" and "Naming
 * differences"). Keys that are not listed cannot be read back.
 */
const PRODUCT_KEYS: Readonly<Record<string, readonly string[]>> = {
  ...same(['externalReference', 'name', 'title', 'slug', 'shortDescription', 'longDescription', 'similarTerms']),
  ...same(['fiscalCode', 'ean', 'punctuation', 'displayInSite', 'displayInSoldOut', 'active']),
  commercialPolicyId: ['commercialPoliticId'],
  brandExternalReference: ['brand', 'externalReference'],
  categoryExternalReference: ['category', 'externalReference'],
};

const SKU_KEYS: Readonly<Record<string, readonly string[]>> = {
  ...same(['externalReference', 'name', 'ean', 'reference', 'manufacturerCode', 'arrivalDate']),
  ...same(['weightForFreight', 'heightForFreight', 'widthForFreight', 'lengthForFreight']),
  ...same(['weightReal', 'heightReal', 'widthReal', 'lengthReal']),
  unitOfMeasurement: ['unitOfMeasure'],
};

/**
 * What reading a product back says of a body that was sent (rule 27). `cannot-tell`: what can be read agrees, but of
 * the product, or of some SKU, everything that was to change is something that cannot be read.
 */
export type ReadVerdict = 'as-asked' | 'differs' | 'cannot-tell';

/** Compares what can be read of a product with what was asked; `applied` is what was known before. */
export function compareRead(body: JsonRecord, applied: AppliedProduct, readModel: JsonRecord): ReadVerdict {
  const { product, skus } = splitBody(body);
  const readSkus = splitBody(readModel).skus;
  const parts = [
    compareKeys(product, applied.product, readModel, PRODUCT_KEYS),
    ...skus.map((sku) => {
      const read = readSkus.find((candidate) => referenceOf(candidate) === referenceOf(sku));
      return read === undefined ? 'differs' : compareKeys(sku, ownSku(applied, sku), read, SKU_KEYS);
    }),
  ];
  return (
    parts.find((verdict) => verdict === 'differs') ?? parts.find((verdict) => verdict !== 'as-asked') ?? 'as-asked'
  );
}

function compareKeys(
  asked: JsonRecord,
  known: JsonRecord | undefined,
  read: JsonRecord,
  keys: Readonly<Record<string, readonly string[]>>,
): ReadVerdict {
  if (!keysAgree(asked, read, keys)) return 'differs';
  const changed = changedKeys(known, asked);
  return changed.length === 0 || changed.some((key) => Object.hasOwn(keys, key)) ? 'as-asked' : 'cannot-tell';
}

function keysAgree(asked: JsonRecord, read: JsonRecord, keys: Readonly<Record<string, readonly string[]>>): boolean {
  return Object.entries(asked).every(([key, value]) => {
    const path = Object.hasOwn(keys, key) ? keys[key] : undefined;
    return path === undefined || comparable(key, valueAt(read, path)) === comparable(key, value);
  });
}

function valueAt(record: JsonRecord, path: readonly string[]): JsonValue {
  let value: JsonValue = record;
  for (const key of path) value = isPlainRecord(value) ? (value[key] ?? null) : null;
  return value;
}

/** A date may be read back with a time behind it, and a number as text. */
function comparable(key: string, value: JsonValue): string {
  if (key === 'arrivalDate' && typeof value === 'string') return value.slice(0, 'YYYY-MM-DD'.length);
  return canonicalText(decimalTextToNumberToken(value) ?? value);
}

function same(keys: readonly string[]): Record<string, readonly string[]> {
  return Object.fromEntries(keys.map((key) => [key, [key]]));
}
