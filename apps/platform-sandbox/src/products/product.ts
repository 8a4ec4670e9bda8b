import type { JsonObject } from '../values/exact-json.ts';
import type { Ticks } from '../values/local-time.ts';

export interface Sku {
  /** GUID, made by the core. */
  readonly id: string;
  readonly externalReference: string;
  /** Every key of the input table that was ever given, under its input name. */
  readonly fields: JsonObject;
}

export interface Product {
  /** GUID, made by the core. */
  readonly id: string;
  readonly externalReference: string;
  /** Every key of the input table that was ever given, under its input name. */
  readonly fields: JsonObject;
  readonly skus: readonly Sku[];
  /** The core's ids of what the product named and what existed then; else null. */
  readonly brandId: string | null;
  readonly categoryId: string | null;
  readonly createdAt: Ticks;
  readonly updatedAt: Ticks;
}
