import { STORE_NAMES } from '../../erp/price-book.ts';
import { asCents, centsText } from '../amounts.ts';
import type { ShelfSku } from '../sandbox-client.ts';
import { endsAs, expectThat, step, until, type DemoContext } from '../step.ts';
import { isAtGondola, isOnShelf } from './compare-shelf.ts';

const WIDTHS = [8, 12, 18, 8, 8, 8];
/** SKUs that the day sells: their prices and stock are shown, those of all others are compared. */
const SHOWN = ['1078-1', '1147-1', '4711-1'];

/** Compares both sides' books of the day, order by order, and the shelf; they must agree to the cent. */
export async function compareBooks(context: DemoContext, orders: readonly number[]): Promise<void> {
  await step(context, 'books', async () => {
    const rows = await Promise.all(orders.map((order) => rowOf(context, order)));
    for (const { agrees, cells } of rows) expectThat(agrees, `the books differ: ${cells.join(' | ')}`);
    const prices = context.erp.book.prices.size;
    const notes = [
      lineOf(['order', 'shop status', 'ERP heard', 'shop', 'ERP', 'invoice']),
      ...rows.map(({ cells }) => lineOf(cells)),
      ...(prices === 0 ? [] : await shelfNotes(context)),
    ];
    const what = `${orders.length} orders and ${prices} prices with their stock: all sides agree to the cent`;
    return { where: 'books', what, notes, value: undefined };
  });
}

async function rowOf({ erp, shop }: DemoContext, order: number): Promise<{ agrees: boolean; cells: string[] }> {
  const inShop = await shop.order(order);
  const newest = erp.eventsOf(order).at(-1);
  const invoice = inShop.invoice === null ? '' : centsText(inShop.invoice.value);
  const ours = newest?.order.totals.total ?? '';
  const theirs = amountText(inShop.totals.total);
  const agrees = newest === undefined || (ours === theirs && (invoice === '' || invoice === ours));
  return { agrees, cells: [String(order), String(inShop.status), newest?.type ?? 'nothing', theirs, ours, invoice] };
}

/** Compares the ERP's prices and stock with Gondola's and with the shelf, and each record's outcome. */
async function shelfNotes(context: DemoContext): Promise<string[]> {
  const { book } = context.erp;
  const shelf = await context.shop.shelf();
  for (const sku of book.prices.keys()) {
    const shown = shelf.get(sku);
    expectThat(isOnShelf(context, sku, shown), `the shelf has ${cellsOf(context, sku, shown).join(' | ')}`);
    await until(context, `Gondola's price and stock of ${sku}`, () => isAtGondola(context, sku));
  }
  for (const recordId of book.recordIds) await endsAs(context, recordId, 'applied', 'unchanged', 'superseded');
  return [
    lineOf(['SKU', 'in the shop', 'by the ERP', ...STORE_NAMES]),
    ...SHOWN.map((sku) => lineOf(cellsOf(context, sku, shelf.get(sku)))),
  ];
}

/** The price of a SKU in the shop and by the ERP, and its stock in the shop by stores. */
function cellsOf({ erp: { book } }: DemoContext, sku: string, shown: ShelfSku | undefined): string[] {
  const price = shown?.promotionalPrice ?? shown?.price ?? null;
  const stocks = STORE_NAMES.map((store) => String(shown?.stock.get(store) ?? ''));
  return [sku, price === null ? '' : amountText(price), book.priceOf(sku), ...stocks];
}

/** `18.9` is 18.90. */
function amountText(amount: number): string {
  return centsText(asCents(amount) ?? 0);
}

function lineOf(cells: readonly string[]): string {
  return cells
    .map((cell, index) => cell.padEnd(WIDTHS[index] ?? 0))
    .join(' ')
    .trimEnd();
}
