// The merchant's day in both directions, as shown to the reader. Each step is checked from outside: by an ERP that
// only reads the topics, and by the state of the shop.
import { cancel } from './day/cancel.ts';
import { compareBooks } from './day/books.ts';
import { loadTheShelf } from './day/load-the-shelf.ts';
import { sell } from './day/sell.ts';
import type { DemoContext } from './step.ts';

/** Steps at which tests kill an app, in order. */
export const STEPS = [
  'send-products-first',
  'brands-and-categories',
  'load-products',
  'publish-pictures',
  'order-approved',
  'start-preparation',
  'report-picking',
  'register-invoice',
  'confirm-delivery',
  'cancel-while-preparing',
] as const;

/** Plays the day once; rejects with the name of the first step that fails. */
export async function playLoop(context: DemoContext): Promise<void> {
  await loadTheShelf(context);
  // Some webhooks arrive twice and some out of order, as in reality.
  await context.shop.bend({ kind: 'webhook-double', event: 'Order_.*', share: 0.5, seed: 7 });
  await context.shop.bend({ kind: 'webhook-shuffle', event: 'Order_.*', share: 0.5, seed: 7, ms: 200 });
  const sold = await sell(context);
  const { cancelled, refused, late } = await cancel(context);
  await compareBooks(context, [sold, cancelled, refused, late]);
  await context.shop.straighten();
  context.reporter.say();
}
