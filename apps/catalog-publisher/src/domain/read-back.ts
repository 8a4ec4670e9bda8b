import { canonicalText } from '@gondola/shared/content-hash';
import { decimalTextToNumberToken } from '@gondola/shared/digits';
import { isPlainRecord, type JsonRecord, type JsonValue } from '@gondola/shared/json-digits';
import { referenceOf, splitBody } from './applied-product.ts';

/**
 * Where the read model has the value of a product's input key (platform-api.md, "Product read model" and "Naming differences"). Keys that are
 * not listed cannot be read back.
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

/** Whether what can be read of a product is what a body asked for (rule 27). */
export function isAsAsked(body: JsonRecord, readModel: JsonRecord): boolean {
  const { product, skus } = splitBody(body);
  if (!keysAgree(product, readModel, PRODUCT_KEYS)) return false;
  const known = splitBody(readModel).skus;
  return skus.every((sku) => {
    const read = known.find((candidate) => referenceOf(candidate) === referenceOf(sku));
    return read !== undefined && keysAgree(sku, read, SKU_KEYS);
  });
}

function keysAgree(asked: JsonRecord, read: JsonRecord, keys: Readonly<Record<string, readonly string[]>>): boolean {
  return Object.entries(asked).every(([key, value]) => {
    const path = keys[key];
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
