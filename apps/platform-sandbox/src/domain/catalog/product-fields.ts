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
} from './field-rules.ts';

/** The input table of a product (docs/platform.md, "Product"); `skus` apart. */
export const PRODUCT_FIELDS: readonly FieldRule[] = [
  text('externalReference', 'ExternalReference', { required: true, max: 60 }),
  guid('commercialPolicyId', 'CommercialPolicyId', { required: true }),
  text('categoryExternalReference', 'CategoryExternalReference', { max: 30 }),
  text('brandExternalReference', 'BrandExternalReference', { max: 30 }),
  text('name', 'Name', { required: true, min: 5, max: 400 }),
  text('slug', 'Slug', { required: true, max: 400 }),
  text('title', 'Title', { required: true, min: 3, max: 400 }),
  text('shortDescription', 'ShortDescription', { required: true, min: 3, max: 500 }),
  text('longDescription', 'LongDescription', { required: true, min: 3 }),
  anything('fiscalCode', 'FiscalCode'),
  text('ean', 'EAN', { max: 48 }),
  atLeastZero('punctuation', 'Punctuation', { required: true }),
  flag('displayInSite', 'DisplayInSite'),
  flag('displayInSoldOut', 'DisplayInSoldOut'),
  text('similarTerms', 'SimilarTerms'),
  anything('characteristics', 'Characteristics'),
  flag('active', 'Active'),
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
  text('externalReference', 'ExternalReference', { required: true, max: 60 }),
  text('name', 'Name', { required: true, max: 400 }),
  text('ean', 'EAN', { required: true, max: 30 }),
  text('reference', 'Reference', { required: true, max: 100 }),
  unit('unitOfMeasurement', 'UnitOfMeasurement', { required: true }),
  ...SKU_MEASURES.map((key) => aboveZero(key, `${key.charAt(0).toUpperCase()}${key.slice(1)}`, { required: true })),
  date('arrivalDate', 'ArrivalDate', { required: true }),
  text('manufacturerCode', 'ManufacturerCode', { required: true, max: 50 }),
  number('arithmeticFactor', 'ArithmeticFactor'),
  aboveZero('weight', 'Weight'),
  aboveZero('minimumWeightForSale', 'MinimumWeightForSale'),
  aboveZero('skuPackageMinAmount', 'SkuPackageMinAmount'),
  aboveZero('skuPackageMaxAmount', 'SkuPackageMaxAmount'),
  text('exhibitionBadge1', 'ExhibitionBadge1', { max: 15 }),
  text('exhibitionBadge2', 'ExhibitionBadge2', { max: 15 }),
  text('exhibitionBadge3', 'ExhibitionBadge3', { max: 15 }),
];
