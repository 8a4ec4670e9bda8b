import { createHash } from 'node:crypto';
import { violation } from '../catalog/field-rules.ts';
import { invalid, type CoreRefusal } from '../values/refusal.ts';
import { isJsonObject, keyOf, numberText, type Json, type JsonObject } from '../values/exact-json.ts';

/** Entities whose fields the document does not show: prices, warehouses, and a SKU's stock in a warehouse. */
export const LOOSE_ENTITIES = ['SKUPricing', 'Warehouse', 'WarehouseSKU'] as const;
export type LooseEntity = (typeof LOOSE_ENTITIES)[number];

/** Identifying keys inside `data` (docs/platform.md, "Delivery rules" 5); stock has none. */
const IDENTITY: Readonly<Record<LooseEntity, readonly string[]>> = {
  SKUPricing: ['skuId', 'commercialPolicyId'],
  Warehouse: ['id'],
  WarehouseSKU: [],
};

export function isLooseEntity(name: string): name is LooseEntity {
  return (LOOSE_ENTITIES as readonly string[]).includes(name);
}

/**
 * Identity of a record as a SHA-256; a record replaces an earlier one with the same identity. Without identifying
 * keys, the whole content is the identity.
 */
export function identityOf(entity: LooseEntity, record: JsonObject): string {
  const parts = IDENTITY[entity].map((key) => identityText(keyOf(record, key)));
  const isComplete = parts.length > 0 && parts.every((part) => part !== undefined);
  return sha256(isComplete ? JSON.stringify(parts) : sha256(JSON.stringify(record)));
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

function identityText(value: Json | undefined): string | undefined {
  return typeof value === 'string' ? value : numberText(value);
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
