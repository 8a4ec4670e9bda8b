import { textOrNull } from '../catalog/field-rules.ts';
import { isJsonArray, isJsonObject, keyOf, type Json } from '../values/exact-json.ts';
import { storable } from '../values/storable-text.ts';
import type { KnownToCore } from './decide-product.ts';
import type { Product } from './product.ts';

/** Stored products, brands and categories that the items of a batch name. */
export interface ShelfContents {
  readonly products: readonly Product[];
  readonly withSlugs: readonly { readonly slug: string; readonly externalReference: string }[];
  readonly skus: readonly { readonly externalReference: string; readonly productId: string }[];
  readonly brands: readonly { readonly id: string; readonly externalReference: string }[];
  readonly categories: readonly { readonly id: string; readonly externalReference: string }[];
}

/**
 * State of the shop while the items of a batch are decided one after the other: each item sees the changes of the
 * earlier ones. References are compared as the database compares them.
 */
export class Shelf {
  private readonly products: Map<string, Product>;
  /** Reference of the product that has each slug. */
  private readonly slugOwners: Map<string, string>;
  /** Id of the product that has each SKU reference. */
  private readonly skuOwners: Map<string, string>;
  private readonly brandIds: ReadonlyMap<string, string>;
  private readonly categoryIds: ReadonlyMap<string, string>;
  private readonly lastPut = new Map<string, Product>();

  constructor({ products, withSlugs, skus, brands, categories }: ShelfContents) {
    this.products = new Map(products.map((product) => [product.externalReference, product]));
    this.slugOwners = new Map(withSlugs.map(({ slug, externalReference }) => [slug, externalReference]));
    this.skuOwners = new Map(skus.map(({ externalReference, productId }) => [externalReference, productId]));
    this.brandIds = new Map(brands.map(({ externalReference, id }) => [externalReference, id]));
    this.categoryIds = new Map(categories.map(({ externalReference, id }) => [externalReference, id]));
  }

  known(item: Json): Omit<KnownToCore, 'refusal'> {
    const existing = found(this.products, item, 'externalReference');
    const slugOwner = found(this.slugOwners, item, 'slug');
    const foreignSkus = skuReferences(item).filter((reference) => {
      const owner = this.skuOwners.get(storable(reference));
      return owner !== undefined && owner !== existing?.id;
    });
    return {
      existing,
      slugTaken: slugOwner !== undefined && slugOwner !== existing?.externalReference,
      foreignSkus: new Set(foreignSkus),
      brandId: idNamed(this.brandIds, item, 'brandExternalReference'),
      categoryId: idNamed(this.categoryIds, item, 'categoryExternalReference'),
    };
  }

  put(product: Product): void {
    const reference = storable(product.externalReference);
    const before = this.products.get(reference);
    if (before) this.slugOwners.delete(storable(slugOf(before)));
    this.slugOwners.set(storable(slugOf(product)), reference);
    for (const { externalReference } of product.skus) this.skuOwners.set(storable(externalReference), product.id);
    this.products.set(reference, { ...product, externalReference: reference });
    this.lastPut.set(product.id, product);
  }

  /** Every changed product in its latest state. */
  changed(): Product[] {
    return [...this.lastPut.values()];
  }
}

export function slugOf({ fields }: Pick<Product, 'fields'>): string {
  return textOrNull(fields, 'slug') ?? '';
}

export function skuReferences(item: Json): string[] {
  const skus = isJsonObject(item) ? keyOf(item, 'skus') : undefined;
  return isJsonArray(skus) ? skus.flatMap((sku) => textOrNull(sku, 'externalReference') ?? []) : [];
}

function found<T>(map: ReadonlyMap<string, T>, item: Json, key: string): T | undefined {
  const reference = textOrNull(item, key);
  return reference === null ? undefined : map.get(storable(reference));
}

/** Id of the named entity; undefined if the item has no such key, null if the entity does not exist. */
function idNamed(ids: ReadonlyMap<string, string>, item: Json, key: string): string | null | undefined {
  if (!isJsonObject(item) || keyOf(item, key) === undefined) return undefined;
  return found(ids, item, key) ?? null;
}
