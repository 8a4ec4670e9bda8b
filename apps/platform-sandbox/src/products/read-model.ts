import { keyOf, type Json, type JsonObject } from '../values/exact-json.ts';
import { localDateTime } from '../values/local-time.ts';
import { SKU_MEASURES } from './product-fields.ts';
import type { Product, Sku } from './product.ts';

export type CatalogReference = { readonly id: string; readonly name: string; readonly externalReference: string };

export interface ProductSurroundings {
  readonly contractAccountId: string;
  readonly hasImage: boolean;
  /** Null if the product named none, or one that does not exist. */
  readonly brand: CatalogReference | null;
  readonly category: CatalogReference | null;
}

/**
 * Answer of `GET /v1/batch/Products/{externalReference}` (docs/platform.md, "Product read model"), in which two
 * names differ from the input: `commercialPoliticId` and, in a SKU, `unitOfMeasure`.
 */
export function readModel(product: Product, around: ProductSurroundings): JsonObject {
  const field = (key: string, otherwise: Json = null): Json => keyOf(product.fields, key) ?? otherwise;
  return {
    id: product.id,
    contractAccountId: around.contractAccountId,
    externalReference: product.externalReference,
    ...fieldsOf(product, ['name', 'title', 'slug', 'shortDescription', 'longDescription', 'similarTerms']),
    ...fieldsOf(product, ['characteristics', 'fiscalCode', 'ean', 'punctuation']),
    displayInSite: field('displayInSite', true),
    displayInSoldOut: field('displayInSoldOut', false),
    active: field('active', true),
    hasImage: around.hasImage,
    commercialPoliticId: field('commercialPolicyId'),
    brandId: around.brand?.id ?? null,
    brand: around.brand,
    categoryId: around.category?.id ?? null,
    category: around.category,
    createdAt: localDateTime(product.createdAt),
    updatedAt: localDateTime(product.updatedAt),
    approvedByUserId: null,
    skus: product.skus.map(skuReadModel),
  };
}

/** Reason why the storefront hides a product; null if it shows the product. */
export function hiddenBecause(product: Product): string | null {
  if (keyOf(product.fields, 'active') === false) return 'active is false';
  if (keyOf(product.fields, 'displayInSite') === false) return 'displayInSite is false';
  return product.skus.length === 0 ? 'it has no SKU' : null;
}

function skuReadModel(sku: Sku): JsonObject {
  return {
    id: sku.id,
    externalReference: sku.externalReference,
    ...fieldsOf(sku, ['name', 'ean', 'reference']),
    unitOfMeasure: keyOf(sku.fields, 'unitOfMeasurement') ?? null,
    ...fieldsOf(sku, ['manufacturerCode', 'arrivalDate', ...SKU_MEASURES]),
    active: true,
  };
}

/** These fields under their input names; null if they were never given. */
function fieldsOf({ fields }: Product | Sku, keys: readonly string[]): JsonObject {
  return Object.fromEntries(keys.map((key) => [key, keyOf(fields, key) ?? null]));
}
