import { useSyncExternalStore } from 'react';
import type { Sku } from '../api/types.ts';

/** Price of the document where the shop has none. */
const NO_PRICE = 9.9;

/** Pieces of one SKU that the shopper takes; of a weighable its sale steps. */
export interface Line {
  readonly sku: Sku;
  readonly pieces: number;
}

let lines: readonly Line[] = [];
const listeners = new Set<() => void>();

/** The basket, which lasts as long as the page is open. */
export function useBasket(): readonly Line[] {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => lines,
  );
}

/** Adds pieces of a SKU, or takes some away; none left takes its line away. */
export function addToBasket(sku: Sku, pieces: number): void {
  const isThere = lines.some((line) => line.sku.externalReference === sku.externalReference);
  const more = isThere ? lines : [...lines, { sku, pieces: 0 }];
  replace(
    more
      .map((line) =>
        line.sku.externalReference === sku.externalReference ? { sku, pieces: line.pieces + pieces } : line,
      )
      .filter((line) => line.pieces > 0),
  );
}

export function emptyBasket(): void {
  replace([]);
}

/** Per unit of measurement. */
export function priceOf({ price, promotionalPrice }: Sku): number {
  return promotionalPrice ?? price ?? NO_PRICE;
}

/** In the unit of measurement. */
export function quantityOf({ sku, pieces }: Line): number {
  return Number((sku.isWeighable ? pieces * sku.saleStep : pieces).toFixed(6));
}

export function totalOf(basket: readonly Line[]): number {
  return basket.reduce((sum, line) => sum + quantityOf(line) * priceOf(line.sku), 0);
}

function replace(changed: readonly Line[]): void {
  lines = changed;
  for (const listener of listeners) listener();
}
