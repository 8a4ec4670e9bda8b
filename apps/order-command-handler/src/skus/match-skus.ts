import type { SkuMatch } from '@gondola/shared/dto/order-view.dto';
import type { OrderItem, OrderValues, SkuOfItem } from '../values/order-values.ts';
import type { SkuSnapshot } from '@gondola/shared/catalog/sku-snapshot';

/** What the catalog knows of a SKU, as far as items of orders are resolved by it. */
export type KnownSku = Pick<SkuSnapshot, 'skuExternalReference' | 'skuId' | 'productId' | 'ean' | 'reference' | 'name'>;

/** What an item is looked up by. */
export type ItemIdentity = Pick<OrderItem, 'skuId' | 'productId' | 'ean' | 'reference'>;

/**
 * The order with the references and names of its SKUs (rule 11). Called when an event is published: what is compared
 * with what was published before (`partsOf`) are the platform's values alone. That a SKU becomes known later is seen by
 * what the order was published without (`awaited-skus`).
 */
export function withSkus(order: OrderValues, skus: readonly KnownSku[]): OrderValues {
  return { ...order, items: order.items.map((item) => ({ ...item, ...matchSku(item, skus) })) };
}

/** By GUID, then by reference and EAN together; more than one is said, never chosen from (rule 11). */
export function matchSku(item: ItemIdentity, skus: readonly KnownSku[]): SkuOfItem {
  const byGuid = withGuid(item, skus);
  if (byGuid.length > 0) return matched(byGuid, 'exact');
  const { reference, ean } = item;
  if (reference === null || reference === '' || ean === null || ean === '') return matched([], 'unknown');
  return matched(
    skus.filter((sku) => sku.reference === reference && sku.ean === ean),
    'ean',
  );
}

/** Where two SKUs claim one GUID, the product's tells them apart if it can. */
function withGuid({ skuId, productId }: ItemIdentity, skus: readonly KnownSku[]): readonly KnownSku[] {
  if (skuId === null || skuId === '') return [];
  const same = skus.filter((sku) => sku.skuId === skuId);
  const ofProduct = same.filter((sku) => sku.productId !== null && sku.productId === productId);
  return same.length > 1 && ofProduct.length > 0 ? ofProduct : same;
}

function matched(found: readonly KnownSku[], match: SkuMatch): SkuOfItem {
  const [only, ...others] = found;
  if (only === undefined) return { skuExternalReference: null, name: null, match: 'unknown' };
  if (others.length > 0) return { skuExternalReference: null, name: null, match: 'ambiguous' };
  return { skuExternalReference: only.skuExternalReference, name: only.name, match };
}
