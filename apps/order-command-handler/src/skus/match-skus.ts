import type { SkuMatch } from '@gondola/shared/orders/order-view.dto';
import type { OrderItem, OrderValues, SkuOfItem } from '../facts/order-values.ts';
import type { SkuSnapshot } from '@gondola/shared/catalog/sku-snapshot';

/** Fields of a SKU that resolve items of orders. */
export type KnownSku = Pick<SkuSnapshot, 'skuExternalReference' | 'skuId' | 'productId' | 'ean' | 'reference' | 'name'>;

/** Fields of an item that identify its SKU. */
export type ItemIdentity = Pick<OrderItem, 'skuId' | 'productId' | 'ean' | 'reference'>;

/**
 * Adds the references and names of its SKUs to an order (rule 11), for a published event. Changes are detected by the
 * platform's values alone (`partsOf`); SKUs that become known later are found by `awaitedSkus`.
 */
export function withSkus(order: OrderValues, skus: readonly KnownSku[]): OrderValues {
  return { ...order, items: order.items.map((item) => ({ ...item, ...matchSku(item, skus) })) };
}

/** Matches by GUID, then by reference and EAN together; several matches are `ambiguous`, never guessed (rule 11). */
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

/** SKUs with the item's GUID; if two claim it, the product's GUID decides if it can. */
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

/** Keys by which an item without a SKU and a SKU that may match it are compared. */
const keysOf = ({ skuId, reference }: Pick<KnownSku, 'skuId' | 'reference'>): string[] => [
  ...(skuId === null || skuId === '' ? [] : [`id ${skuId}`]),
  ...(reference === null || reference === '' ? [] : [`reference ${reference}`]),
];

/** Keys of the SKUs that an order waits for: its items that match none, or more than one (rule 11). */
export function awaitedSkus(order: OrderValues, skus: readonly KnownSku[]): readonly string[] {
  const items = order.items.filter((item) => matchSku(item, skus).skuExternalReference === null);
  return [...new Set(items.flatMap(keysOf))].toSorted();
}

/** Keys of newly known SKUs, for which orders may wait. */
export function keysOfSkus(skus: ReadonlyArray<Pick<KnownSku, 'skuId' | 'reference'>>): string[] {
  return [...new Set(skus.flatMap(keysOf))];
}
