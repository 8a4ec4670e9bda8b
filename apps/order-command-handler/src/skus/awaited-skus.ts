import type { OrderValues } from '../values/order-values.ts';
import { type KnownSku, withSkus } from './match-skus.ts';

/** What an item is looked up by whose SKU is not known, and a SKU that may be it: texts that are compared. */
const keysOf = ({ skuId, reference }: Pick<KnownSku, 'skuId' | 'reference'>): string[] => [
  ...(skuId === null || skuId === '' ? [] : [`id ${skuId}`]),
  ...(reference === null || reference === '' ? [] : [`reference ${reference}`]),
];

/** The SKUs that an order waits for: those of its items that match none, or more than one (rule 11). */
export function awaitedSkus(order: OrderValues, skus: readonly KnownSku[]): readonly string[] {
  const items = withSkus(order, skus).items.filter(({ skuExternalReference }) => skuExternalReference === null);
  return [...new Set(items.flatMap(keysOf))].toSorted();
}

/** What orders may have waited for that is known now. */
export function keysOfSkus(skus: ReadonlyArray<Pick<KnownSku, 'skuId' | 'reference'>>): string[] {
  return [...new Set(skus.flatMap(keysOf))];
}
