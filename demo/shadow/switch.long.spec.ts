import { readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { POINT_LEAD_MS } from '@gondola/shared/shadow/shadow-points';
import { type ReadRecord, readTopics, type TopicReader } from '@gondola/local-stack/testing/topic-reader';
import { waitFor } from '@gondola/local-stack/wait-for';
import { describe, expect, it } from '@jest/globals';
import { TOPIC } from '../erp/erp.ts';
import type { Gondola } from '../play/gondola.ts';
import { OperationsApi } from '../play/operations-api.ts';
import { secretsOf, shopCredentials, TENANT } from '../play/settings.ts';
import { testRun } from '../testing/test-run.ts';
import { OldConnector } from './testing/old-connector.ts';
import { EVENTS, POLICY, productOf, ShopDay, skuOf, STORE } from './testing/shop-day.ts';

const APPS = ['webhook-ingest', 'order-command-handler', 'catalog-publisher', 'file-gateway'] as const;
/** The platform sends a notification once, and no order is searched for here. */
const KILLED = APPS.filter((app) => app !== 'webhook-ingest');
const PRODUCTS = ['1001', '1002', '1003', '1004'];
/** Orders come, and prices change, all the time. */
const ORDER_EVERY_MS = 5_000;
const PRICE_EVERY_MS = 400;
/** Each phase between two changes. */
const PHASE_MS = 20_000;
const NO_FAULTS = {
  latePrice: { sku: '', ms: 0 },
  lostStock: '',
  wrongUnit: { product: '', unit: '' },
  withoutPdf: 0,
};
const READ = [TOPIC.orderResults, TOPIC.catalogResults, TOPIC.fileResults, TOPIC.orderEvents];
const MADE = [TOPIC.orderCommands, TOPIC.prices, TOPIC.products, TOPIC.warehouses];

/** A call at the shop that changed something. */
interface Change {
  readonly seq: number;
  readonly method: string;
  readonly path: string;
  readonly query: string | null;
  readonly status: number | null;
  readonly body: unknown;
}

/** An ERP at work, all day. */
class BusyDay extends ShopDay {
  readonly orders: number[] = [];
  readonly #delivered: Promise<void>[] = [];
  #isOver = false;
  #prices = 0;

  async loadCatalog(reader: TopicReader): Promise<void> {
    await this.send(TOPIC.products, PRODUCTS.map(productOf));
    const warehouse = { externalReference: STORE, recordId: 'w', data: { id: STORE, name: 'Loja' } };
    await this.send(TOPIC.warehouses, [warehouse]);
    const { shop } = this.context;
    const inShop = () => Promise.all(PRODUCTS.map((product) => shop.hasProduct(product)));
    await waitFor(async () => (await inShop()).every(Boolean), { describe: 'the products' });
    const ends = () => new Set(endsOn(reader.records(), true));
    const areEnded = () => PRODUCTS.every((product) => ends().has(`p-${product}`));
    await waitFor(areEnded, { describe: 'the products at Gondola' });
  }

  async sell(): Promise<void> {
    while (!this.#isOver) {
      const sku = skuOf(PRODUCTS[this.orders.length % PRODUCTS.length]!);
      const { number } = await this.context.shop.playOrder({
        items: [{ skuExternalReference: sku, quantity: 2, unitPrice: 10 }],
        deliveryType: 'pickup',
        payment: 'approved',
      });
      this.orders.push(number);
      this.#delivered.push(this.#serve(number, sku));
      await delay(ORDER_EVERY_MS);
    }
  }

  /** An ERP hears of an order by a connector, and so not before its notification. */
  async #serve(number: number, sku: string): Promise<void> {
    const { orders } = this.context;
    const isKnown = async () => (await orders.show(number).catch(() => null)) !== null;
    await waitFor(isKnown, { describe: `${number} at Gondola` });
    await this.deliver(number, sku);
  }

  async price(): Promise<void> {
    for (; !this.#isOver; this.#prices += 1) {
      const sku = skuOf(PRODUCTS[this.#prices % PRODUCTS.length]!);
      // Each price is sent once in a life.
      const price = (100 + this.#prices / 100).toFixed(2);
      await this.send(TOPIC.prices, [
        { externalReference: sku, policy: POLICY, recordId: `c-${this.#prices}`, data: { price } } as object,
      ]);
      await delay(PRICE_EVERY_MS);
    }
  }

  async end(): Promise<void> {
    this.#isOver = true;
    await Promise.all(this.#delivered);
  }
}

/** Reads what changed the shop, of which it keeps the newest calls. */
async function watchShop(shop: OperationsApi, changes: Change[], isOver: () => boolean): Promise<void> {
  for (let after = 0; ;) {
    const over = isOver();
    const page = await shop.call<Change[]>('GET', `/admin/requests?after=${after}`);
    changes.push(...page.filter(({ method, path }) => method !== 'GET' && path !== '/v1/Webhooks'));
    after = page.at(-1)?.seq ?? after;
    if (page.length > 0) continue;
    if (over) return;
    await delay(500);
  }
}

/** Each change of an order, and each price, by what makes it one; a price is one of its batch. */
function namesOf({ method, path, query, body }: Change): string[] {
  if (path.endsWith('/Pricing')) return (body as { price: unknown }[]).map(({ price }) => `price ${String(price)}`);
  if (path.includes('/Storages/')) return [`${path} ${query}`];
  if (!path.includes('/Orders/')) return [];
  return [`${method} ${path} ${method === 'PATCH' ? JSON.stringify(body) : ''}`];
}

function twice(names: readonly string[]): string[] {
  return [...Map.groupBy(names, (name) => name)].flatMap(([name, all]) => (all.length > 1 ? [name] : []));
}

const idOf = ({ value }: ReadRecord) => JSON.parse(value!.toString()) as { readonly [field: string]: unknown };

/** The ids of commands with a final result, on the topics or on their twins. */
function endsOn(records: readonly ReadRecord[], isTwin: boolean): string[] {
  const results = records.filter(({ topic }) => isTwin === topic.includes('shadow.') && topic.includes('.results.'));
  return results.flatMap((record) => {
    const { commandId, final, parentCommandId } = idOf(record);
    return final === true && (parentCommandId ?? null) === null ? [String(commandId)] : [];
  });
}

/** Commands and prices of the ERP by id, and when they were made. */
function made(records: readonly ReadRecord[]): Map<string, number> {
  const own = records.filter(({ topic }) => MADE.some((name) => topic.endsWith(name)) && !topic.includes('shadow.'));
  return new Map(
    own.map((record) => {
      const { commandId, recordId } = idOf(record);
      return [String(commandId ?? recordId), Number(record.timestamp)];
    }),
  );
}

async function changeOver(gondola: Gondola, apis: readonly OperationsApi[], act: string, stop: () => number) {
  const all = (deed: string, body: object) =>
    Promise.all(apis.map((api) => api.call('POST', `/api/shadow/${deed}`, { tenant: TENANT, ...body })));
  await all('hold', {});
  const heldUntil = Date.now() + POINT_LEAD_MS + 2_000;
  for (const app of KILLED) {
    await delay(5_000);
    await gondola.supervisor.kill(app);
  }
  await delay(Math.max(0, heldUntil - Date.now()));
  const from = stop();
  await waitFor(() => all(act, { from: new Date(from).toISOString() }), { describe: `${act} in every app` });
  return from;
}

async function playSwitch(gondola: Gondola): Promise<void> {
  const { context, urls, operationsTokenFile, stack, prefix } = gondola;
  const token = (await readFile(operationsTokenFile, 'utf8')).trim();
  const secrets = await secretsOf(dirname(operationsTokenFile));
  const admin = new OperationsApi(urls['platform-sandbox'], token);
  const apis = APPS.map((app) => new OperationsApi(urls[app], token));
  await context.shop.openShop();
  await admin.call('POST', '/admin/switches', { successEvents: 'notified' });
  const at = { brokers: stack.kafkaBrokers, prefix, shopUrl: urls['platform-sandbox'] };
  const old = new OldConnector(at, shopCredentials(secrets), { current: NO_FAULTS });
  const day = new BusyDay(context);
  await old.registerWebhook(context.webhookUrl, secrets.webhookToken, EVENTS);
  await old.start();
  const topics = [...READ, ...READ.map((name) => `shadow.${name}`), ...MADE].map((name) => prefix + name);
  const reader = await readTopics(stack.kafkaBrokers, topics);
  const changes: Change[] = [];
  let isOver = false;
  const watching = watchShop(admin, changes, () => isOver);
  try {
    await day.loadCatalog(reader);
    const load = Promise.all([day.sell(), day.price()]);
    await delay(PHASE_MS);
    const live = await changeOver(gondola, apis, 'live', () => {
      const from = Date.now();
      old.isMine = (time) => time < from;
      return from;
    });
    await delay(PHASE_MS);
    const back = await changeOver(gondola, apis, 'begin', () => {
      const from = Date.now();
      old.isMine = (time) => time < live || time >= from;
      return from;
    });
    await delay(PHASE_MS);
    await Promise.all([day.end(), load]);
    await everythingEnds(reader);
    isOver = true;
    await watching;
    expectOneOfTwo(reader.records(), live, back);
    const names = changes.flatMap(namesOf);
    expect(twice(names)).toEqual([]);
    // A picking, an invoice and its PDF, and four statuses of each order, by whichever connector.
    expect(names.filter((name) => name.includes('/Storages/'))).toHaveLength(day.orders.length);
    for (const number of day.orders) {
      const own = names.filter((name) => name.includes(`/Orders/${number}`) || name.includes(`/invoiced/${number}`));
      // The other connector alone sets it: the shop does so by itself.
      const steps = own.filter((name) => !name.includes('ORDER_INVOICED'));
      expect([number, steps.length]).toEqual([number, 6]);
    }
    expect(old.errors).toEqual([]);
    expect(old.calls).toBeLessThan(changes.length);
  } finally {
    await old.stop();
    await reader.close();
  }
}

/** Waits until each command and price has its final result, on either topic. */
async function everythingEnds(reader: TopicReader): Promise<void> {
  await waitFor(
    () => {
      const records = reader.records();
      const ended = new Set([...endsOn(records, true), ...endsOn(records, false)]);
      const open = [...made(records).keys()].filter((id) => !ended.has(id));
      if (open.length > 0) throw new Error(`${open.length} are open: ${open.slice(0, 5).join(', ')}`);
      return true;
    },
    { describe: 'all results' },
  );
}

/** Each command of between the points has its one result on the topics, each other one on their twins. */
function expectOneOfTwo(records: readonly ReadRecord[], live: number, back: number): void {
  const isLive = (time: number) => time >= live && time < back;
  const [ours, others] = [true, false].map((wanted) =>
    [...made(records)].flatMap(([id, time]) => (isLive(time) === wanted ? [id] : [])).toSorted(),
  );
  expect(ours!.length).toBeGreaterThan(20);
  expect(endsOn(records, false).toSorted()).toEqual(ours);
  expect(endsOn(records, true).toSorted()).toEqual(others);
  const events = records.filter(({ topic }) => topic.endsWith(TOPIC.orderEvents)).map(idOf);
  expect(twice(events.map(({ id }) => String(id)))).toEqual([]);
  for (const [order, of] of Map.groupBy(events, ({ orderNumber }) => orderNumber)) {
    const revisions = of.map(({ revision }) => Number(revision)).toSorted((one, other) => one - other);
    expect([order, revisions]).toEqual([order, revisions.map((_, index) => index + 1)]);
  }
}

describe('a shop that changes over from another connector under load, and back', () => {
  it('gets each command once, from one of the two, and its ERP each result and event on one topic', async () => {
    const tenant = {
      mode: 'shadow',
      deadlines: { commandMs: 20_000, invoiceMs: 60_000, settleMs: 1_500 },
      recovery: { scanEveryMs: null, quietMs: null },
    } as unknown as Record<string, object>;
    await testRun('switch', playSwitch, { tenant });
  });
});
