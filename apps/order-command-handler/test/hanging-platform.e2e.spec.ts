import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { OrderApp } from './support/order-app.ts';
import { orderData } from './support/platform-order.ts';

/** Guarantee 5: one order's trouble stops nobody else. */
describe('a platform that does not answer', () => {
  const release = Promise.withResolvers<void>();
  let app: OrderApp;

  beforeAll(async () => {
    app = await OrderApp.start('hanging-platform');
    app.platform.on.status = async () => {
      await release.promise;
      return { status: 200, json: { operationId: null } };
    };
  });

  afterAll(async () => {
    release.resolve();
    await app.stop();
  });

  it('holds up commands, and no event that is published meanwhile (guarantee 5)', async () => {
    const numbers = Array.from({ length: 40 }, (_, index) => 400001 + index);
    await app.notify(...numbers.map((number) => ({ data: paid(number) })));
    await app.eventsOf(numbers.at(-1)!, 1);
    await Promise.all(
      numbers.map((orderNumber) =>
        app.command({ commandId: `c-${orderNumber}`, command: 'StartPreparation', orderNumber }),
      ),
    );
    // As many as the tenant's concurrency allows.
    await app.until(() => app.platform.requests.length === 4);
    await app.notify({ data: paid(400100) });
    await app.eventsOf(400100, 1);
    expect(app.platform.requests).toHaveLength(4);
    expect(app.results()).toEqual([]);
  });
});

function paid(number: number): string {
  return orderData({ number, status: 300, updatedAt: '2026-11-20T10:15:00' });
}
