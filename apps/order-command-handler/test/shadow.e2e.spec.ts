import type { PublishedRecord } from '@gondola/kafka/testing/test-installation';
import { shadowTopic, type TopicName } from '@gondola/shared/topics/topics';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { OrderApp } from './support/order-app.ts';
import { pdfResultMessage } from './support/pdf-result-message.ts';
import { orderData } from './support/platform-order.ts';

const LIVE = ['erp.orders.events.v1', 'erp.orders.results.v1', 'erp.files.commands.v1'] as const;

describe('a tenant in shadow', () => {
  let app: OrderApp;

  beforeAll(async () => {
    app = await OrderApp.start('och-shadow', { tenant: { mode: 'shadow' } });
    await app.installation.readTopics(...LIVE, ...LIVE.map(shadowTopic), 'shadow.erp.orders.commands.v1');
    app.platform.on.payload = () => ({ status: 200, json: { orderInvoiced: null } });
  });

  afterAll(() => app.stop());

  /** The other connector changed the order at the shop. */
  const moved = (number: number, status: number, minute: number): Promise<void> =>
    app.notify({ data: orderData({ number, status, updatedAt: `2026-11-20T10:${minute}:00` }) });
  const published = (topic: TopicName, wanted: object, count = 1): Promise<PublishedRecord[]> => {
    const records = () =>
      app.installation
        .published(shadowTopic(topic))
        .filter(({ value }) => Object.entries(wanted).every(([name, field]) => value[name] === field));
    return app.installation.untilCount(`${count} of ${JSON.stringify(wanted)}`, records, count);
  };
  const leftOut = () =>
    app.installation.query<{ route: string; entity: string; command_id: string; body: string; times: number }>(
      'SELECT route, entity, command_id, body, times FROM shadow_calls WHERE command_id <> $$$$ ORDER BY id',
    );
  const untilLeftOut = (route: string): Promise<void> =>
    app.until(async () => (await leftOut()).some((call) => call.route === route));

  it('decides everything, sends nothing, and publishes on the topics of the shadow (rules 15, 16)', async () => {
    const number = 600100;
    await moved(number, 300, 15);
    const [event] = await published('erp.orders.events.v1', { orderNumber: number });
    expect(event!.value).toMatchObject({ type: 'OrderApproved', revision: 1 });

    await app.command({ commandId: 's-1', command: 'StartPreparation', orderNumber: number });
    await untilLeftOut('patchOrderStatus');
    await moved(number, 400, 16);
    const [result] = await published('erp.orders.results.v1', { commandId: 's-1' });
    expect(result!.value).toMatchObject({ outcome: 'applied', evidence: 'event', attempts: 1 });

    const issued = {
      number: '000123',
      issuedAt: '2026-11-20T10:00:00-03:00',
      value: '12.45',
      pdf: { uploadId: 'u-1' },
    };
    await app.command({ commandId: 'i-1', command: 'RegisterInvoice', orderNumber: number, ...issued });
    await published('erp.files.commands.v1', { commandId: 'i-1/chk' });
    const data = { sha256: '', size: 1, expiresAt: new Date(Date.now() + 3_600_000).toISOString() };
    const check = { commandId: 'i-1/chk', command: 'CheckInvoicePdf', evidence: 'none', outcome: 'applied' } as const;
    // file-gateway answers on the topic of the shadow, too.
    await app.installation.send('shadow.erp.files.results.v1', pdfResultMessage('acme', 'i-1', { ...check, data }));
    await untilLeftOut('putInvoiced');
    app.platform.on.payload = () => ({ status: 200, json: { orderInvoiced: { number: '000123' } } });
    await moved(number, 350, 20);
    await published('erp.files.commands.v1', { commandId: 'i-1/pdf' });
    await app.installation.send('shadow.erp.files.results.v1', pdfResultMessage('acme', 'i-1', { outcome: 'applied' }));
    const [invoiced] = await published('erp.orders.results.v1', { commandId: 'i-1' });
    expect(invoiced!.value).toMatchObject({ outcome: 'applied' });

    const order = { entity: String(number), times: 1 };
    expect(await leftOut()).toEqual([
      { ...order, route: 'patchOrderStatus', command_id: 's-1', body: expect.stringContaining('ORDER_BEING_PREPARED') },
      { ...order, route: 'putInvoiced', command_id: 'i-1', body: expect.stringContaining('"value":1245') },
    ]);
    expect(app.platform.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
    for (const topic of LIVE) expect(app.installation.records(topic)).toEqual([]);
  });

  it('carries out a command of an operator, which no other connector reads', async () => {
    await moved(600101, 300, 15);
    await published('erp.orders.events.v1', { orderNumber: 600101 });
    const asked = await app.post('/api/orders/600101/refresh', { tenant: 'acme' });
    expect(asked.status).toBe(202);
    const { commandId } = asked.body as { commandId: string };
    await published('erp.orders.results.v1', { commandId });
    expect(app.installation.records('shadow.erp.orders.commands.v1')).toHaveLength(1);
    expect(app.platform.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
  });

  it('forgets with an order what it left out of it', async () => {
    await app.post('/api/erasures', { tenant: 'acme', orderNumber: 600100, confirm: true });
    expect((await leftOut()).filter(({ entity }) => entity === '600100')).toEqual([]);
  });
});

describe('the comparison of a tenant in shadow', () => {
  const SETTLE_MS = 2_000;
  let app: OrderApp;

  beforeAll(async () => {
    app = await OrderApp.start('och-compared', {
      commandMs: SETTLE_MS,
      tenant: { mode: 'shadow', watch: { notPreparedMs: SETTLE_MS } },
    });
    await app.installation.readTopics('shadow.erp.orders.events.v1');
    app.platform.on.payload = () => ({ status: 200, json: { orderInvoiced: null } });
  });

  afterAll(() => app.stop());

  const moved = (number: number, status: number, minute: number, more: object = {}): Promise<void> =>
    app.notify({ data: orderData({ number, status, updatedAt: `2026-11-20T10:${minute}:00`, ...more }) });
  const command = (number: number, name: string, more: object = {}): Promise<void> =>
    app.command({ commandId: `${name}-${number}`, command: name, orderNumber: number, ...more });
  const differences = async (): Promise<Record<string, unknown>[]> => {
    const { body } = await app.get('/api/shadow/differences?tenant=acme');
    return (body as { entries: Record<string, unknown>[] }).entries;
  };
  const kinds = async (): Promise<string[]> =>
    (await differences())
      .map(({ entity, kind, route }) => `${String(entity)} ${String(kind)} ${String(route)}`)
      .toSorted();

  it('tells what is the same, missing, late, without a record, and without an order at the ERP', async () => {
    const [same, late, never, foreign, unheard] = [1, 2, 3, 4, 5].map((digit) => 600200 + digit) as [
      number,
      number,
      number,
      number,
      number,
    ];
    for (const number of [same, late, never, foreign, unheard]) await moved(number, 300, 15);
    for (const number of [same, late, never]) {
      await app.installation.untilCount(
        `the event of ${number}`,
        () =>
          app.installation
            .published('shadow.erp.orders.events.v1')
            .filter(({ value }) => value['orderNumber'] === number),
        1,
      );
      await command(number, 'StartPreparation');
    }
    await moved(same, 400, 16);
    await moved(foreign, 600, 16);
    await app.until(async () => (await kinds()).length === 4);
    expect(await kinds()).toEqual([
      `${late} only-gondola patchOrderStatus`,
      `${never} only-gondola patchOrderStatus`,
      `${foreign} only-old orderStatus`,
      `${unheard} only-gondola orderCreated`,
    ]);
    await moved(late, 400, 17);
    await app.until(async () => (await kinds()).includes(`${late} late patchOrderStatus`));
    const [found] = (await differences()).filter(({ kind }) => kind === 'late');
    expect(found).toMatchObject({
      commandId: `StartPreparation-${late}`,
      gondola: expect.stringContaining('ORDER_BEING_PREPARED'),
      lateMs: expect.any(Number),
    });
    expect(found!['lateMs']).toBeGreaterThan(SETTLE_MS);
    const { body } = await app.get('/api/shadow?tenant=acme');
    expect(body).toMatchObject({
      tenants: ['acme'],
      counts: expect.arrayContaining([{ tenant: 'acme', kind: 'only-gondola', count: 2 }]),
    });
    const equal = (body as { counts: { kind: string; count: number }[] }).counts.find(({ kind }) => kind === 'same');
    expect(equal!.count).toBeGreaterThanOrEqual(1);
    expect(app.platform.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
  });

  it('compares an invoice by its number and its cents', async () => {
    const number = 600210;
    await moved(number, 300, 15);
    await moved(number, 400, 16);
    const issued = { issuedAt: '2026-11-20T10:00:00-03:00', value: '12.45' };
    await command(number, 'RegisterInvoice', { number: '000123', ...issued });
    await app.until(
      async () =>
        (await app.installation.query('SELECT 1 FROM shadow_calls WHERE route = $1', ['putInvoiced'])).length > 0,
    );
    app.platform.on.payload = () => ({ status: 200, json: { orderInvoiced: { number: '000123', value: 1300 } } });
    await moved(number, 350, 20);
    await app.until(async () => (await kinds()).some((kind) => kind.startsWith(`${number} another-value`)));
    expect((await differences()).filter(({ route }) => route === 'putInvoiced')).toMatchObject([
      {
        kind: 'another-value',
        route: 'putInvoiced',
        gondola: expect.stringContaining('1245'),
        shop: expect.stringContaining('1300'),
      },
    ]);
  });
});
