/** docs/platform.md, "Subscription". */
const ORDER_EVENTS = [
  'Order_Created',
  'Order_Updated',
  'Order_Cancelled',
  'Order_CancelRequested',
  'Order_StatusUpdated',
  'Order_InvoiceCreated',
  'Order_InvoiceUploaded',
  'Order_CreationFailed',
  'Order_UpdateFailed',
  'Order_StatusUpdateFailed',
  'Order_CancelFailed',
  'Operation_Failed',
] as const;

const CATALOG_EVENTS = [
  'ProductWithSKUs_Created',
  'ProductWithSKUs_Updated',
  'ProductWithSKUs_CreationFailed',
  'ProductWithSKUs_UpdateFailed',
  'ProductWithSKUs_PartiallyFailed',
  'Brand_CreationFailed',
] as const;

/** Endings that are accepted for entities whose event names the document does not show. */
const OTHER_EVENT =
  /^(Brand|Category|Warehouse|WarehouseSKU|SKUPricing|User)_(Created|Updated|Deleted|CreationFailed|UpdateFailed|DeletionFailed)$/;

export type CatalogEvent = (typeof CATALOG_EVENTS)[number];
type OrderEvent = (typeof ORDER_EVENTS)[number];
/** Names assumed by analogy with those of brands and products. */
type AssumedEvent =
  `${'Brand' | 'Category' | 'Warehouse' | 'WarehouseSKU' | 'SKUPricing'}_${'Created' | 'Updated' | 'CreationFailed'}`;
export type EventName = CatalogEvent | OrderEvent | AssumedEvent;

/** Code that the v2 payload has instead of the name. */
export const ORDER_UPDATED_CODE = 14;

export function isSubscribable(name: unknown): name is string {
  if (typeof name !== 'string') return false;
  const documented: readonly string[] = [...ORDER_EVENTS, ...CATALOG_EVENTS];
  return documented.includes(name) || OTHER_EVENT.test(name);
}
