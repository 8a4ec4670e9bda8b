// The merchant's prices, stores and stock in its ERP, and what it sent of them.
import { randomUUID } from 'node:crypto';

/** Amounts in currency units, per unit or kilogram, as decimal text. */
export interface Price {
  readonly price: string;
  /** Only while a promotion runs. */
  readonly promotionalPrice?: string;
}

/** A record of a topic, under its key. */
export interface ErpRecord {
  readonly key: string;
  readonly value: {
    readonly externalReference: string;
    readonly recordId: string;
    readonly data: object;
    /** Absent in a price. */
    readonly warehouse?: Store;
  };
}

const STORES = { 'loja-01': 'Loja Centro', 'loja-02': 'Loja Norte' } as const;
export type Store = keyof typeof STORES;
export const STORE_NAMES = Object.keys(STORES) as readonly Store[];

/** Prices of what the day sells. Those of the other SKUs follow from their codes. */
const PRICES: Readonly<Record<string, string>> = { '1078-1': '18.90', '1147-1': '14.50', '4711-1': '39.90' };
const LEAST_CENTS = 199;
const CENTS_APART = 4_800;
const STOCK: Readonly<Record<Store, number>> = { 'loja-01': 40, 'loja-02': 24 };

/** The ERP's own books: the newest price of each SKU, and its newest stock in each store. */
export class PriceBook {
  readonly prices = new Map<string, Price>();
  private readonly stocks = new Map<string, number>();
  private readonly sent: string[] = [];

  /** Ids of all records so far. */
  get recordIds(): readonly string[] {
    return this.sent;
  }

  /** Price that a shopper pays now. */
  priceOf(sku: string): string {
    const { price, promotionalPrice } = this.prices.get(sku) ?? { price: usualPrice(sku) };
    return promotionalPrice ?? price;
  }

  stockOf(sku: string, store: Store): number {
    return this.stocks.get(`${store} ${sku}`) ?? STOCK[store];
  }

  setPrice(sku: string, price: Price): ErpRecord {
    this.prices.set(sku, price);
    return this.record(sku, price);
  }

  setStock(sku: string, store: Store, quantity: number): ErpRecord {
    this.stocks.set(`${store} ${sku}`, quantity);
    const { key, value } = this.record(sku, { warehouseId: store, quantity });
    return { key, value: { ...value, warehouse: store } };
  }

  warehouse(store: Store): ErpRecord {
    return this.record(store, { id: store, name: STORES[store] });
  }

  private record(externalReference: string, data: object): ErpRecord {
    const recordId = randomUUID();
    this.sent.push(recordId);
    return { key: externalReference, value: { externalReference, recordId, data } };
  }
}

/** Price of a SKU without a promotion; the same in each run. */
export function usualPrice(sku: string): string {
  const cents = LEAST_CENTS + ((Number.parseInt(sku, 10) * 97) % CENTS_APART);
  return PRICES[sku] ?? (cents / 100).toFixed(2);
}

/** Stock of a store when the day begins. */
export function openingStock(store: Store): number {
  return STOCK[store];
}
