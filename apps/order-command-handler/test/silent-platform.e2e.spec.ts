import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { OrderApp } from './support/order-app.ts';
import { orderData } from './support/platform-order.ts';

const ORDER = 210001;
const OPERATION = '00000000-0000-4000-8000-000000210001';
const FAR_AHEAD = '2099-12-31T23:59:59';

describe('a command that the platform accepted and then stays silent about', () => {
  let app: OrderApp;

  beforeAll(async () => {
    // Shorter than the app takes to know that it has stored all notifications: it is read all the same.
    app = await OrderApp.start('silent-platform', { commandMs: 100 });
    app.platform.on.status = () => ({ status: 200, json: { operationId: OPERATION } });
    app.platform.on.read = () => ({ status: 200, json: 300 });
  });

  afterAll(() => app.stop());

  const notify = (status: number, updatedAt: string): Promise<void> =>
    app.notify({ operationId: OPERATION, data: orderData({ number: ORDER, status, updatedAt }) });

  it('is unconfirmed at the deadline when the reading shows nothing, and corrected when its outcome is heard after all, which is no event (guarantee 3) (rules 5, 10)', async () => {
    await notify(300, '2026-11-20T10:15:00');
    await app.eventsOf(ORDER, 1);
    await app.command({ commandId: 'c-1', command: 'StartPreparation', orderNumber: ORDER });
    const { key, value } = await app.resultOf('c-1');
    expect(value).toMatchObject({
      outcome: 'unconfirmed',
      evidence: 'none',
      reason: { code: 'PLATFORM_SILENT' },
      attempts: 1,
    });
    expect(app.platform.requestsOf(ORDER, 'GET')).toHaveLength(1);

    await notify(400, '2026-11-20T10:16:00.1234567');
    const corrected = await app.resultOf('c-1', 2);
    expect(corrected.key).toBe('acme:result:erp.orders.commands.v1:c-1:corrected');
    expect(corrected.value).toMatchObject({
      outcome: 'corrected',
      final: true,
      correctedOutcome: 'applied',
      corrects: key,
      evidence: 'event',
      operationIds: [OPERATION],
    });
    // Later than whatever was read meanwhile.
    await notify(500, FAR_AHEAD);
    const events = await app.eventsOf(ORDER, 2);
    expect(events.map(({ value: { type, previousStatus } }) => [type, previousStatus])).toEqual([
      ['OrderApproved', null],
      ['OrderReady', { code: 400, name: 'ORDER_BEING_PREPARED' }],
    ]);
  });

  it('leaves a RefreshOrder unconfirmed whose reads fail until its deadline (rule 5)', async () => {
    app.platform.on.payload = () => ({ status: 503, json: null });
    await app.command({ commandId: 'r-1', command: 'RefreshOrder', orderNumber: ORDER + 1 });
    expect((await app.resultOf('r-1')).value).toMatchObject({
      outcome: 'unconfirmed',
      reason: { code: 'PLATFORM_SILENT' },
      attempts: 0,
    });
  });
});
