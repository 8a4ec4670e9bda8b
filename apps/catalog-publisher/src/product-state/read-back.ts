import { canonicalText } from '@gondola/shared/files/content-hash';
import { decimalTextToNumberToken } from '@gondola/shared/json/digits';
import { isPlainRecord, type JsonRecord, type JsonValue } from '@gondola/shared/json/json-digits';
import { type AppliedProduct, changedKeys, ownSku, referenceOf, splitBody } from './applied-product.ts';

/**
 * Path in the read model of each input key of a product (docs/platform.md, "Product read model" and "Naming
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
 * Verdict of a read-back on a body that was sent (rule 27). `cannot-tell`: all readable values agree, but the
 * product, or one of its SKUs, changes only in values that cannot be read.
 */
export type ReadVerdict = 'as-asked' | 'differs' | 'cannot-tell';

/** Compares the readable values of a product with the body that was sent; `applied` is the state before it. */
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

/** A value of a product or SKU that differs in the shop. */
export interface ReadDifference {
  readonly skuExternalReference?: string;
  /** Name of the field in the ERP's record. */
  readonly field: string;
  readonly expected: JsonValue;
  readonly found: JsonValue;
}

/** All readable values of a product that differ from a body. A SKU missing in the shop is one difference. */
export function readDifferences(body: JsonRecord, readModel: JsonRecord): ReadDifference[] {
  const { product, skus } = splitBody(body);
  const readSkus = splitBody(readModel).skus;
  const ofSkus = skus.flatMap((sku): ReadDifference[] => {
    const skuExternalReference = referenceOf(sku);
    const read = readSkus.find((candidate) => referenceOf(candidate) === skuExternalReference);
    if (read === undefined)
      return [{ skuExternalReference, field: 'externalReference', expected: skuExternalReference, found: null }];
    return differentKeys(sku, read, SKU_KEYS).map((each) => ({ skuExternalReference, ...each }));
  });
  return [...differentKeys(product, readModel, PRODUCT_KEYS), ...ofSkus];
}

function compareKeys(
  asked: JsonRecord,
  known: JsonRecord | undefined,
  read: JsonRecord,
  keys: Readonly<Record<string, readonly string[]>>,
): ReadVerdict {
  if (differentKeys(asked, read, keys).length > 0) return 'differs';
  const changed = changedKeys(known, asked);
  return changed.length === 0 || changed.some((key) => Object.hasOwn(keys, key)) ? 'as-asked' : 'cannot-tell';
}

function differentKeys(
  asked: JsonRecord,
  read: JsonRecord,
  keys: Readonly<Record<string, readonly string[]>>,
): Pick<ReadDifference, 'field' | 'expected' | 'found'>[] {
  return Object.entries(asked).flatMap(([field, expected]) => {
    if (!Object.hasOwn(keys, field)) return [];
    const found = valueAt(read, keys[field]!);
    return comparable(field, found) === comparable(field, expected) ? [] : [{ field, expected, found }];
  });
}

function valueAt(record: JsonRecord, path: readonly string[]): JsonValue {
  let value: JsonValue = record;
  for (const key of path) value = isPlainRecord(value) ? (value[key] ?? null) : null;
  return value;
}

/** Normalizes a value: a date may be read back with a time, a number as text. */
function comparable(key: string, value: JsonValue): string {
  if (key === 'arrivalDate' && typeof value === 'string') return value.slice(0, 'YYYY-MM-DD'.length);
  return canonicalText(decimalTextToNumberToken(value) ?? value);
}

function same(keys: readonly string[]): Record<string, readonly string[]> {
  return Object.fromEntries(keys.map((key) => [key, [key]]));
}
