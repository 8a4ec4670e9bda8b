import { afterEach, describe, expect, it } from '@jest/globals';
import type { Script } from '@gondola/local-stack/testing/scripted-platform';
import type { Audit, AuditedOrder } from '../src/audit/audit.dto.ts';
import { OrderApp } from './support/order-app.ts';
import { auditedOrder, type OrderOfMonth } from './support/audited-order.ts';

const MONTH = '2024-10';

describe('the audit of a month', () => {
  let app: OrderApp;

  afterEach(() => app.stop());

  const start = async (readsPerMinute = 60_000): Promise<void> => {
    app = await OrderApp.start('audit', { tenant: { audit: { readsPerMinute } } });
  };

  /** Orders that were paid in the month, as the shop notified of them. */
  const notified = async (...orders: readonly OrderOfMonth[]): Promise<void> => {
    for (const order of orders) {
      await app.notify({ data: JSON.stringify(auditedOrder(order)) });
      await app.eventsOf(order.number, 1);
    }
    await app.installation.query(`UPDATE order_facts SET received_at = '2024-10-20T12:00:00Z'`);
  };

  /** The shop knows these orders, and no other. */
  const shopShows = (...orders: readonly OrderOfMonth[]): void => {
    const payloads = new Map(orders.map((order) => [order.number, auditedOrder(order)]));
    const answer: Script = ({ path }) => {
      const payload = payloads.get(Number(/Orders\/(\d+)\//.exec(path)?.[1]));
      return payload === undefined ? { status: 404 } : { status: 200, json: payload };
    };
    app.platform.on.payload = answer;
  };

  const begin = async (body: object = {}): Promise<Audit> => {
    const answer = await app.post('/api/audits', { month: MONTH, ...body });
    expect(answer.status).toBe(202);
    return answer.body as Audit;
  };

  const shown = async (id: string): Promise<Audit> => (await app.get(`/api/audits/${id}`)).body as Audit;

  /** Waits until all orders were read once, and lets the second looks come at once. */
  const finished = async (id: string): Promise<Audit> => {
    await app.until(async () => {
      await app.installation.query(`UPDATE audited_orders SET due_at = now() WHERE looks > 0 AND outcome IS NULL`);
      await app.installation.query(`UPDATE lanes SET due_at = now() WHERE kind = 'audit' AND due_at > now()`);
      return (await shown(id)).state === 'finished';
    });
    return shown(id);
  };

  const differences = async (id: string, query = ''): Promise<readonly AuditedOrder[]> => {
    const { body } = await app.get(`/api/audits/${id}/differences${query}`);
    return (body as { entries: AuditedOrder[] }).entries;
  };

  it('finds what the ERP never heard of, what the shop does not know, and what differs, and nothing else', async () => {
    await start();
    await notified({ number: 100 }, { number: 101 }, { number: 103 }, { number: 105 });
    shopShows({ number: 100 }, { number: 101, total: '12.46' }, { number: 102 }, { number: 105 });
    const [{ id }, second] = await Promise.all([begin(), begin()]);
    expect(second.id).toBe(id);
    const audit = await finished(id);
    expect(audit).toMatchObject({
      tenant: 'acme',
      month: MONTH,
      numbers: 6,
      open: 0,
      orders: 5,
      differing: 3,
      erased: 0,
      kinds: [
        { kind: 'total', differences: 1 },
        { kind: 'unknown-to-erp', differences: 1 },
        { kind: 'unknown-to-shop', differences: 1 },
      ],
      sums: { shopOrders: 4, shopCents: 4981, publishedOrders: 4, publishedCents: 4980, invoicedOrders: 0 },
      estimatedEndAt: null,
    });
    const found = await differences(id);
    expect(found.map(({ orderNumber, differences: [each] }) => [orderNumber, each!.kind])).toEqual([
      ['103', 'unknown-to-shop'],
      ['102', 'unknown-to-erp'],
      ['101', 'total'],
    ]);
    expect(found[2]!.differences).toEqual([
      { kind: 'total', about: null, shop: '12.46', published: '12.45', erp: null },
    ]);
    // The orders that differ explain the difference of the sums.
    const { shopCents, publishedCents } = audit.sums;
    expect(found.reduce((sum, { apartCents }) => sum + apartCents, 0)).toBe(shopCents - publishedCents);
    expect(await differences(id, '?limit=1&before=103')).toMatchObject([{ orderNumber: '102' }]);
    // It changes nothing: it only reads.
    expect(new Set(app.platform.requests.map(({ method }) => method))).toEqual(new Set(['GET']));
    expect(app.events()).toHaveLength(4);
    expect((await begin()).id).toBe(id);
    expect(Number((await begin({ again: true })).id)).toBeGreaterThan(Number(id));
  });

  it('compares what the ERP said of a picked and invoiced order with what the shop made of it', async () => {
    await start();
    await app.sku('4711', { skuId: 's-0', reference: 'r-0' }, 1);
    await notified({ number: 200 }, { number: 201 }, { number: 202 });
    const item = { skuExternalReference: '4711', outcome: 'picked', quantity: { value: 1, unit: 'Un' } };
    const picking = { command: 'ReportPicking', orderNumber: 202, finalOrderPrice: 12.4, items: [item] };
    await app.command({ commandId: 'p-202', ...picking });
    for (const number of [200, 201]) {
      const invoice = { number: String(number), issuedAt: '2024-10-20T13:00:00Z', value: '12.45' };
      const pdf = { uploadId: 'u-1' };
      await app.command({ commandId: `i-${number}`, command: 'RegisterInvoice', orderNumber: number, ...invoice, pdf });
    }
    for (const id of ['p-202', 'i-200', 'i-201'])
      await app.until(async () => (await app.get(`/api/commands/${id}`)).status === 200);
    const invoice = { number: '200', value: '12.45' };
    const wrong = { number: '999', value: '12.45' };
    shopShows(
      { number: 200, invoice, invoiceUrl: 'https://files.example.com/200.pdf' },
      { number: 201, invoice: wrong },
      { number: 202 },
    );
    const { id } = await begin();
    const audit = await finished(id);
    expect(audit.sums).toMatchObject({ invoicedOrders: 2, invoicedCents: 2490, chargedCents: 2490 });
    const [picked, order, ...others] = await differences(id);
    expect([picked!.orderNumber, order!.orderNumber, others]).toEqual(['202', '201', []]);
    expect(picked!.differences).toEqual([
      { kind: 'total', about: 'ReportPicking p-202: open', shop: '12.45', published: '12.45', erp: '12.40' },
      { kind: 'quantity', about: '4711', shop: '2', published: null, erp: '1' },
    ]);
    const about = 'RegisterInvoice i-201: open';
    expect(order!.differences).toEqual([
      { kind: 'invoice-number', about, shop: '999', published: null, erp: '201' },
      { kind: 'pdf-missing', about, shop: null, published: null, erp: null },
    ]);
  });

  it('does not take a store that is behind for a difference, and waits for a platform that pauses its callers', async () => {
    await start();
    await notified({ number: 300, status: 300 }, { number: 301, status: 300 });
    let reads = 0;
    app.platform.on.payload = ({ path }) => {
      reads += 1;
      if (reads === 1) return { status: 429, headers: { 'retry-after': '1' } };
      const number = Number(/Orders\/(\d+)\//.exec(path)?.[1]);
      const isBehind = reads === 2;
      return { status: 200, json: auditedOrder({ number, total: isBehind ? '1.00' : '12.45' }) };
    };
    const { id } = await begin();
    expect(await finished(id)).toMatchObject({ differing: 0, orders: 2, kinds: [], reads: 4 });
  });

  it('names an order that cannot be loaded, and does not stop at it', async () => {
    await start();
    await notified({ number: 350 }, { number: 351 }, { number: 352 });
    shopShows({ number: 350 }, { number: 351 }, { number: 352 });
    const damage = '{ "ticks": "many" }';
    await app.installation.query(`UPDATE orders SET published_recalculation = $1 WHERE order_number = '351'`, [damage]);
    const { id } = await begin();
    expect(await finished(id)).toMatchObject({ orders: 3, differing: 1, reads: 2 });
    const unread = { kind: 'not-comparable', about: 'not loaded', shop: null, published: null, erp: null };
    expect(await differences(id)).toMatchObject([{ orderNumber: '351', differences: [unread] }]);
  });

  it('names an order that the platform never answers, and does not stop at it', async () => {
    await start();
    await notified({ number: 400, status: 300 }, { number: 401, status: 300 });
    app.platform.on.payload = ({ path }) =>
      path.includes('/400/') ? { status: 500 } : { status: 200, json: auditedOrder({ number: 401 }) };
    const { id } = await begin();
    await app.until(async () => {
      await app.installation.query('UPDATE audited_orders SET due_at = now() WHERE failures > 0 AND outcome IS NULL');
      await app.installation.query(`UPDATE lanes SET due_at = now() WHERE kind = 'audit' AND due_at > now()`);
      return (await shown(id)).state === 'finished';
    });
    const unread = { kind: 'not-comparable', about: 'server-error', shop: null, published: null, erp: null };
    expect(await differences(id)).toMatchObject([{ orderNumber: '400', differences: [unread] }]);
  });

  it('keeps its rate, also on two replicas and over a stop, and reads no order again that was stored', async () => {
    await start(600);
    const numbers = Array.from({ length: 30 }, (_, index) => 500 + index);
    await app.notify(...numbers.map((number) => ({ data: JSON.stringify(auditedOrder({ number })) })));
    for (const number of numbers) await app.eventsOf(number, 1);
    await app.installation.query(`UPDATE order_facts SET received_at = '2024-10-20T12:00:00Z'`);
    const readAt: number[] = [];
    app.platform.on.payload = ({ path }) => {
      readAt.push(performance.now());
      return { status: 200, json: auditedOrder({ number: Number(/Orders\/(\d+)\//.exec(path)?.[1]) }) };
    };
    await app.startReplica();
    const { id } = await begin();
    await app.until(() => readAt.length >= 11);
    expect((await app.post(`/api/audits/${id}/stop`, {})).body).toMatchObject({ state: 'stopped' });
    await app.until(async () => {
      const [lane] = await app.installation.query(`SELECT 1 FROM lanes WHERE kind = 'audit' AND lease_until IS NULL`);
      return lane !== undefined;
    });
    const stoppedAfter = readAt.length;
    expect(await begin()).toMatchObject({ id, state: 'stopped', open: 30 - stoppedAfter });
    await app.post(`/api/audits/${id}/resume`, {});
    await app.until(async () => (await shown(id)).state === 'finished');
    expect(await shown(id)).toMatchObject({ orders: 30, differing: 0, reads: 30 });
    expect(readAt).toHaveLength(30);
    const apart = readAt.slice(1).map((at, index) => at - readAt[index]!);
    // 100 ms on average, but for the rounding of clocks and of timers.
    expect(apart.reduce((sum, each) => sum + each, 0)).toBeGreaterThan(29 * 99);
  });

  it('leaves out orders of other months, and compares what an erasure has left', async () => {
    await start();
    const other = { number: 601, createdAt: '2024-11-01T00:00:00' };
    await notified({ number: 600, createdAt: '2024-10-31T23:59:59' }, other, { number: 602 });
    await app.installation.query(`UPDATE orders SET published_parts = NULL WHERE order_number = '602'`);
    shopShows({ number: 600 }, other, { number: 602 });
    const { id } = await begin();
    expect(await finished(id)).toMatchObject({ numbers: 3, orders: 2, differing: 0, erased: 1, reads: 2 });
  });

  it('is refused for a month that is none or is not over, and for a shop that is not there', async () => {
    await start();
    const refusals = [
      [{ month: '2024-13' }, /month is a month such as 2026-11/],
      [{ month: '9999-12' }, /month is a month such as 2026-11/],
      [{ month: '2099-12' }, /month 2099-12 is not over in the zone of the platform/],
      [{ month: MONTH, tenant: 'nobody' }, /tenant must be one of the tenants file: acme/],
      [{}, /month is a month/],
    ] as const;
    for (const [body, message] of refusals) {
      const refused = await app.post('/api/audits', body);
      expect(refused).toMatchObject({ status: 400, body: { error: { message: expect.stringMatching(message) } } });
    }
    expect((await app.get('/api/audits')).body).toEqual({ entries: [] });
    expect(await app.get('/api/audits/9/differences')).toMatchObject({ status: 404 });
    expect(await app.post('/api/audits/x/stop', {})).toMatchObject({ status: 404 });
  });
});
