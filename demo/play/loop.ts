// The merchant's day in both directions, as shown to the reader. Each step is checked from outside: by an ERP that
// only reads the topics, and by the state of the shop.
import { approveLate, cancelWhilePreparing, refusePayment } from './day/cancel.ts';
import { beginPromotion, endPromotion, publishPricesAndStock, runOut } from './day/prices-and-stock.ts';
import { compareBooks } from './day/books.ts';
import { hasOpenedBefore, loadCatalog, publishPictures } from './day/load-the-shelf.ts';
import { sell } from './day/sell.ts';
import { type DemoContext, step, StepFailure } from './step.ts';

/** Steps at which tests kill an app, in order. */
export const STEPS = [
  'send-products-first',
  'brands-and-categories',
  'load-products',
  'prices-and-stock',
  'publish-pictures',
  'promotion-begins',
  'order-approved',
  'start-preparation',
  'report-picking',
  'register-invoice',
  'confirm-delivery',
  'store-runs-out',
  'cancel-while-preparing',
] as const;

/** Plays a part of the day, which no later part needs but for its order; undefined if a step did not hold. */
type PlayPart = <T>(part: () => Promise<T>) => Promise<T | undefined>;

/** Plays the day once; rejects with the name of the first step that fails. */
export async function playLoop(context: DemoContext): Promise<void> {
  await playParts(context, (part) => part());
}

/**
 * The day of `npm start`: played on new data, and again only on demand (`again`), because what happened in the shop
 * since may contradict it. Else shows what is there. A step that does not hold is reported and ends its part alone.
 */
export async function playOrShow(context: DemoContext, again: boolean): Promise<void> {
  const part: PlayPart = (play) => play().catch((error: unknown) => report(context, error));
  const isPlayed = await part(() => hasOpenedBefore(context));
  if (isPlayed === false || again) await playParts(context, part);
  else await part(() => showWhatIsThere(context));
}

async function playParts(context: DemoContext, play: PlayPart): Promise<void> {
  await play(() => loadCatalog(context));
  await play(() => publishPricesAndStock(context));
  await play(() => publishPictures(context));
  await play(() => beginPromotion(context));
  // Some webhooks arrive twice and some out of order, as in reality.
  await play(async () => {
    await context.shop.bend({ kind: 'webhook-double', event: 'Order_.*', share: 0.5, seed: 7 });
    await context.shop.bend({ kind: 'webhook-shuffle', event: 'Order_.*', share: 0.5, seed: 7, ms: 200 });
  });
  const played: (number | undefined)[] = [];
  played.push(await play(() => sell(context)));
  await play(() => runOut(context));
  await play(() => endPromotion(context));
  for (const part of [cancelWhilePreparing, refusePayment, approveLate]) played.push(await play(() => part(context)));
  const orders = played.filter((order) => order !== undefined);
  if (orders.length > 0) await play(() => compareBooks(context, orders));
  await play(() => context.shop.straighten());
  context.reporter.say();
}

/** Shows what earlier starts left: the shelf and the orders. Changes nothing. */
async function showWhatIsThere(context: DemoContext): Promise<void> {
  await step(context, 'what-is-there', async () => {
    const { skus, orders, byStatus } = await context.orders.counts();
    const statuses = byStatus.map(({ status, orders: count }) => `${count} in ${status ?? 'no status yet'}`);
    return {
      where: 'data of earlier starts',
      what: `${skus} SKUs and ${orders} orders${orders > 0 ? `: ${statuses.join(', ')}` : ''}`,
      notes: ['with --play, npm start plays the day again'],
      value: undefined,
    };
  });
}

function report({ reporter }: DemoContext, error: unknown): undefined {
  if (error instanceof StepFailure) return;
  reporter.failed('the day', error instanceof Error ? error.message : String(error));
}
