import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { testStack } from '@gondola/local-stack/test-stack';
import { produce } from '@gondola/local-stack/testing/produce';
import { tablesHolding } from '@gondola/local-stack/testing/tables-holding';
import { waitFor } from '@gondola/local-stack/wait-for';
import { ACCOUNT, type RealApps, startRealApps } from './real-apps.ts';

const APPS = ['webhook-ingest', 'file-gateway', 'catalog-publisher', 'order-command-handler'] as const;

/** Answer of one app, as the command line prints it. */
interface Erasure {
  readonly app: string;
  readonly erased: Readonly<Record<string, number>>;
  readonly stays?: readonly { readonly what: string; readonly count: number; readonly why: string }[];
  readonly notifications?: number;
  readonly quarantined?: number;
  readonly topics: readonly { readonly topic: string; readonly until: string }[] | null;
}

interface Answer {
  readonly orderNumbers: readonly string[];
  readonly erasures: readonly Erasure[];
  readonly failed: readonly unknown[];
}

/** Unique texts of a test shopper. */
interface Canaries {
  readonly name: string;
  readonly email: string;
}

describe('an erasure by the command line, with all apps that store something', () => {
  let apps: RealApps;

  beforeAll(async () => {
    apps = await startRealApps(APPS, { RETENTION_EVERY_MS: '100', UPLOAD_CLEANUP_MS: '100' });
  });
  afterAll(async () => {
    await apps?.stop();
  });

  /** Tables that hold the shopper, as `app.table`. */
  async function holding({ name, email }: Canaries): Promise<string[]> {
    const found = APPS.map(async (app) => {
      const tables = await tablesHolding(apps.schemaUrls.get(app)!, [name, email]);
      return tables.map((table) => `${app}.${table}`);
    });
    return (await Promise.all(found)).flat();
  }

  function send(topic: string, value: string | object): Promise<void> {
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    return produce(testStack().kafkaBrokers, [{ topic: apps.prefix + topic, key: null, value: text }]);
  }

  /** Number of facts of the order. */
  async function factsOf(order: number): Promise<number> {
    const { facts } = await apps.json<{ facts: unknown[] }>('orders', 'show', String(order), '--tenant', 'acme');
    return facts.length;
  }

  /** Number of dead letters of all apps. */
  async function letters(): Promise<number> {
    const { deadLetters } = await apps.json<{ deadLetters: unknown[] }>('dead-letters', 'list', '--limit', '200');
    return deadLetters.length;
  }

  /** Publishes unreadable records: one that two apps consume, and a command on the wrong topic. */
  async function sendWrong(order: number, { name }: Canaries): Promise<void> {
    await send('platform.notifications.orders.v1', `{"data": {"number": ${order}, "user": "${name}`);
    await send('erp.catalog.products.v1', { orderNumber: order, reason: name });
  }

  async function spooled({ name }: Canaries): Promise<boolean> {
    const folder = join(apps.folder, 'spool-second');
    const paths = await readdir(folder, { recursive: true });
    // A file that is imported in the meantime no longer exists, and a folder cannot be read.
    const texts = paths.map((path) => readFile(join(folder, path), 'latin1').catch(() => ''));
    return (await Promise.all(texts)).join('').includes(name);
  }

  it('removes an order from every table of every app for good, and lists what remains and where copies are', async () => {
    const [order, shopper] = [200_001, { name: 'Cliente Teste 01', email: 'canario.teste01@example.com' }];
    const away = { DATABASE_URL: 'postgres://nobody@127.0.0.1:9/none' };
    const second = await apps.startReplica('webhook-ingest', 'second', away);
    await apps.deliver(notification(order, 300, shopper));
    expect(await apps.deliver(notification(order, 400, shopper), second.url)).toBe(200);
    await second.child.stop();
    expect(await spooled(shopper)).toBe(true);
    await apps.deliver(notification(order, 500, shopper).replace('"Order"', '"Nothing"'));
    await send('erp.orders.commands.v1', { ...command('c-1', 'Ship', order), reason: { text: shopper.name } });
    await send('erp.orders.commands.v1', { ...command('c-2', 'RegisterInvoice', order), number: '4711' });
    const uploadId = await apps.upload(`%PDF-1.7\n${shopper.name}\nstartxref\n0\n%%EOF\n`);
    await send('erp.files.commands.v1', {
      ...command('c-3/chk', 'CheckInvoicePdf', order),
      parentCommandId: 'c-3',
      content: { uploadId },
    });
    await send('erp.files.commands.v1', { commandId: 7.5, orderNumber: order, reason: shopper.name });
    await sendWrong(order, shopper);
    const planted = [
      'catalog-publisher.dead_letters',
      'file-gateway.dead_letters',
      'file-gateway.upload_chunks',
      'order-command-handler.commands',
      'order-command-handler.dead_letters',
      'order-command-handler.order_facts',
      'webhook-ingest.notifications',
      'webhook-ingest.quarantine',
    ];
    await until(
      'the order to stand everywhere',
      async () => (await holding(shopper)).toSorted().join() === planted.join(),
    );
    const ended = async (id: string): Promise<boolean> => {
      const { exit, stdout } = await apps.gondola('commands', 'show', id, '--tenant', 'acme', '--json');
      return exit === 0 && stdout.includes('"invalid"');
    };
    await until('its dead letters', async () => (await letters()) === 4);
    await until('its commands to end', async () => (await ended('c-1')) && (await ended('c-2')));
    await until('the check of its PDF to end', async () => !(await hasOpenCommands(apps)));

    const erase = ['erase', 'order', String(order), '--tenant', 'acme'];
    expect(await apps.json(...erase)).toMatchObject({ confirmed: false, notifications: 1, facts: 1, apps: APPS });
    const answer = await apps.json<Answer>(...erase, '--confirm');
    const of = (app: string): Erasure => answer.erasures.find((each) => each.app === app)!;
    expect(answer.failed).toEqual([]);
    expect(of('webhook-ingest')).toMatchObject({ notifications: 1, quarantined: 1 });
    expect(of('file-gateway')).toMatchObject({ erased: { commands: 1, uploads: 1, deadLetters: 2 }, stays: [] });
    expect(of('catalog-publisher')).toMatchObject({ erased: { deadLetters: 1 }, stays: [] });
    expect(of('order-command-handler')).toMatchObject({
      erased: { facts: 1, commands: 1, deadLetters: 1 },
      stays: [{ what: expect.stringContaining('RegisterInvoice'), count: 1, why: 'fiscal' }],
    });
    const topics = answer.erasures.flatMap((each) => each.topics ?? []);
    expect(new Set(topics.map(({ topic }) => topic.replace(apps.prefix, '')))).toEqual(
      new Set([
        'platform.notifications.orders.v1',
        'erp.files.commands.v1',
        'erp.files.results.v1',
        'erp.orders.events.v1',
        'erp.orders.results.v1',
        'erp.orders.commands.v1',
        'dead-letters.v1',
      ]),
    );
    for (const { until: end } of topics) expect(Date.parse(end)).toBeGreaterThan(Date.now());
    await until('the bytes of the upload to be deleted', async () => (await holding(shopper)).length === 0);

    await apps.startReplica('webhook-ingest', 'second');
    await until('the spool to be imported', async () => !(await spooled(shopper)));
    await apps.deliver(notification(order, 700, shopper));
    await apps.deliver(notification(order, 700, shopper).replace('"Order"', '"Nothing"'));
    await sendWrong(order, shopper);
    await until('what comes later to be stored', async () => (await factsOf(order)) === 3);
    await until('the later dead letters', async () => (await letters()) === 7);
    await until('nothing of the shopper to be stored', async () => (await holding(shopper)).length === 0);
    const shown = await apps.gondola('orders', 'show', String(order), '--tenant', 'acme', '--reveal');
    expect(shown.stdout).toContain('700');
    expect(shown.stdout).not.toContain(shopper.name);
  });

  it('removes a shopper and their orders from every table, and no other shopper', async () => {
    const shopper = { name: 'Cliente Teste 02', email: 'canario.teste02@example.com' };
    const other = { name: 'Cliente Teste 03', email: 'canario.teste03@example.com' };
    for (const number of [200_021, 200_022]) await apps.deliver(notification(number, 300, shopper));
    await apps.deliver(notification(200_031, 300, other));
    await apps.deliver(user(shopper));
    await apps.deliver(user(other));
    for (const number of [200_021, 200_022, 200_031])
      await until(`the order ${number}`, async () => (await factsOf(number)) === 1);
    const users = ['notifications', 'list', '--tenant', 'acme', '--entity', 'User'];
    await until('both users', async () => (await apps.json<{ entries: unknown[] }>(...users)).entries.length === 2);
    const erase = ['erase', 'user', '--tenant', 'acme', '--email', shopper.email.toUpperCase()];
    expect(await apps.json(...erase)).toMatchObject({ confirmed: false, orderNumbers: ['200021', '200022'] });
    const answer = await apps.json<Answer & { user: object }>(...erase, '--confirm');
    expect(answer).toMatchObject({ orderNumbers: ['200021', '200022'], failed: [], user: { notifications: 1 } });
    await until('nothing of the shopper to be stored', async () => (await holding(shopper)).length === 0);
    await apps.deliver(user(shopper));
    await apps.deliver(notification(200_021, 400, shopper));
    await until('the late notification of an order', async () => (await factsOf(200_021)) === 2);
    await until('nothing of the shopper to be stored again', async () => (await holding(shopper)).length === 0);
    expect(await holding(other)).toEqual(['webhook-ingest.notifications', 'order-command-handler.order_facts']);
  });
});

function until(what: string, condition: () => Promise<boolean>): Promise<boolean> {
  return waitFor(condition, { describe: what });
}

async function hasOpenCommands(apps: RealApps): Promise<boolean> {
  return (await tablesHolding(apps.schemaUrls.get('file-gateway')!, [',open,'])).includes('commands');
}

function command(commandId: string, name: string, orderNumber: number): object {
  return { commandId, command: name, orderNumber };
}

function notification(number: number, status: number, { name, email }: Canaries): string {
  return envelope('Order', 'Order_Updated', {
    id: '0b000000-0000-4000-8000-000000000001',
    number,
    status,
    createdAt: '2026-11-20T10:14:58',
    updatedAt: `2026-11-20T${10 + status / 100}:00:00`,
    user: { firstName: name, email },
    items: [],
  });
}

function user({ name, email }: Canaries): string {
  return envelope('User', 'User_Updated', { firstName: name, email });
}

function envelope(relatedEntity: string, eventType: string, data: object): string {
  const operationId = crypto.randomUUID();
  return JSON.stringify({ operationId, contractAccountId: ACCOUNT, relatedEntity, eventType, data });
}
