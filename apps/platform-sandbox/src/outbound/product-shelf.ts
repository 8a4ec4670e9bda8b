import type { Product } from '../domain/catalog/product.ts';
import { keyOf } from '../domain/exact-json.ts';
import { storable } from './column-values.ts';

export interface ShelfContents {
  readonly products: readonly Product[];
  /** Slug to the product's reference. */
  readonly slugOwners: ReadonlyMap<string, string>;
  /** SKU's reference to the product's id. */
  readonly skuOwners: ReadonlyMap<string, string>;
}

/**
 * What a merchant's shop has of what a batch names, as it becomes while the items are decided one after the other: each
 * item sees what those before it made. References are compared as the database has them.
 */
export class Shelf {
  private readonly products: Map<string, Product>;
  private readonly slugOwners: Map<string, string>;
  private readonly skuOwners: Map<string, string>;
  private readonly lastPut = new Map<string, Product>();

  constructor({ products, slugOwners, skuOwners }: ShelfContents) {
    this.products = new Map(products.map((product) => [product.externalReference, product]));
    this.slugOwners = new Map(slugOwners);
    this.skuOwners = new Map(skuOwners);
  }

  find(externalReference: string): Product | undefined {
    return this.products.get(storable(externalReference));
  }

  /** The reference of the product that has a slug. */
  ownerOfSlug(slug: string): string | undefined {
    return this.slugOwners.get(storable(slug));
  }

  /** Which of these SKU references belong to another product than the one given. */
  foreignSkus(productId: string | undefined, skuReferences: readonly string[]): Set<string> {
    const owned = skuReferences.map((reference) => ({ reference, owner: this.skuOwners.get(storable(reference)) }));
    return new Set(
      owned.filter(({ owner }) => owner !== undefined && owner !== productId).map(({ reference }) => reference),
    );
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

  /** Every product that was put, as it was put last. */
  changed(): Product[] {
    return [...this.lastPut.values()];
  }
}

export function slugOf(product: Product): string {
  const slug = keyOf(product.fields, 'slug');
  return typeof slug === 'string' ? slug : '';
}
