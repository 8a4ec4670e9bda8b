import { createHash } from 'node:crypto';
import { violation } from '../catalog/field-rules.ts';
import { invalid, type CoreRefusal } from '../values/refusal.ts';
import { isJsonObject, keyOf, numberText, type Json, type JsonObject } from '../values/exact-json.ts';

/** Entities whose fields the document does not show: prices, warehouses, and a SKU's stock in a warehouse. */
export const LOOSE_ENTITIES = ['SKUPricing', 'Warehouse', 'WarehouseSKU'] as const;
export type LooseEntity = (typeof LOOSE_ENTITIES)[number];

/** Keys by which a record may name its SKU; the document shows only `skuId`. */
const SKU_KEYS = ['skuId', 'skuExternalReference', 'externalReference', 'sku'];
const WAREHOUSE_KEYS = ['warehouseId', 'warehouse', 'warehouseExternalReference'];

/**
 * Subjects of a record: at least the first of these. Each has the keys that may name it; the first one present
 * counts (docs/platform.md, "Delivery rules" 5, shows `skuId` with `commercialPolicyId`, and `id`).
 */
const NAMED: Readonly<Record<LooseEntity, readonly (readonly string[])[]>> = {
  SKUPricing: [SKU_KEYS, ['commercialPolicyId']],
  Warehouse: [['id']],
  WarehouseSKU: [SKU_KEYS, WAREHOUSE_KEYS],
};

export function isLooseEntity(name: string): name is LooseEntity {
  return (LOOSE_ENTITIES as readonly string[]).includes(name);
}

/**
 * Identity of a record as a SHA-256; a record replaces an earlier one with the same identity. The whole content is the
 * identity of a record that names nothing.
 */
export function identityOf(entity: LooseEntity, record: JsonObject): string {
  const names = NAMED[entity].map((keys) => firstName(record, keys));
  return sha256(names[0] === null ? sha256(JSON.stringify(record)) : JSON.stringify(names));
}

/** Names of the SKU of a price or of stock. */
export function skuNamesIn(record: JsonObject): string[] {
  return SKU_KEYS.flatMap((key) => firstName(record, [key]) ?? []);
}

/** The warehouse of a stock record; null if it names none. */
export function warehouseIn(record: JsonObject): string | null {
  return firstName(record, WAREHOUSE_KEYS);
}

/**
 * Refusal of an item that is no object or lacks a key of the switch `requiredOfRecord`; undefined if it is
 * accepted.
 */
export function recordRefusal(item: Json, requiredKeys: readonly string[]): CoreRefusal | undefined {
  if (!isJsonObject(item)) return invalid([violation('Item', 'must be an object.')]);
  const missing = requiredKeys.filter((key) => (keyOf(item, key) ?? null) === null);
  return missing.length === 0 ? undefined : invalid(missing.map((key) => violation(key, 'is required.')));
}

function firstName(record: JsonObject, keys: readonly string[]): string | null {
  for (const key of keys) {
    const value = keyOf(record, key);
    const name = typeof value === 'string' ? value : numberText(value);
    if (name !== undefined) return name;
  }
  return null;
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
