import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { OrderApp } from './support/order-app.ts';
import { orderData } from './support/platform-order.ts';

describe('a SKU that becomes known after its order was published', () => {
  let app: OrderApp;

  beforeAll(async () => {
    app = await OrderApp.start('sku-known-later');
  });

  afterAll(() => app.stop());

  it('is published by an OrderChanged of the items, once for each order that waits for it and has not ended (rule 11)', async () => {
    const orders = [270001, 270002];
    const cancelled = 270003;
    for (const [index, status] of [300, 800].entries()) {
      await app.notify({ data: orderData({ number: cancelled, status, updatedAt: `2026-11-20T10:1${index}:00` }) });
      await app.eventsOf(cancelled, index + 1);
    }
    await app.notify(
      ...orders.map((number) => ({ data: orderData({ number, status: 300, updatedAt: '2026-11-20T10:15:00' }) })),
    );
    for (const number of orders) {
      const [approved] = await app.eventsOf(number, 1);
      expect(approved!.value).toMatchObject({ order: { items: [{ match: 'unknown', skuExternalReference: null }] } });
    }
    await app.sku('9999-1', { skuId: 's-9', reference: '9999-1' }, 1);
    await app.sku('4711-1', { skuId: 's-1', productId: 'p-1' }, 2);
    for (const number of orders) {
      const [, changed] = await app.eventsOf(number, 2);
      expect(changed!.value).toMatchObject({
        type: 'OrderChanged',
        revision: 2,
        changes: ['items'],
        status: { code: 300 },
        order: { items: [{ match: 'exact', skuExternalReference: '4711-1' }] },
      });
    }
    await app.sku('4711-1', { skuId: 's-1', productId: 'p-1', name: 'Outro nome' }, 2);
    await app.notify(
      ...orders.map((number) => ({ data: orderData({ number, status: 400, updatedAt: '2026-11-20T10:16:00' }) })),
    );
    for (const number of orders) {
      expect((await app.eventsOf(number, 3)).map(({ value }) => value['type'])).toEqual([
        'OrderApproved',
        'OrderChanged',
        'PreparationStarted',
      ]);
    }
    expect(app.events(cancelled).map(({ value }) => value['type'])).toEqual(['OrderApproved', 'OrderCancelled']);
  });
});
