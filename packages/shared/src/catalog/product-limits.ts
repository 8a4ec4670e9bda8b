import type { FieldSpec, FieldTable } from '../fields/field-spec.ts';
import { MAX_SKUS } from '../limits.ts';

/**
 * The fields of a product record and of its SKUs with their limits (platform document, "Product", "SKU" and "Limits";
 * rule 20). Required means: required when the product, or the SKU, is created.
 */

const REFERENCE = {
  type: 'text',
  required: 'always',
  minLength: 1,
  maxLength: 60,
  inPath: true,
} as const satisfies FieldSpec;
const REQUIRED_MEASURE = { type: 'decimal', required: 'create', above: 0 } as const satisfies FieldSpec;
const MEASURE = { type: 'decimal', above: 0 } as const satisfies FieldSpec;
const BADGE = { type: 'text', maxLength: 15 } as const satisfies FieldSpec;

export const PRODUCT_FIELDS = {
  externalReference: REFERENCE,
  commercialPolicyId: { type: 'guid', required: 'create' },
  categoryExternalReference: { type: 'text', maxLength: 30 },
  brandExternalReference: { type: 'text', maxLength: 30 },
  name: { type: 'text', required: 'create', minLength: 5, maxLength: 400 },
  slug: { type: 'text', required: 'create', maxLength: 400 },
  title: { type: 'text', required: 'create', minLength: 3, maxLength: 400 },
  shortDescription: { type: 'text', required: 'create', minLength: 3, maxLength: 500 },
  longDescription: { type: 'text', required: 'create', minLength: 3 },
  fiscalCode: { type: 'text' },
  ean: { type: 'text', maxLength: 48 },
  punctuation: { type: 'integer', required: 'create', min: 0 },
  displayInSite: { type: 'boolean' },
  displayInSoldOut: { type: 'boolean' },
  similarTerms: { type: 'text' },
  characteristics: { type: 'any' },
  active: { type: 'boolean' },
  skus: { type: 'list', maxEntries: MAX_SKUS },
} as const satisfies FieldTable;

export const SKU_FIELDS = {
  externalReference: REFERENCE,
  name: { type: 'text', required: 'create', maxLength: 400 },
  ean: { type: 'text', required: 'create', maxLength: 30 },
  reference: { type: 'text', required: 'create', maxLength: 100 },
  unitOfMeasurement: { type: 'unit', required: 'create' },
  weightForFreight: REQUIRED_MEASURE,
  heightForFreight: REQUIRED_MEASURE,
  widthForFreight: REQUIRED_MEASURE,
  lengthForFreight: REQUIRED_MEASURE,
  weightReal: REQUIRED_MEASURE,
  heightReal: REQUIRED_MEASURE,
  widthReal: REQUIRED_MEASURE,
  lengthReal: REQUIRED_MEASURE,
  arrivalDate: { type: 'date', required: 'create' },
  manufacturerCode: { type: 'text', required: 'create', maxLength: 50 },
  arithmeticFactor: { type: 'decimal' },
  weight: MEASURE,
  minimumWeightForSale: MEASURE,
  skuPackageMinAmount: MEASURE,
  skuPackageMaxAmount: MEASURE,
  exhibitionBadge1: BADGE,
  exhibitionBadge2: BADGE,
  exhibitionBadge3: BADGE,
} as const satisfies FieldTable;

export type ProductFieldName = keyof typeof PRODUCT_FIELDS;
export type SkuFieldName = keyof typeof SKU_FIELDS;

/**
 * Keys of the read model that cannot be set: dropped and told, so that a read model can be sent back as it is (rules
 * 20, 22).
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

/** The same for the entries of `skus`. A SKU's `active` is read, but the input table has no such field. */
export const SKU_READ_ONLY: ReadonlySet<string> = new Set(['id', 'active']);
