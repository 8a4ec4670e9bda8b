import { violation } from '../catalog/field-rules.ts';
import { invalid, type CoreRefusal } from '../core/core-error.ts';
import { keyOf, numberText, type Json, type JsonObject } from '../values/exact-json.ts';

/** Entities whose fields the document does not show: prices, warehouses and the stock of a SKU in one. */
export const LOOSE_ENTITIES = ['SKUPricing', 'Warehouse', 'WarehouseSKU'] as const;
export type LooseEntity = (typeof LOOSE_ENTITIES)[number];

/** What identifies one inside `data` (docs/platform.md, "Delivery rules" 5); of stock nothing does. */
const IDENTITY: Readonly<Record<LooseEntity, readonly string[]>> = {
  SKUPricing: ['skuId', 'commercialPolicyId'],
  Warehouse: ['id'],
  WarehouseSKU: [],
};

export function isLooseEntity(name: string): name is LooseEntity {
  return (LOOSE_ENTITIES as readonly string[]).includes(name);
}

/**
 * Where the core puts a record: that of the same identity is replaced. One without identity is known by its whole
 * content alone.
 */
export function identityOf(entity: LooseEntity, record: JsonObject, hash: (text: string) => string): string {
  const parts = IDENTITY[entity].map((key) => identityText(keyOf(record, key)));
  const isComplete = parts.length > 0 && parts.every((part) => part !== undefined);
  return isComplete ? JSON.stringify(parts) : hash(JSON.stringify(record));
}

/** Nothing is known of the fields, so nothing of them is refused: only what is no record at all. */
export const NO_RECORD: CoreRefusal = invalid([violation('Item', 'must be an object.')]);

function identityText(value: Json | undefined): string | undefined {
  return typeof value === 'string' ? value : numberText(value);
}
