import { parseDecimal } from '../values/decimal.ts';
import { keyOf, numberOf, numberText, rawNumber, type Json, type JsonObject } from '../values/exact-json.ts';
import { warehouseIn } from './loose-record.ts';

/**
 * Prices and stock for the page: the document does not show the names of these fields, so that the first number under
 * one of the usual names counts, also one that is written as text.
 */
const PRICES = ['price', 'salePrice', 'listPrice', 'fullPrice', 'value', 'amount'];
const PROMOTIONS = ['promotionalPrice', 'promotionPrice', 'promoPrice', 'offerPrice', 'discountPrice'];
const QUANTITIES = ['quantity', 'stock', 'balance', 'availableQuantity', 'available', 'amount'];

/** The newest record counts. */
export function shelfPrices(records: readonly JsonObject[]): { price: Json; promotionalPrice: Json } {
  const newest = records.at(-1) ?? {};
  return { price: numberUnder(newest, PRICES), promotionalPrice: numberUnder(newest, PROMOTIONS) };
}

/** Sum over the warehouses, each by its newest record; null if nothing is known. */
export function shelfStock(records: readonly JsonObject[]): number | null {
  const byWarehouse = new Map<string | null, number>();
  for (const record of records) {
    const quantity = numberOf(numberUnder(record, QUANTITIES));
    if (quantity !== undefined) byWarehouse.set(warehouseIn(record), quantity);
  }
  return byWarehouse.size === 0 ? null : [...byWarehouse.values()].reduce((sum, quantity) => sum + quantity, 0);
}

function numberUnder(record: JsonObject, keys: readonly string[]): Json {
  for (const key of keys) {
    const value = keyOf(record, key);
    if (numberText(value) !== undefined) return value ?? null;
    const decimal = typeof value === 'string' ? parseDecimal(value) : undefined;
    if (decimal) return rawNumber(decimal.toFixed());
  }
  return null;
}
