import { isBarCode } from '@gondola/shared/fields/trade-codes';
import { isIdentityText } from '@gondola/shared/topics/identities';
import type { SkuMatch } from '@gondola/shared/orders/order-view.dto';
import type { OrderItem, OrderValues, SkuOfItem } from '../facts/order-values.ts';
import type { SkuSnapshot } from '@gondola/shared/catalog/sku-snapshot';

/** Fields of a SKU that resolve items of orders. */
export type KnownSku = Pick<SkuSnapshot, 'skuExternalReference' | 'skuId' | 'productId' | 'ean' | 'reference' | 'name'>;

/** Fields of an item that identify its SKU. */
export type ItemIdentity = Pick<OrderItem, 'skuId' | 'productId' | 'ean' | 'reference'>;

/** SKUs by all that items of orders name: an order of thousands of items is matched in one pass. */
export interface SkuIndex {
  readonly byGuid: ReadonlyMap<string, readonly KnownSku[]>;
  readonly byGuidAndProduct: ReadonlyMap<string, readonly KnownSku[]>;
  readonly byReferenceAndEan: ReadonlyMap<string, readonly KnownSku[]>;
}

export function indexSkus(skus: readonly KnownSku[]): SkuIndex {
  const by = (keyOf: (sku: KnownSku) => string | null): ReadonlyMap<string, readonly KnownSku[]> => {
    const found = Map.groupBy(skus, keyOf);
    found.delete(null);
    return found as ReadonlyMap<string, readonly KnownSku[]>;
  };
  return {
    byGuid: by(({ skuId }) => usable(skuId)),
    byGuidAndProduct: by(({ skuId, productId }) => both(skuId, productId)),
    byReferenceAndEan: by(referenceAndEan),
  };
}

/**
 * Adds the references and names of its SKUs to an order (rule 11), for a published event. Changes are detected by the
 * platform's values alone (`partsOf`); SKUs that become known later are found by `awaitedSkus`.
 */
export function withSkus(order: OrderValues, skus: readonly KnownSku[]): OrderValues {
  const index = indexSkus(skus);
  return { ...order, items: order.items.map((item) => ({ ...item, ...matchSku(item, index) })) };
}

/** Matches by GUID, then by reference and bar code; several matches are `ambiguous`, never guessed (rule 11). */
export function matchSku(item: ItemIdentity, index: SkuIndex): SkuOfItem {
  const byGuid = withGuid(item, index);
  if (byGuid.length > 0) return matched(byGuid, 'exact');
  return matched(found(index.byReferenceAndEan, referenceAndEan(item)), 'ean');
}

/** SKUs with the item's GUID; if two claim it, the product's GUID decides if it can. */
function withGuid({ skuId, productId }: ItemIdentity, { byGuid, byGuidAndProduct }: SkuIndex): readonly KnownSku[] {
  const same = found(byGuid, usable(skuId));
  const ofProduct = same.length > 1 ? found(byGuidAndProduct, both(skuId, productId)) : [];
  return ofProduct.length > 0 ? ofProduct : same;
}

function found(index: ReadonlyMap<string, readonly KnownSku[]>, key: string | null): readonly KnownSku[] {
  return key === null ? [] : (index.get(key) ?? []);
}

/**
 * Text by which a SKU can be found; null for any other. The platform's notifications may have anything in its place,
 * and neither a parameter of a query nor an index takes a NUL or a text of kilobytes.
 */
export function usable(text: string | null): string | null {
  return isIdentityText(text) ? text : null;
}

/** Null without a bar code: a text such as `SEM GTIN` is that of many SKUs. */
function referenceAndEan({ reference, ean }: Pick<ItemIdentity, 'reference' | 'ean'>): string | null {
  return isBarCode(ean) ? both(reference, ean) : null;
}

/** One key of two texts, neither of which has a NUL; null if one is not usable. */
function both(one: string | null, other: string | null): string | null {
  const texts = [usable(one), usable(other)];
  return texts.includes(null) ? null : texts.join('\0');
}

function matched(skus: readonly KnownSku[], match: SkuMatch): SkuOfItem {
  const [only, ...others] = skus.slice(0, 2);
  if (only === undefined) return { skuExternalReference: null, name: null, match: 'unknown' };
  if (others.length > 0) return { skuExternalReference: null, name: null, match: 'ambiguous' };
  return { skuExternalReference: only.skuExternalReference, name: only.name, match };
}

/** Keys by which an item without a SKU and a SKU that may match it are compared. */
const keysOf = ({ skuId, reference }: Pick<KnownSku, 'skuId' | 'reference'>): string[] => [
  ...(usable(skuId) === null ? [] : [`id ${skuId}`]),
  ...(usable(reference) === null ? [] : [`reference ${reference}`]),
];

/** Keys of the SKUs that an order waits for: its items that match none, or more than one (rule 11). */
export function awaitedSkus(order: OrderValues, skus: readonly KnownSku[]): readonly string[] {
  const index = indexSkus(skus);
  const items = order.items.filter((item) => matchSku(item, index).skuExternalReference === null);
  return [...new Set(items.flatMap(keysOf))].toSorted();
}

/** Keys of newly known SKUs, for which orders may wait. */
export function keysOfSkus(skus: ReadonlyArray<Pick<KnownSku, 'skuId' | 'reference'>>): string[] {
  return [...new Set(skus.flatMap(keysOf))];
}
