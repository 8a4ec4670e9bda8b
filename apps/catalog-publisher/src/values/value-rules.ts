import { notificationIdentity, type RelatedEntity } from '@gondola/shared/topics/identities';
import type { JsonRecord } from '@gondola/shared/json/json-digits';
import type { ValueKind } from '../records/catalog-kinds.ts';

/** In what prices, warehouses and stock differ (rule 30). */
export interface ValueRules {
  readonly route: 'postPrices' | 'postWarehouses' | 'postStock';
  /** The platform's name of the entity in its notifications. */
  readonly relatedEntity: RelatedEntity;
  /** The fields of the wire profile that are added to `data`. */
  readonly fields: 'pricingFields' | 'warehouseFields' | 'stockFields';
  /** It is a SKU's, which has to be known. */
  readonly isOfSku: boolean;
}

export const VALUE_RULES: Readonly<Record<ValueKind, ValueRules>> = {
  price: { route: 'postPrices', relatedEntity: 'SKUPricing', fields: 'pricingFields', isOfSku: true },
  warehouse: { route: 'postWarehouses', relatedEntity: 'Warehouse', fields: 'warehouseFields', isOfSku: false },
  stock: { route: 'postStock', relatedEntity: 'WarehouseSKU', fields: 'stockFields', isOfSku: true },
};

/** What names a posted value in the platform's notifications; null: nothing does, so it goes in a call of its own. */
export function platformIdentity(kind: ValueKind, body: JsonRecord): string | null {
  return notificationIdentity(VALUE_RULES[kind].relatedEntity, body)?.identity ?? null;
}
