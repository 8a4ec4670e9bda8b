import { expectThat, step, type DemoContext } from '../step.ts';

const WIDTHS = [8, 12, 18, 8, 8, 8];

/** Compares both sides' books of the day, order by order; they must agree to the cent. */
export async function compareBooks(context: DemoContext, orders: readonly number[]): Promise<void> {
  await step(context, 'books', async () => {
    const rows = await Promise.all(orders.map((order) => rowOf(context, order)));
    for (const { agrees, cells } of rows) expectThat(agrees, `the books differ: ${cells.join(' | ')}`);
    const head = lineOf(['order', 'shop status', 'ERP heard', 'shop', 'ERP', 'invoice']);
    const notes = [head, ...rows.map(({ cells }) => lineOf(cells))];
    return { where: 'books', what: `${orders.length} orders: both sides agree to the cent`, notes, value: undefined };
  });
}

async function rowOf({ erp, shop }: DemoContext, order: number): Promise<{ agrees: boolean; cells: string[] }> {
  const inShop = await shop.order(order);
  const newest = erp.eventsOf(order).at(-1);
  const invoice = inShop.invoice === null ? '' : currencyText(inShop.invoice.value);
  const ours = newest?.order.totals.total ?? '';
  const theirs = withCents(String(inShop.totals.total));
  const agrees = newest === undefined || (ours === theirs && (invoice === '' || invoice === ours));
  return { agrees, cells: [String(order), String(inShop.status), newest?.type ?? 'nothing', theirs, ours, invoice] };
}

function currencyText(wholeCents: number): string {
  return `${Math.trunc(wholeCents / 100)}.${String(wholeCents % 100).padStart(2, '0')}`;
}

/** `18.9` is 18.90. */
function withCents(text: string): string {
  const [whole = '', fraction = ''] = text.split('.');
  return `${whole}.${fraction.padEnd(2, '0')}`;
}

function lineOf(cells: readonly string[]): string {
  return cells
    .map((cell, index) => cell.padEnd(WIDTHS[index] ?? 0))
    .join(' ')
    .trimEnd();
}
