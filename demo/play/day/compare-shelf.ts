// Prices and stock as the ERP, Gondola and the shop have them.
import { STORE_NAMES } from '../../erp/price-book.ts';
import { asCents } from '../amounts.ts';
import type { ShelfSku } from '../sandbox-client.ts';
import type { DemoContext } from '../step.ts';

/** True if the shelf has the ERP's newest price of a SKU, and its newest stock in each store. */
export function isOnShelf({ erp: { book } }: DemoContext, sku: string, shown: ShelfSku | undefined): boolean {
  const { price, promotionalPrice } = book.prices.get(sku) ?? {};
  return (
    asCents(shown?.price ?? null) === asCents(price ?? null) &&
    asCents(shown?.promotionalPrice ?? null) === asCents(promotionalPrice ?? null) &&
    STORE_NAMES.every((store) => shown?.stock.get(store) === book.stockOf(sku, store))
  );
}

/** True if they are what Gondola published last. */
export async function isAtGondola({ erp: { book }, catalog }: DemoContext, sku: string): Promise<boolean> {
  const product = sku.slice(0, sku.lastIndexOf('-'));
  const values = (await catalog.valuesOf(product)).filter(({ skuExternalReference }) => skuExternalReference === sku);
  const price = values.find(({ kind }) => kind === 'price')?.applied;
  const sent = book.prices.get(sku);
  return (
    price?.price === sent?.price &&
    price?.promotionalPrice === sent?.promotionalPrice &&
    STORE_NAMES.every((store) => {
      const stock = values.find(({ kind, warehouse }) => kind === 'stock' && warehouse === store);
      return stock?.applied?.quantity === book.stockOf(sku, store);
    })
  );
}
