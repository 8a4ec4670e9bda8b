import type { ErpRecord, Price, Store } from '../../erp/price-book.ts';
import { openingStock, STORE_NAMES, usualPrice } from '../../erp/price-book.ts';
import { readCatalog } from '../../erp/catalog.ts';
import { TOPIC } from '../../erp/erp.ts';
import { expectThat, step, type StepReport, until, type DemoContext } from '../step.ts';
import { isOnShelf } from './compare-shelf.ts';

/** On promotion during the day. */
const GRANOLA = '1078-1';
const PROMOTION: Price = { price: usualPrice(GRANOLA), promotionalPrice: '16.90' };
/** Runs out in one store. */
const RICE = '1147-1';
const EMPTY_STORE: Store = 'loja-01';
const OTHER_STORE: Store = 'loja-02';

/** Sends the stores, and of each SKU in the shop its price and its stock in each store. */
export async function publishPricesAndStock(context: DemoContext): Promise<void> {
  await step(context, 'prices-and-stock', () => pricesAndStock(context));
}

export async function beginPromotion(context: DemoContext): Promise<void> {
  await step(context, 'promotion-begins', async () => {
    await setPrice(context, GRANOLA, PROMOTION);
    return {
      where: TOPIC.prices,
      what: `a promotion begins: granola for ${PROMOTION.promotionalPrice} instead of ${PROMOTION.price}, on the shelf too`,
      value: undefined,
    };
  });
}

/** The price returns to what it was. */
export async function endPromotion(context: DemoContext): Promise<void> {
  await step(context, 'promotion-ends', async () => {
    const price = usualPrice(GRANOLA);
    await setPrice(context, GRANOLA, { price });
    return { where: TOPIC.prices, what: `the promotion ends: granola for ${price} again`, value: undefined };
  });
}

export async function runOut(context: DemoContext): Promise<void> {
  await step(context, 'store-runs-out', async () => {
    const { book } = context.erp;
    await context.erp.send(TOPIC.stock, [book.setStock(RICE, EMPTY_STORE, 0)]);
    const left = book.stockOf(RICE, OTHER_STORE);
    await until(context, `the stock of ${RICE} on the shelf`, async () => {
      const { stock } = (await context.shop.shelf()).get(RICE) ?? {};
      return stock?.get(EMPTY_STORE) === 0 && stock.get(OTHER_STORE) === left;
    });
    return {
      where: TOPIC.stock,
      what: `${EMPTY_STORE} runs out of rice; ${OTHER_STORE} has ${left} left, and the shelf shows them`,
      value: undefined,
    };
  });
}

async function pricesAndStock(context: DemoContext): Promise<StepReport> {
  const { erp, shop } = context;
  const { book } = erp;
  const { products } = await readCatalog('');
  const inShop = await shop.shelf();
  // A price of a product that did not enter would wait for it.
  const skus = products
    .flatMap(({ skus: own }) => own.map((sku) => sku.externalReference))
    .filter((sku) => inShop.has(sku));
  const stocks = (sku: string): ErpRecord[] =>
    STORE_NAMES.map((store) => book.setStock(sku, store, openingStock(store)));
  await erp.send(
    TOPIC.warehouses,
    STORE_NAMES.map((store) => book.warehouse(store)),
  );
  await erp.send(TOPIC.stock, skus.flatMap(stocks));
  await erp.send(
    TOPIC.prices,
    skus.map((sku) => book.setPrice(sku, { price: usualPrice(sku) })),
  );
  let differing: string[] = [];
  await until(context, 'prices and stock on the shelf', async () => {
    const shelf = await shop.shelf();
    differing = skus.filter((sku) => !isOnShelf(context, sku, shelf.get(sku)));
    return differing.length === 0;
  }).catch((cause: unknown) => {
    throw new Error(`the shelf differs in ${differing.join(', ')}`, { cause });
  });
  expectThat(skus.length > 0, 'the shelf is empty');
  return {
    where: TOPIC.prices,
    what: `${skus.length} prices, and their stock in ${STORE_NAMES.length} stores: the shelf shows them`,
    value: undefined,
  };
}

async function setPrice(context: DemoContext, sku: string, price: Price): Promise<void> {
  await context.erp.send(TOPIC.prices, [context.erp.book.setPrice(sku, price)]);
  await until(context, `the price of ${sku} on the shelf`, async () =>
    isOnShelf(context, sku, (await context.shop.shelf()).get(sku)),
  );
}
