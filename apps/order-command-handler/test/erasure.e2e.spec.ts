import { CommandSweep } from '@gondola/lanes/commands/command-sweep';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { OrderApp } from './support/order-app.ts';
import { CANARIES, orderData } from './support/platform-order.ts';

const ORDER = 400_001;
const REASON = 'Cliente Teste 01 pediu';

/** Everything that the app stores, bytes as text. */
const STORED = `
  SELECT order_number || coalesce(encode(data, 'escape'), '') || coalesce(encode(error, 'escape'), '') AS text FROM order_facts
  UNION ALL SELECT orders::text FROM orders
  UNION ALL SELECT coalesce(encode(value, 'escape'), '') || coalesce(progress::text, '') FROM commands
  UNION ALL SELECT coalesce(encode(value, 'escape'), '') || headers FROM dead_letters
  UNION ALL SELECT encode(value, 'escape') FROM pdf_results
  UNION ALL SELECT published_records::text FROM published_records`;

describe('the erasure of an order', () => {
  let app: OrderApp;
  let database: Client;

  beforeAll(async () => {
    app = await OrderApp.start('erasure', { retentionEveryMs: 100, cancelReadMs: 100 });
    database = new Client({ connectionString: app.installation.schemaUrl });
    await database.connect();
  });

  afterAll(async () => {
    await database.end();
    await app.stop();
  });

  const notify = (number: number, status: number): Promise<void> =>
    app.notify({
      data: orderData({
        number,
        status,
        updatedAt: `2026-11-20T${10 + Math.floor(status / 100)}:${status % 100 || '00'}:00`,
      }),
    });

  /** The canaries in what is stored of an order. */
  const found = async (order: number): Promise<string[]> => {
    const { rows } = await database.query<{ text: string }>(STORED);
    const all = rows.map(({ text }) => text.includes(String(order)) && text).join('\n');
    return CANARIES.filter((canary) => all.includes(canary));
  };

  it('takes it out of facts, commands and dead letters for good, and leaves its course, amounts and items', async () => {
    await notify(ORDER, 300);
    await app.eventsOf(ORDER, 1);
    await app.badCommand({ commandId: 'c-1', command: 'Ship', orderNumber: ORDER, reason: { text: REASON } });
    await app.badCommand({ commandId: 'c-2', command: 'RegisterInvoice', orderNumber: ORDER, number: '4711' });
    await app.resultOf('c-2');
    await app.badCommand({ commandId: 7.5, command: 'Ship', orderNumber: ORDER, reason: REASON });
    await app.deadLetter(1);
    expect(await found(ORDER)).not.toEqual([]);

    expect(await app.post('/api/erasures', { tenant: 'acme', orderNumber: ORDER })).toMatchObject({ status: 400 });
    const { status, body } = await app.post('/api/erasures', { tenant: 'acme', orderNumber: ORDER, confirm: true });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      tenant: 'acme',
      orderNumber: String(ORDER),
      erased: { facts: 1, commands: 1, deadLetters: 1 },
      stays: [{ what: expect.stringContaining('RegisterInvoice'), count: 1, why: 'fiscal' }],
    });
    const { at, topics } = body as { at: string; topics: { topic: string; until: string }[] };
    expect(topics.map(({ topic }) => topic.replace(app.installation.prefix, ''))).toEqual(
      expect.arrayContaining(['erp.orders.events.v1', 'dead-letters.v1']),
    );
    for (const { until } of topics) expect(Date.parse(until) - Date.parse(at)).toBeGreaterThanOrEqual(7 * 86_400_000);
    expect(await found(ORDER)).toEqual([]);
    const { entries } = (await app.get('/api/erasures?tenant=acme')).body as { entries: { orderNumber: string }[] };
    const ofOrder = entries.filter(({ orderNumber }) => orderNumber === String(ORDER));
    expect(ofOrder).toMatchObject([{ at, erased: { facts: 1 } }]);

    const shown = await app.get(`/api/orders/${ORDER}?reveal=true`);
    expect(shown.body).toMatchObject({
      status: { code: 300 },
      values: { totals: { total: '12.45' }, items: [{ reference: '4711-1' }] },
      people: { customer: { firstName: null, email: null, document: null }, address: { street: null }, payments: [] },
    });
    expect(app.events(ORDER)).toHaveLength(1);

    await notify(ORDER, 700);
    const events = await app.eventsOf(ORDER, 2);
    expect(events[1]!.value).toMatchObject({ type: 'OrderDelivered', revision: 2, changes: ['status'] });
    const bytes = events[1]!.bytes.toString('utf8');
    expect(CANARIES.filter((canary) => bytes.includes(canary))).toEqual([]);
    expect(await found(ORDER)).toEqual([]);
  });

  it('of an order that is not known yet stores no personal data of its first notification', async () => {
    await app.post('/api/erasures', { tenant: 'acme', orderNumber: ORDER + 1, confirm: true });
    await notify(ORDER + 1, 300);
    const [event] = await app.eventsOf(ORDER + 1, 1);
    expect(event!.value).toMatchObject({ order: { customer: { email: null }, totals: { total: '12.45' } } });
    expect(await found(ORDER + 1)).toEqual([]);
  });

  it('keeps nothing of commands that arrive later, nor of concluded ones that name no order', async () => {
    const order = ORDER + 20;
    await app.post('/api/erasures', { tenant: 'acme', orderNumber: order, confirm: true });
    await app.badCommand({ commandId: 'c-20', command: 'Ship', orderNumber: order, reason: { text: REASON } });
    await app.badCommand({ commandId: 'c-21', command: 'Ship', orderNumber: `n. ${order}`, reason: REASON });
    for (const id of ['c-20', 'c-21']) expect((await app.resultOf(id)).value).toMatchObject({ outcome: 'invalid' });
    expect(await found(order)).toEqual([]);
    const repeat = { commandId: 'c-21', command: 'Ship', orderNumber: `n. ${order}`, reason: REASON };
    await app.badCommand(repeat);
    await app.badCommand({ ...repeat, commandId: 'c-22' });
    await app.resultOf('c-22');
    expect(app.results('c-21')).toHaveLength(1);
  });

  it('takes the results of its PDFs', async () => {
    await notify(ORDER + 21, 300);
    await app.eventsOf(ORDER + 21, 1);
    await app.badCommand({ commandId: 'c-23', command: 'Ship', orderNumber: ORDER + 21, reason: { text: REASON } });
    await app.resultOf('c-23');
    const text = `${CANARIES[0]} ${ORDER + 21}`;
    await database.query(
      `INSERT INTO pdf_results (tenant, result_id, parent_command_id, value) VALUES ('acme', 'r-23', 'c-23', $1)`,
      [Buffer.from(text)],
    );
    await app.post('/api/erasures', { tenant: 'acme', orderNumber: ORDER + 21, confirm: true });
    expect(await found(ORDER + 21)).toEqual([]);
  });

  it('leaves results of PDFs to the retention of commands, with which they go', async () => {
    await database.query(
      `INSERT INTO pdf_results (tenant, result_id, parent_command_id, value, received_at)
       SELECT 'acme', id, id, '', now() - days * interval '1 day' FROM (VALUES ('old', 91), ('young', 89)) AS t (id, days)`,
    );
    await app.installation.running.app.get(CommandSweep, { strict: false }).sweep();
    const { rows } = await database.query('SELECT result_id AS id FROM pdf_results');
    expect(rows).toEqual([{ id: 'young' }]);
  });

  it.each([
    ['its first event is being published', ORDER + 10, [], 300],
    ['a later one is', ORDER + 11, [300], 400],
  ])('while %s publishes and stores no personal data', async (_when, order, before, next) => {
    for (const status of before) await notify(order, status);
    await app.eventsOf(order, before.length);
    const answers: unknown[] = [];
    app.betweenLoadAndSave(async (statuses) => {
      // A step of the status before may be under way, such as one that looks for an unknown SKU.
      if (answers.length > 0 || statuses.get(order) !== next) return;
      answers.push(await app.post('/api/erasures', { tenant: 'acme', orderNumber: order, confirm: true }));
    });
    await notify(order, next);
    const event = (await app.eventsOf(order, before.length + 1)).at(-1)!;
    expect(answers).toMatchObject([{ status: 200, body: { erased: { facts: before.length + 1 } } }]);
    expect(event.value).toMatchObject({ order: { customer: { email: null }, totals: { total: '12.45' } } });
    expect(CANARIES.filter((canary) => event.bytes.toString('utf8').includes(canary))).toEqual([]);
    expect(await found(order)).toEqual([]);
    expect(app.events(order)).toHaveLength(before.length + 1);
  });

  it('during a reading of its status leaves no hash of published values, so that nothing is published again', async () => {
    const order = ORDER + 12;
    await notify(order, 300);
    await app.eventsOf(order, 1);
    const partsOf = async (): Promise<unknown> => {
      const text = 'SELECT published_parts AS parts FROM orders WHERE order_number = $1';
      return (await database.query<{ parts: unknown }>(text, [String(order)])).rows[0]!.parts;
    };
    let parts: unknown;
    app.platform.on.read = async () => {
      if (parts === undefined) {
        await app.post('/api/erasures', { tenant: 'acme', orderNumber: order, confirm: true });
        parts = await partsOf();
      } else parts = [parts, await partsOf()];
      return { status: 200, json: Array.isArray(parts) ? 800 : 750 };
    };
    await notify(order, 750);
    const events = await app.eventsOf(order, 3);
    expect(events.map(({ value }) => [value['type'], value['changes']])).toEqual([
      ['OrderApproved', ['status']],
      ['CancellationStarted', ['status']],
      ['OrderCancelled', ['status']],
    ]);
    expect(parts).toEqual([null, null]);
  });

  it('of a shopper begins with the numbers of the orders that have their e-mail and are not erased', async () => {
    await notify(ORDER + 3, 300);
    await notify(ORDER + 4, 300);
    await app.eventsOf(ORDER + 4, 1);
    const find = (email: string) => app.post('/api/erasures/orders', { tenant: 'acme', email });
    const numbers = [ORDER + 3, ORDER + 4].map(String);
    const foundOf = async (email: string): Promise<string[]> => {
      const { orderNumbers } = (await find(email)).body as { orderNumbers: string[] };
      return orderNumbers.filter((number) => numbers.includes(number));
    };
    expect(await foundOf('Canario.Teste01@example.com')).toEqual(numbers);
    expect(await foundOf('teste01@example.com')).toEqual([]);
    for (const orderNumber of numbers) await app.post('/api/erasures', { tenant: 'acme', orderNumber, confirm: true });
    expect(await foundOf('canario.teste01@example.com')).toEqual([]);
    expect(await find('canario')).toMatchObject({ status: 400 });
    expect(app.installation.logLines.join('\n')).not.toContain('anario.');
  });

  it('leaves other orders alone', async () => {
    await notify(ORDER + 2, 300);
    const [event] = await app.eventsOf(ORDER + 2, 1);
    expect(event!.value).toMatchObject({ order: { customer: { email: CANARIES[1] } } });
    expect(await found(ORDER + 2)).not.toEqual([]);
  });

  it('happens automatically when its retention ends, publishes no event, and leaves younger orders', async () => {
    await notify(ORDER + 5, 300);
    // An event of its own, before the cancellation can join its step.
    await app.eventsOf(ORDER + 5, 1);
    // Cancelled: nobody waits for it, so that the watch publishes nothing of its age.
    await notify(ORDER + 5, 800);
    await app.eventsOf(ORDER + 5, 2);
    await notify(ORDER + 6, 300);
    await app.eventsOf(ORDER + 6, 1);
    const old = `now() - interval '181 days'`;
    await database.query(`UPDATE orders SET status_since = ${old} WHERE order_number = $1`, [String(ORDER + 5)]);
    await database.query(`UPDATE order_facts SET received_at = ${old} WHERE order_number = $1`, [String(ORDER + 5)]);
    const emailOf = async (number: number): Promise<string | null> => {
      const { body } = await app.get(`/api/orders/${number}?reveal=true`);
      return (body as { people: { customer: { email: string | null } } }).people.customer.email;
    };
    await app.until(async () => (await emailOf(ORDER + 5)) === null);
    expect(await emailOf(ORDER + 6)).toBe(CANARIES[1]);
    await notify(ORDER + 5, 1200);
    const [, , refunded] = await app.eventsOf(ORDER + 5, 3);
    expect(refunded!.value).toMatchObject({ type: 'RefundCompleted', revision: 3 });
  });

  it('happens automatically to an order of which only failures are known, so that it has no status', async () => {
    const order = ORDER + 7;
    const data = { number: order, user: { email: CANARIES[1] } };
    const error = { statusCode: 422, message: `${CANARIES[0]} ${order}` };
    await app.notify({ eventType: 'Order_StatusUpdateFailed', data, error });
    await app.until(async () => (await found(order)).length === 2);
    expect((await app.get(`/api/orders/${order}`)).body).toMatchObject({ status: null });
    await database.query(`UPDATE order_facts SET received_at = now() - interval '181 days' WHERE order_number = $1`, [
      String(order),
    ]);
    await app.until(async () => (await found(order)).length === 0);
    expect((await app.get(`/api/orders/${order}`)).body).toMatchObject({
      facts: [{ eventType: 'Order_StatusUpdateFailed', error: { statusCode: 422 } }],
    });
  });
});
