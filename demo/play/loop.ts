// The merchant's day that the reader sees move, in both directions. Each step is checked from outside: by an ERP that
// only reads the topics, and by the state of the shop.
import { cancel } from './day/cancel.ts';
import { compareBooks } from './day/books.ts';
import { loadTheShelf } from './day/load-the-shelf.ts';
import { sell } from './day/sell.ts';
import type { DemoContext } from './step.ts';

/** The steps at which tests kill something, in their order. */
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

/** Plays the day once; rejects, with the step named, when one does not hold. */
export async function playLoop(context: DemoContext): Promise<void> {
  await loadTheShelf(context);
  // Some webhooks come twice and some out of order, as they do.
  await context.shop.bend({ kind: 'webhook-double', event: 'Order_.*', share: 0.5, seed: 7 });
  await context.shop.bend({ kind: 'webhook-shuffle', event: 'Order_.*', share: 0.5, seed: 7, ms: 200 });
  const sold = await sell(context);
  const { cancelled, refused, late } = await cancel(context);
  await compareBooks(context, [sold, cancelled, refused, late]);
  await context.shop.straighten();
  context.reporter.say();
}
