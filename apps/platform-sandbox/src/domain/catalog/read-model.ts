import { keyOf, type Json, type JsonObject } from '../exact-json.ts';
import { localDateTime } from '../local-time.ts';
import { SKU_MEASURES } from './product-fields.ts';
import type { Product, Sku } from './product.ts';

/** A brand or category as the read model names it. */
export type CatalogReference = { readonly id: string; readonly name: string; readonly externalReference: string };

/** What stands beside a product in its read model. */
export interface ProductSurroundings {
  readonly contractAccountId: string;
  readonly hasImage: boolean;
  /** Null when the product named none, or one that does not exist. */
  readonly brand: CatalogReference | null;
  readonly category: CatalogReference | null;
}

/**
 * Answer of `GET /v1/batch/Products/{externalReference}` (docs/platform.md, "Product read model"), with its two names
 * that differ from the input: `commercialPoliticId` and, in a SKU, `unitOfMeasure`.
 */
export function readModel(product: Product, around: ProductSurroundings): JsonObject {
  const field = (key: string, otherwise: Json = null): Json => keyOf(product.fields, key) ?? otherwise;
  return {
    id: product.id,
    contractAccountId: around.contractAccountId,
    externalReference: product.externalReference,
    name: field('name'),
    title: field('title'),
    slug: field('slug'),
    shortDescription: field('shortDescription'),
    longDescription: field('longDescription'),
    similarTerms: field('similarTerms'),
    characteristics: field('characteristics'),
    fiscalCode: field('fiscalCode'),
    ean: field('ean'),
    punctuation: field('punctuation'),
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

/** Why the storefront does not show a product; null when it does. */
export function hiddenBecause(product: Product): string | null {
  if (keyOf(product.fields, 'active') === false) return 'active is false';
  if (keyOf(product.fields, 'displayInSite') === false) return 'displayInSite is false';
  return product.skus.length === 0 ? 'it has no SKU' : null;
}

function skuReadModel(sku: Sku): JsonObject {
  const field = (key: string): Json => keyOf(sku.fields, key) ?? null;
  return {
    id: sku.id,
    externalReference: sku.externalReference,
    name: field('name'),
    ean: field('ean'),
    reference: field('reference'),
    unitOfMeasure: field('unitOfMeasurement'),
    manufacturerCode: field('manufacturerCode'),
    arrivalDate: field('arrivalDate'),
    ...Object.fromEntries(SKU_MEASURES.map((key) => [key, field(key)])),
    active: true,
  };
}
