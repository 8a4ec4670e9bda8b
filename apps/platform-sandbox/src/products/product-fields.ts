import {
  aboveZero,
  anything,
  atLeastZero,
  date,
  flag,
  guid,
  number,
  text,
  unit,
  type FieldRule,
} from '../catalog/field-rules.ts';

/** Input table of a product (docs/platform.md, "Product"), without `skus`. */
export const PRODUCT_FIELDS: readonly FieldRule[] = [
  text('externalReference', { required: true, max: 60 }),
  guid('commercialPolicyId', { required: true }),
  text('categoryExternalReference', { max: 30 }),
  text('brandExternalReference', { max: 30 }),
  text('name', { required: true, min: 5, max: 400 }),
  text('slug', { required: true, max: 400 }),
  text('title', { required: true, min: 3, max: 400 }),
  text('shortDescription', { required: true, min: 3, max: 500 }),
  text('longDescription', { required: true, min: 3 }),
  anything('fiscalCode'),
  text('ean', { max: 48 }),
  atLeastZero('punctuation', { required: true }),
  flag('displayInSite'),
  flag('displayInSoldOut'),
  text('similarTerms'),
  anything('characteristics'),
  flag('active'),
];

/** The eight freight and real measures of a SKU, in the order of the document. */
export const SKU_MEASURES = [
  'weightForFreight',
  'heightForFreight',
  'widthForFreight',
  'lengthForFreight',
  'weightReal',
  'heightReal',
  'widthReal',
  'lengthReal',
] as const;

/** The input table of a SKU (docs/platform.md, "SKU"). */
export const SKU_FIELDS: readonly FieldRule[] = [
  text('externalReference', { required: true, max: 60 }),
  text('name', { required: true, max: 400 }),
  text('ean', { required: true, max: 30 }),
  text('reference', { required: true, max: 100 }),
  unit('unitOfMeasurement', { required: true }),
  ...SKU_MEASURES.map((key) => aboveZero(key, { required: true })),
  date('arrivalDate', { required: true }),
  text('manufacturerCode', { required: true, max: 50 }),
  number('arithmeticFactor'),
  aboveZero('weight'),
  aboveZero('minimumWeightForSale'),
  aboveZero('skuPackageMinAmount'),
  aboveZero('skuPackageMaxAmount'),
  text('exhibitionBadge1', { max: 15 }),
  text('exhibitionBadge2', { max: 15 }),
  text('exhibitionBadge3', { max: 15 }),
];
