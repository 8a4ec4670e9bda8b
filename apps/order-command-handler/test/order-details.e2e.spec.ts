import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { OrderApp } from './support/order-app.ts';
import { orderData } from './support/platform-order.ts';

const DETAILS = { number: 310001, items: [{ unitOfMeasure: 2 }] };

describe('operators', () => {
  let app: OrderApp;

  beforeAll(async () => {
    app = await OrderApp.start('order-details', { hasCoreKey: true });
  });

  afterAll(() => app.stop());

  const paid = async (number: number): Promise<void> => {
    await app.notify({ data: orderData({ number, status: 300, updatedAt: '2026-11-20T13:00:00' }) });
    await app.eventsOf(number, 1);
  };

  it('see an order as the core service answers it, which is counted and leaves a line in the log', async () => {
    await paid(310001);
    app.platform.on.details = () => ({ status: 200, json: DETAILS });
    const { status, body } = await app.get('/api/orders/310001/details');
    const { orderId } = (await app.get('/api/orders/310001')).body as { orderId: string };
    expect({ status, body }).toEqual({
      status: 200,
      body: { tenant: 'acme', orderNumber: '310001', orderId, details: JSON.stringify(DETAILS), truncated: false },
    });
    const called = app.platform.requests.filter(({ path }) => path === `/v1/gateway/orders/${orderId}/details`);
    expect(called).toHaveLength(1);
    const lines = app.installation.logLines.filter((line) => line.includes('"order-details"'));
    expect(lines.map((line) => JSON.parse(line) as unknown)).toMatchObject([
      { kind: 'order-details', tenant: 'acme', orderNumber: '310001', token: 'OPERATIONS_TOKEN' },
    ]);
    const metrics = await (await fetch(`${app.installation.running.url}/metrics`)).text();
    expect(metrics).toContain('gondola_orders_revealed_total{tenant="acme"} 1');
  });

  it('are told why the core service shows nothing, and its refusal stops no other call (guarantee 5)', async () => {
    await paid(310002);
    expect(await app.get('/api/orders/999999/details')).toMatchObject({ status: 404 });
    const told = async (status: number): Promise<unknown> => {
      app.platform.on.details = () => ({ status });
      return app.get('/api/orders/310002/details');
    };
    expect(await told(404)).toMatchObject({ status: 404, body: { error: { code: 'CORE_ORDER_UNKNOWN' } } });
    expect(await told(422)).toMatchObject({ status: 409, body: { error: { code: 'CORE_REFUSED' } } });
    expect(await told(500)).toMatchObject({ status: 503, body: { error: { code: 'CORE_UNAVAILABLE' } } });
    expect(await told(401)).toMatchObject({ status: 409, body: { error: { code: 'CORE_KEY_REFUSED' } } });
    await app.command({ commandId: 'c-core', command: 'StartPreparation', orderNumber: 310002 });
    await app.until(() => app.platform.requestsOf(310002, 'PATCH').length === 1);
  });
});
