import type { JsonRecord } from '../json/json-digits.ts';
import { type ProductContext, prepareProduct } from '../catalog/product-record.ts';
import type { FieldReason } from '../outcomes/reason-codes.ts';

/** A SKU with every required field, weighable. */
export const FULL_SKU: JsonRecord = {
  externalReference: '4711-1',
  name: 'Queijo Minas Frescal peça',
  ean: '7891000100103',
  reference: '4711-1',
  unitOfMeasurement: 'Kg',
  weightForFreight: 0.5,
  heightForFreight: 10,
  widthForFreight: 10,
  lengthForFreight: 10,
  weightReal: 0.5,
  heightReal: 10,
  widthReal: 10,
  lengthReal: 10,
  arrivalDate: '2026-11-20',
  manufacturerCode: 'QMF-1',
  arithmeticFactor: 0.1,
};

/** A product with every required field. */
export const FULL_PRODUCT: JsonRecord = {
  externalReference: '4711',
  commercialPolicyId: '6f1c0a52-8a34-4a09-9d0f-0b6a3f6d2f10',
  categoryExternalReference: 'frios',
  name: 'Queijo Minas Frescal',
  slug: 'queijo-minas-frescal',
  title: 'Queijo Minas Frescal',
  shortDescription: 'Frescal',
  longDescription: 'Queijo minas frescal, peça',
  punctuation: 10,
  skus: [FULL_SKU],
};

/** Nothing is in the shop yet. */
export const CREATE: ProductContext = { language: 'en', known: { product: false, skus: new Set() } };

/** The product and its SKU are in the shop. */
export const UPDATE: ProductContext = { language: 'en', known: { product: true, skus: new Set(['4711-1']) } };

/** Short form of listed reasons: field, code and, if any, the SKU. */
export function listed(reasons: readonly FieldReason[]): string[][] {
  return reasons.map(({ field, code, skuExternalReference }) =>
    skuExternalReference === undefined ? [field, code] : [field, code, skuExternalReference],
  );
}

/** A change of one SKU of the known product. */
export function withSku(sku: JsonRecord): JsonRecord {
  return { externalReference: '4711', skus: [{ externalReference: '4711-1', ...sku }] };
}

export function errorsOf(content: JsonRecord, context: ProductContext = UPDATE): string[][] {
  return listed(prepareProduct(content, context).errors);
}
