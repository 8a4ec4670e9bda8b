import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { IMPOSSIBLE_TIMES, POSSIBLE_TIMES } from '@gondola/service-kit/testing/request-times';
import { OrderApp } from './support/order-app.ts';
import { CANARIES, orderData } from './support/platform-order.ts';

const OPERATION = '00000000-0000-4000-8000-000000000001';

interface Entry {
  readonly at: string;
  readonly kind: string;
  readonly [field: string]: unknown;
}

interface Listed {
  readonly entries: ReadonlyArray<{ readonly id: string; readonly orderNumber: string; readonly statusSince: string }>;
  readonly next: string | null;
}

describe('operators', () => {
  let app: OrderApp;

  beforeAll(async () => {
    app = await OrderApp.start('operations');
  });

  beforeEach(() => {
    app.platform.on.status = () => ({ status: 200, json: { operationId: OPERATION } });
  });

  afterAll(() => app.stop());

  const notify = (number: number, status: number, operationId: string): Promise<void> =>
    app.notify({ operationId, data: orderData({ number, status, updatedAt: `2026-11-20T1${status / 100}:00:00` }) });

  const paid = async (number: number): Promise<void> => {
    await notify(number, 300, `paid-${number}`);
    await app.eventsOf(number, 1);
  };

  const timelineOf = async (path: string): Promise<readonly Entry[]> =>
    ((await app.get(path)).body as { timeline: readonly Entry[] }).timeline;

  it('see the course of an order in order of time: facts, commands, attempts, outcomes, events', async () => {
    await paid(300001);
    await app.command({ commandId: 'c-1', command: 'StartPreparation', orderNumber: 300001 });
    await app.until(() => app.platform.requestsOf(300001, 'PATCH').length === 1);
    await notify(300001, 400, OPERATION);
    await app.resultOf('c-1');
    await notify(300001, 500, 'o-3');
    await app.eventsOf(300001, 2);
    const timeline = await timelineOf('/api/orders/300001');
    expect(timeline.map(({ at }) => at)).toEqual(timeline.map(({ at }) => at).toSorted());
    expect(timeline).toMatchObject([
      { kind: 'fact', eventType: 'Order_Updated', status: { code: 300 } },
      { kind: 'event', type: 'OrderApproved', revision: 1, cause: 'platform', commandId: null },
      { kind: 'command', commandId: 'c-1', command: 'StartPreparation' },
      { kind: 'attempt', commandId: 'c-1', step: 'status', answer: { kind: 'accepted', operationId: OPERATION } },
      { kind: 'fact', operationId: OPERATION, status: { code: 400 } },
      { kind: 'outcome', commandId: 'c-1', outcome: 'applied', evidence: 'event', revision: 1, isCorrection: false },
      { kind: 'fact', operationId: 'o-3', status: { code: 500 } },
      { kind: 'event', type: 'OrderReady', revision: 2, status: { code: 500 } },
    ]);
  });

  it('see what the ERP was sent of an order, under the former name too', async () => {
    await paid(300010);
    const published = { revision: 1, status: { code: 300, name: 'PAYMENT_APPROVED' } };
    expect((await app.get('/api/orders/300010')).body).toMatchObject({ published, told: published });
  });

  it('see how much there is of a tenant', async () => {
    await paid(300010);
    expect(await app.get('/api/counts?tenant=acme')).toEqual(await app.get('/api/counts'));
    expect(await app.get('/api/counts?tenant=another')).toMatchObject({
      body: { skus: 0, orders: 0, byStatus: [], openCommands: [] },
    });
    expect(await app.get('/api/counts?shop=acme')).toMatchObject({ status: 400 });
  });

  it('see personal data masked; to reveal it is counted and leaves a line in the log', async () => {
    await paid(300002);
    const { body } = await app.get('/api/orders/300002');
    expect(body).toMatchObject({
      people: {
        customer: { firstName: 'C***', email: 'c***', document: '0***', gender: null },
        address: { street: 'R***' },
        payments: [{ method: 'CreditCard', value: '12.45', transactionId: 't***' }],
      },
    });
    expect(CANARIES.filter((canary) => JSON.stringify(body).includes(canary))).toEqual([]);
    expect(shownLines()).toEqual([]);
    const revealed = await app.get('/api/orders/300002?reveal=true');
    expect(revealed.body).toMatchObject({ people: { customer: { firstName: 'Cliente Teste 01' } } });
    expect(shownLines()).toMatchObject([
      { kind: 'order', tenant: 'acme', orderNumber: '300002', token: 'OPERATIONS_TOKEN', time: expect.anything() },
    ]);
    const metrics = await (await fetch(`${app.installation.running.url}/metrics`)).text();
    expect(metrics).toContain('gondola_orders_revealed_total{tenant="acme"} 1');
    expect(CANARIES.filter((canary) => app.installation.logLines.join('\n').includes(canary))).toEqual([]);
  });

  it('are told which setting the core service needs', async () => {
    await paid(300003);
    const { status, body } = await app.get('/api/orders/300003/details');
    const message = expect.stringContaining('platform.coreApiKey');
    expect({ status, body }).toEqual({ status: 409, body: { error: { code: 'CORE_KEY_MISSING', message } } });
    expect(app.platform.callsOf(300003, 'details')).toEqual([]);
  });

  it('list orders by status and age, page by page, without personal data', async () => {
    for (const number of [300011, 300012, 300013]) await paid(number);
    await notify(300012, 600, 'o-shipped');
    await app.eventsOf(300012, 2);
    const all = (await app.get('/api/orders?tenant=acme&status=300')).body as Listed;
    expect(all.entries.map(({ orderNumber }) => orderNumber).slice(0, 2)).toEqual(['300013', '300011']);
    const first = (await app.get('/api/orders?limit=1')).body as Listed;
    expect(first).toMatchObject({ entries: [{ orderNumber: '300013', revision: 1 }], next: first.entries[0]!.id });
    const second = (await app.get(`/api/orders?limit=1&before=${first.next}`)).body;
    expect(second).toMatchObject({
      entries: [{ orderNumber: '300012', status: { code: 600, name: 'SHIPPED' }, statusSince: expect.any(String) }],
    });
    expect((await app.get('/api/orders?olderThanMs=3600000')).body).toEqual({ entries: [], next: null });
    const { orderNumber: number, statusSince: since } = first.entries[0]!;
    const listed = async (query: string) => ((await app.get(`/api/orders?${query}`)).body as Listed).entries;
    expect(await listed(`number=${number.slice(0, -1)}&limit=200`)).toContainEqual(first.entries[0]);
    expect(await listed(`number=${number}9`)).toEqual([]);
    const later = new Date(Date.parse(since) + 1).toISOString();
    expect(await listed(`number=${number}&from=${since}&to=${later}`)).toHaveLength(1);
    expect(await listed(`number=${number}&from=${later}`)).toEqual([]);
    const inSaoPaulo = new Date(Date.parse(since) - 3 * 3_600_000).toISOString().replace('Z', '-03:00');
    expect(await listed(`number=${number}&from=${inSaoPaulo}&to=${later}`)).toHaveLength(1);
    for (const time of [...POSSIBLE_TIMES, ...IMPOSSIBLE_TIMES]) {
      const { status } = await app.get(`/api/orders?from=${encodeURIComponent(time)}`);
      expect([time, status]).toEqual([time, POSSIBLE_TIMES.includes(time) ? 200 : 400]);
    }
    expect((await app.get('/api/today?tenant=acme')).body).toMatchObject({
      queues: [],
      pauses: [],
      outbox: { parked: 0 },
    });
    expect(await app.get('/api/orders?sttus=300')).toMatchObject({ status: 400 });
    expect(await app.get('/api/orders?tenant=nobody')).toMatchObject({ status: 400 });
    expect(CANARIES.filter((canary) => JSON.stringify(all).includes(canary))).toEqual([]);
  });

  it('see a command, and ask for its withdrawal as the ERP would', async () => {
    await paid(300021);
    app.platform.on.status = () => ({ status: 401 });
    await app.command({ commandId: 'c-21/a', command: 'StartPreparation', orderNumber: 300021 });
    const path = `/api/commands/${encodeURIComponent('c-21/a')}`;
    // Now and then the platform is tried again; while that call is under way, there is an attempt.
    let shown: unknown;
    await app.until(async () => {
      shown = (await app.get(path)).body;
      const text = JSON.stringify(shown);
      return text.includes('platform-available') && !text.includes('"kind":"attempt"');
    });
    expect(shown).toMatchObject({
      tenant: 'acme',
      orderNumber: '300021',
      commandId: 'c-21/a',
      command: 'StartPreparation',
      outcome: null,
      timeline: [{ kind: 'command' }],
    });
    const asked = await app.post(`${path}/withdraw`, { tenant: 'acme' });
    expect(asked).toMatchObject({ status: 202, body: { withdraws: 'c-21/a' } });
    const { commandId } = asked.body as { commandId: string };
    const { value } = await app.resultOf(commandId);
    expect(value).toMatchObject({ command: 'WithdrawCommand', outcome: 'applied' });
    expect((await app.resultOf('c-21/a')).value).toMatchObject({ outcome: 'withdrawn' });
    expect((await app.get(path)).body).toMatchObject({
      outcome: 'withdrawn',
      waits: null,
      timeline: expect.arrayContaining([expect.objectContaining({ kind: 'outcome', outcome: 'withdrawn' })]),
    });
    expect(await app.post(`/api/commands/${commandId}/withdraw`, {})).toMatchObject({ status: 409 });
    expect(await app.post('/api/commands/unknown/withdraw', {})).toMatchObject({ status: 404 });
    expect(await app.get('/api/commands/unknown')).toMatchObject({ status: 404 });
  });

  it('release an order whose 300 never came as the ERP would, and leave a line in the log (rule 8)', async () => {
    await notify(300031, 400, 'going-on-300031');
    await app.until(async () => (await app.get('/api/orders/300031')).status === 200);
    const named = { 'x-gondola-operator': 'Jos%C3%A9' };
    const asked = await app.post('/api/orders/300031/release', { tenant: 'acme' }, named);
    expect(asked).toMatchObject({ status: 202, body: { orderNumber: '300031', commandId: expect.any(String) } });
    const { commandId } = asked.body as { commandId: string };
    expect((await app.resultOf(commandId)).value).toMatchObject({ command: 'ReleaseOrder', outcome: 'applied' });
    const [approved] = await app.eventsOf(300031, 1);
    expect(approved!.value).toMatchObject({
      type: 'OrderApproved',
      status: { code: 400 },
      cause: { kind: 'released' },
    });
    expect(askedLines()).toContainEqual(
      expect.objectContaining({
        tenant: 'acme',
        orderNumber: '300031',
        command: 'ReleaseOrder',
        commandId,
        operator: 'José',
      }),
    );
    const { timeline } = (await app.get('/api/orders/300031')).body as { timeline: object[] };
    expect(timeline).toContainEqual(
      expect.objectContaining({ kind: 'command', command: 'ReleaseOrder', requestedBy: 'José' }),
    );
    const again = (await app.post('/api/orders/300031/release', {})).body as { commandId: string };
    expect((await app.resultOf(again.commandId)).value).toMatchObject({ outcome: 'unchanged' });
    expect(await app.post('/api/orders/399999/release', {})).toMatchObject({ status: 404 });
    expect(await app.post('/api/orders/300031/release', { tenant: 'nobody' })).toMatchObject({ status: 400 });
  });

  it('can have an order read again if its later notifications may be lost or no notification named it (rules 18, 19)', async () => {
    await paid(300041);
    const shipped = orderData({ number: 300041, status: 600, updatedAt: '2026-11-20T16:00:00' });
    app.platform.on.read = () => ({ status: 200, json: 600 });
    app.platform.on.payload = () => ({ status: 200, json: JSON.parse(shipped) as unknown });
    const asked = await app.post('/api/orders/300041/refresh', {});
    expect(asked).toMatchObject({ status: 202, body: { orderNumber: '300041' } });
    const { commandId } = asked.body as { commandId: string };
    expect((await app.resultOf(commandId)).value).toMatchObject({ command: 'RefreshOrder', outcome: 'applied' });
    const [, event] = await app.eventsOf(300041, 2);
    expect(event!.value).toMatchObject({ type: 'OrderShipped', cause: { kind: 'recovered' } });
    expect(askedLines()).toContainEqual(expect.objectContaining({ command: 'RefreshOrder', commandId }));
    expect(await app.post('/api/orders/399998/refresh', {})).toMatchObject({ status: 202 });
    expect(await app.post('/api/orders/none/refresh', {})).toMatchObject({ status: 404 });
  });

  function askedLines(): unknown[] {
    const lines = app.installation.logLines.filter((line) => line.includes('An operator asked for a command'));
    return lines.map((line) => JSON.parse(line) as unknown);
  }

  function shownLines(): Record<string, unknown>[] {
    const lines = app.installation.logLines.filter((line) => line.includes('A stored body was shown'));
    return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  }
});
