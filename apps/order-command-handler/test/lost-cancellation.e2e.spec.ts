import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { OrderApp } from './support/order-app.ts';
import { orderData } from './support/platform-order.ts';

describe('a cancellation whose 800 is lost after its 750', () => {
  let app: OrderApp;

  beforeAll(async () => {
    app = await OrderApp.start('lost-cancellation', { cancelReadMs: 100 });
  });

  afterAll(() => app.stop());

  const notify = (number: number, status: number, minute: number): Promise<void> =>
    app.notify({ data: orderData({ number, status, updatedAt: `2026-11-20T10:${minute}:00` }) });
  const startedIn750 = async (number: number): Promise<void> => {
    const readings = [750, 750];
    app.platform.on.read = () => ({ status: 200, json: readings.shift() ?? 800 });
    await notify(number, 750, 20);
  };

  it('ends the cancel by reading, and publishes the 800 with its cause (rules 5, 10)', async () => {
    await notify(230001, 300, 15);
    await app.eventsOf(230001, 1);
    await app.command({ commandId: 'cancel-1', command: 'CancelOrder', orderNumber: 230001, reason: 'sem estoque' });
    await app.until(() => app.platform.callsOf(230001, 'cancel').length === 1);
    await startedIn750(230001);
    expect((await app.resultOf('cancel-1')).value).toMatchObject({
      outcome: 'applied',
      evidence: 'read-back',
      attempts: 1,
    });
    const cause = { kind: 'command', commandId: 'cancel-1' };
    expect((await app.eventsOf(230001, 3)).map(({ value }) => value)).toMatchObject([
      { type: 'OrderApproved' },
      { type: 'CancellationStarted', cause },
      { type: 'OrderCancelled', cause },
    ]);
    expect(app.platform.callsOf(230001, 'read')).toHaveLength(3);
  });

  it('is published although no command of the ERP asked for it (rule 5)', async () => {
    await notify(230002, 300, 15);
    await app.eventsOf(230002, 1);
    await startedIn750(230002);
    expect((await app.eventsOf(230002, 3)).map(({ value }) => value)).toMatchObject([
      { type: 'OrderApproved' },
      { type: 'CancellationStarted', hold: true, cause: { kind: 'platform' } },
      { type: 'OrderCancelled', hold: false, cause: { kind: 'recovered' } },
    ]);
    expect(app.platform.callsOf(230002, 'read')).toHaveLength(3);
  });

  it("is not looked for where the order never was the ERP's (rule 7)", async () => {
    await notify(230003, 750, 20);
    await startedIn750(230004);
    await notify(230004, 300, 15);
    await app.until(() => app.platform.callsOf(230004, 'read').length === 3);
    expect(app.platform.callsOf(230003, 'read')).toEqual([]);
    expect(app.events(230003)).toEqual([]);
    expect(app.events(230004)).toEqual([]);
  });
});
