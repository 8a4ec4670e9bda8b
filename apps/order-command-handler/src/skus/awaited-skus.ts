import type { OrderValues } from '../facts/order-values.ts';
import { type KnownSku, withSkus } from './match-skus.ts';

/** Keys by which an item without a SKU and a SKU that may match it are compared. */
const keysOf = ({ skuId, reference }: Pick<KnownSku, 'skuId' | 'reference'>): string[] => [
  ...(skuId === null || skuId === '' ? [] : [`id ${skuId}`]),
  ...(reference === null || reference === '' ? [] : [`reference ${reference}`]),
];

/** Keys of the SKUs that an order waits for: its items that match none, or more than one (rule 11). */
export function awaitedSkus(order: OrderValues, skus: readonly KnownSku[]): readonly string[] {
  const items = withSkus(order, skus).items.filter(({ skuExternalReference }) => skuExternalReference === null);
  return [...new Set(items.flatMap(keysOf))].toSorted();
}

/** Keys of newly known SKUs, for which orders may wait. */
export function keysOfSkus(skus: ReadonlyArray<Pick<KnownSku, 'skuId' | 'reference'>>): string[] {
  return [...new Set(skus.flatMap(keysOf))];
}
