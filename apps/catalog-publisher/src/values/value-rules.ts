import { notificationIdentity, type RelatedEntity } from '@gondola/shared/topics/identities';
import type { JsonRecord } from '@gondola/shared/json/json-digits';
import type { ValueKind } from '../records/catalog-kinds.ts';

/** Rules that differ between prices, warehouses and stock (rule 30). */
export interface ValueRules {
  readonly route: 'postPrices' | 'postWarehouses' | 'postStock';
  /** The platform's name of the entity in its notifications. */
  readonly relatedEntity: RelatedEntity;
  /** Fields of the wire profile that are added to `data`. */
  readonly fields: 'pricingFields' | 'warehouseFields' | 'stockFields';
  /** True for values of a SKU, which must be known first. */
  readonly isOfSku: boolean;
}

export const VALUE_RULES: Readonly<Record<ValueKind, ValueRules>> = {
  price: { route: 'postPrices', relatedEntity: 'SKUPricing', fields: 'pricingFields', isOfSku: true },
  warehouse: { route: 'postWarehouses', relatedEntity: 'Warehouse', fields: 'warehouseFields', isOfSku: false },
  stock: { route: 'postStock', relatedEntity: 'WarehouseSKU', fields: 'stockFields', isOfSku: true },
};

/** Name of a posted value in the platform's notifications; null for none, so that it is sent in a call of its own. */
export function platformIdentity(kind: ValueKind, body: JsonRecord): string | null {
  return notificationIdentity(VALUE_RULES[kind].relatedEntity, body)?.identity ?? null;
}
