import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { OrderApp } from './support/order-app.ts';
import { orderData } from './support/platform-order.ts';

describe('an order whose status does not change for longer than its tenant wants', () => {
  let app: OrderApp;

  beforeAll(async () => {
    const watch = { notPreparedMs: 200, pdfMissingMs: 200, cancelUnfinishedMs: 200 };
    app = await OrderApp.start('time-limits', { tenant: { watch } });
  });

  afterAll(() => app.stop());

  const notify = (number: number, status: number, minute: number, orderInvoiced = 'null'): Promise<void> =>
    app.notify({ data: orderData({ number, status, updatedAt: `2026-11-20T10:${minute}:00`, orderInvoiced }) });

  it('is published once, listed and counted, with who must act', async () => {
    app.platform.on.read = () => ({ status: 200, json: 300 });
    await notify(250_001, 300, 15);
    const [, called] = await app.eventsOf(250_001, 2);
    expect(called!.value).toMatchObject({
      type: 'OrderNeedsAttention',
      revision: 2,
      previousStatus: { code: 300 },
      status: { code: 300 },
      changes: [],
      attention: { code: 'NOT_PREPARED', waitsFor: 'erp' },
    });
    expect(app.platform.callsOf(250_001, 'read')).toHaveLength(1);
    const listed = (await app.get('/api/orders?attention=true')).body as { entries: object[] };
    expect(listed.entries).toMatchObject([
      { orderNumber: '250001', attention: [{ code: 'NOT_PREPARED', waitsFor: 'erp' }] },
    ]);
    const metrics = await (await fetch(`${app.installation.running.url}/metrics`)).text();
    expect(metrics).toContain('gondola_orders_needing_attention{tenant="acme",code="NOT_PREPARED"} 1');
    await notify(250_001, 400, 16);
    const [, , prepared] = await app.eventsOf(250_001, 3);
    expect(prepared!.value).toMatchObject({ type: 'PreparationStarted', revision: 3, attention: null });
    await app.until(
      async () => ((await app.get('/api/orders?attention=true')).body as typeof listed).entries.length === 0,
    );
  });

  it('is no matter for anybody where only a notification was lost, which a reading shows first (rule 16)', async () => {
    app.platform.on.read = () => ({ status: 200, json: 400 });
    await notify(250_002, 300, 15);
    const [, prepared] = await app.eventsOf(250_002, 2);
    expect(prepared!.value).toMatchObject({ type: 'PreparationStarted', cause: { kind: 'recovered' } });
  });

  it('is published where an invoice has no PDF, and where a cancellation has no 800', async () => {
    const published = (code: string) =>
      app.events(250_003).find(({ value }) => (value['attention'] as { code: string } | null)?.code === code);
    app.platform.on.read = () => ({ status: 200, json: 300 });
    await notify(250_003, 300, 15);
    await notify(250_003, 400, 16, '{"number":"1"}');
    await app.until(() => published('PDF_MISSING') !== undefined);
    expect(published('PDF_MISSING')!.value).toMatchObject({ attention: { waitsFor: 'erp' } });
    const { body } = await app.get('/api/orders/250003');
    expect(body).toMatchObject({
      attention: [{ code: 'PDF_MISSING' }],
      openSteps: { registeredAt: expect.any(String), attachedAt: null },
    });
    await notify(250_003, 750, 17);
    await app.until(() => published('CANCEL_UNFINISHED') !== undefined);
    expect(published('CANCEL_UNFINISHED')!.value).toMatchObject({
      type: 'OrderNeedsAttention',
      hold: true,
      attention: { waitsFor: 'platform' },
    });
  });
});
