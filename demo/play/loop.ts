// The loop that the reader sees move, in both directions: products into the shop, an order and a command back. Each step is checked from
// outside: by an ERP that only reads the topics, and by the state of the shop.
import { randomUUID } from 'node:crypto';
import { waitFor } from '@gondola/local-stack/wait-for';
import type { Erp, OrderEvent, Result } from '../erp/erp.ts';
import { readProducts, TAKEN_SLUG } from '../erp/products.ts';
import type { Reporter } from './reporter.ts';
import type { SandboxClient } from './sandbox-client.ts';

export interface World {
  erp: Erp;
  shop: SandboxClient;
  reporter: Reporter;
  webhookUrl: string;
  webhookToken: string;
  /** How long one step may take before it counts as not held. */
  stepTimeoutMs: number;
  /** Called when a step begins, for tests that kill something there. */
  beforeStep?: (step: StepName) => Promise<void>;
}

export const STEPS = [
  'register-webhook',
  'shop-had-a-product',
  'load-products',
  'shopper-buys',
  'order-approved',
  'start-preparation',
  'no-echo',
] as const;
export type StepName = (typeof STEPS)[number];

interface Told {
  where: string;
  what: string;
  notes?: string[];
}

/** Plays the loop once; rejects, with the step named, when one does not hold. */
export async function playLoop(world: World): Promise<void> {
  const { erp, shop, reporter } = world;
  const step = stepper(world);

  await step('register-webhook', async () => {
    await shop.openShop();
    return { where: 'POST /v1/Webhooks', what: await shop.registerWebhook(world.webhookUrl, world.webhookToken) };
  });
  await step('shop-had-a-product', async () => {
    await shop.loadProduct(PRODUCT_OF_THE_SHOP);
    await until(world, 'the product that the shop had', () => shop.hasProduct(PRODUCT_OF_THE_SHOP.externalReference));
    return {
      where: 'POST /v1/batch/Products',
      what: `before the ERP came, the shop had a product with slug ${TAKEN_SLUG}`,
    };
  });
  await step('load-products', () => loadProducts(world));

  const order = await step('shopper-buys', async () => {
    const bought = await shop.playOrder(BASKET);
    return {
      where: 'shopper',
      what: `buys 2 granolas and about 300 g of cheese; payment approved: order ${bought.number}`,
      value: bought.number,
    };
  });
  await step('order-approved', async () => {
    const event = await until(world, `OrderApproved of ${order}`, () => eventsOf(erp, order)[0]);
    expectThat(
      event.type === 'OrderApproved' && event.revision === 1,
      `the first event of ${order} is ${event.type} ${event.revision}`,
    );
    const weighed = event.order.items.find((item) => item.approximateWeight !== null)?.approximateWeight;
    return {
      where: 'erp.orders.events.v1',
      what: `OrderApproved, revision 1, total ${event.order.totals.total}, one item of about ${weighed?.value} ${weighed?.unit}`,
    };
  });
  await step('start-preparation', async () => {
    const commandId = randomUUID();
    await erp.sendOrderCommand({ commandId, command: 'StartPreparation', orderNumber: order });
    const result = await until(world, `the result of StartPreparation of ${order}`, () =>
      [...erp.orderResults.values()].find((told) => told.commandId === commandId && told.final),
    );
    const evidence = `${result.outcome}, evidence ${result.evidence}`;
    expectThat(result.outcome === 'applied', `StartPreparation ended ${evidence}: ${result.reason?.message}`);
    const { status } = await shop.order(order);
    expectThat(status === 400, `the shop has order ${order} in ${status}, not in 400`);
    return { where: 'erp.orders.results.v1', what: `StartPreparation ${evidence}; the shop has the order in 400` };
  });
  await step('no-echo', async () => {
    await shop.moveOrder(order, 500);
    const ready = await until(world, `OrderReady of ${order}`, () =>
      eventsOf(erp, order).find(({ type }) => type === 'OrderReady'),
    );
    const told = eventsOf(erp, order).map(({ type, revision }) => `${type} ${revision}`);
    expectThat(told.join() === 'OrderApproved 1,OrderReady 2', `order ${order} was told as ${told.join(', ')}`);
    return {
      where: 'erp.orders.events.v1',
      what: `OrderReady, revision ${ready.revision}: the echo of the ERP's own command made no event`,
    };
  });
  reporter.say();
}

const PRODUCT_OF_THE_SHOP = {
  externalReference: 'LOJA-1',
  commercialPolicyId: '22222222-2222-4222-8222-222222222222',
  name: 'Granola Tradicional 800g da loja',
  slug: TAKEN_SLUG,
  title: 'Granola Tradicional 800g',
  shortDescription: 'Granola tradicional',
  longDescription: 'Granola tradicional, pacote de 800 g',
  punctuation: 1,
  skus: [],
};

const BASKET = [
  { skuExternalReference: '1078-1', quantity: 2, unitPrice: 18.9 },
  { skuExternalReference: '4711-1', quantity: 3, unitPrice: 39.9 },
];

/** What the load must end in: two honest noes with their reasons, all others in the shop. */
const EXPECTED_NOES: Record<string, { outcome: string; code: string }> = {
  '98007': { outcome: 'invalid', code: 'UNIT_UNKNOWN' },
  '1094': { outcome: 'refused', code: 'SLUG_TAKEN' },
};

async function loadProducts(world: World): Promise<Told> {
  const products = await readProducts(randomUUID());
  const sent = new Set(products.map(({ recordId }) => recordId));
  const results = (): Map<string, Result> =>
    new Map(
      [...world.erp.productResults.values()]
        .filter(({ commandId, final }) => final && sent.has(commandId))
        .map((result) => [result.commandId, result]),
    );
  const bar = world.reporter.bar(products.length, 'products');
  await world.erp.sendProducts(products);
  await until(world, `${products.length} product results`, () => {
    bar.at(results().size);
    return results().size === products.length;
  }).finally(() => bar.end());

  const notes: string[] = [];
  for (const { externalReference, recordId } of products) {
    const result = results().get(recordId);
    const no = EXPECTED_NOES[externalReference];
    if (no === undefined) {
      expectThat(isIn(result), `product ${externalReference} ended ${result?.outcome}: ${explain(result)}`);
      expectThat(await world.shop.hasProduct(externalReference), `the shop has no product ${externalReference}`);
    } else {
      const codes = [result?.reason?.code, ...(result?.errors ?? []).map(({ code }) => code)];
      expectThat(
        result?.outcome === no.outcome && codes.includes(no.code),
        `product ${externalReference}: ${explain(result)}`,
      );
      notes.push(`${externalReference} ${no.outcome}: ${explain(result)}`);
    }
  }
  const entered = products.length - notes.length;
  return {
    where: 'erp.catalog.results.v1',
    what: `${products.length} products sent: ${entered} in the shop, 1 invalid, 1 refused`,
    notes,
  };
}

function isIn(result: Result | undefined): boolean {
  return result?.outcome === 'applied' || result?.outcome === 'unchanged';
}

function explain(result: Result | undefined): string {
  if (result === undefined) return 'no result';
  const told = result.errors[0] ?? result.reason;
  return told === null ? result.outcome : `${told.code} ${told.field ?? ''}: ${told.message}`;
}

function eventsOf(erp: Erp, order: number): OrderEvent[] {
  return [...erp.orderEvents.values()].filter(({ orderNumber }) => orderNumber === order);
}

function until<T>(
  world: World,
  what: string,
  condition: () => T | undefined | false | Promise<T | undefined | false>,
): Promise<T> {
  return waitFor(condition, { timeoutMs: world.stepTimeoutMs, describe: what });
}

function expectThat(holds: boolean, otherwise: string): asserts holds {
  if (!holds) throw new Error(otherwise);
}

function stepper(world: World) {
  return async <T>(name: StepName, play: () => Promise<Told & { value?: T }>): Promise<T> => {
    await world.beforeStep?.(name);
    const startedAt = performance.now();
    try {
      const { where, what, notes = [], value } = await play();
      world.reporter.step(where, what, performance.now() - startedAt);
      for (const note of notes) world.reporter.note(note);
      return value as T;
    } catch (cause) {
      world.reporter.failed(name, cause instanceof Error ? cause.message : String(cause));
      throw new Error(`The step ${name} did not hold`, { cause });
    }
  };
}
