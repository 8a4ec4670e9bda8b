import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { OrderApp } from './support/order-app.ts';
import { orderData } from './support/platform-order.ts';

describe('values that only a reading of the payload has', () => {
  let app: OrderApp;

  beforeAll(async () => {
    app = await OrderApp.start('read-values');
  });

  afterAll(() => app.stop());

  it('publish the ItemsRecalculated of a picking whose 1300 is lost (rules 7, 10, 18)', async () => {
    const number = 240_001;
    const about = { number, updatedAt: '2026-11-20T10:15:00' };
    await app.sku('4711-1', { skuId: 's-1', productId: 'p-1' }, 1);
    await app.notify({ data: orderData({ ...about, status: 300 }) });
    await app.eventsOf(number, 1);
    app.platform.on.picking = () => ({ status: 500 });
    app.platform.on.payload = () => ({
      status: 200,
      json: {
        number,
        status: 300,
        acceptedOrderDetails: { total: 11.8 },
        items: [{ id: 'p-1', skuId: 's-1', totalPerProduct: 11.8, manualPrice: 11.8 }],
      },
    });
    await app.command({
      commandId: 'pick-lost',
      command: 'ReportPicking',
      orderNumber: number,
      finalOrderPrice: '11.80',
      items: [{ skuExternalReference: '4711-1', outcome: 'picked', quantity: { value: '0.295', unit: 'Kg' } }],
    });
    expect((await app.resultOf('pick-lost')).value).toMatchObject({ outcome: 'applied', evidence: 'read-back' });
    const [, recalculated] = await app.eventsOf(number, 2);
    expect(recalculated!.value).toMatchObject({
      type: 'ItemsRecalculated',
      revision: 2,
      status: { code: 300 },
      cause: { kind: 'command', commandId: 'pick-lost' },
      order: {
        totals: { total: '11.80', freight: '0.00' },
        customer: { firstName: 'Cliente Teste 01' },
        items: [{ skuExternalReference: '4711-1', gross: '11.80', net: '11.80', salePrice: '39.90' }],
      },
      platform: { aFieldOfTomorrow: 1.1 },
    });
  });
});
