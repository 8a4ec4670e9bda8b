import type { JsonObject } from '../values/exact-json.ts';
import type { Ticks } from '../values/local-time.ts';

export interface Sku {
  /** GUID created by the core. */
  readonly id: string;
  readonly externalReference: string;
  /** All keys of the input table that were ever given, under their input names. */
  readonly fields: JsonObject;
}

export interface Product {
  /** GUID created by the core. */
  readonly id: string;
  readonly externalReference: string;
  /** All keys of the input table that were ever given, under their input names. */
  readonly fields: JsonObject;
  readonly skus: readonly Sku[];
  /** The core's id of the named entity if it existed at that time; else null. */
  readonly brandId: string | null;
  readonly categoryId: string | null;
  readonly createdAt: Ticks;
  readonly updatedAt: Ticks;
}

/** A SKU of the catalog with its product. */
export interface CatalogSku {
  readonly product: Product;
  readonly sku: Sku;
}
