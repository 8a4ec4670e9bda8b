import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { productItem, skuItem, unitSkuItem } from './support/catalog-items.ts';
import type { Envelope } from './support/receiver.ts';
import { Shop, type Answer, type Merchant } from './support/shop.ts';

describe('a PUT of the picked items and the final price', () => {
  let shop: Shop;
  let merchant: Merchant;

  beforeAll(async () => {
    shop = await Shop.open();
    merchant = await shop.merchant();
    await shop.load(merchant, [productItem({ skus: [skuItem(), unitSkuItem()] })]);
    await shop.idle();
  });
  afterAll(() => shop.close());

  /** Places an order of 300 g of cheese at 39.90 and two granolas at 7.10: 26.17. */
  async function order(payment = 'approved'): Promise<number> {
    const items = [
      { skuExternalReference: '4711-1', quantity: 3, unitPrice: 39.9 },
      { skuExternalReference: '1208-1', quantity: 2, unitPrice: 7.1 },
    ];
    return (await shop.buy(merchant, { items, payment })).number;
  }

  const CHEESE = { skuExternalReference: '4711-1', quantity: 0.312, unitOfMeasure: 'Kg', price: 39.9, total: 12.45 };

  async function put(path: string, body: unknown = { finalOrderPrice: 26.65, items: [CHEESE] }): Promise<string> {
    const operationId = await shop.accepted(merchant, 'PUT', path, body);
    await shop.idle();
    return operationId;
  }

  function notifiedBy(operationId: string): Envelope[] {
    return shop.envelopesOf(merchant).filter((envelope) => envelope.operationId === operationId);
  }

  it('is notified as 1300 with the new values and its operation id, and the status stays', async () => {
    const number = await order();
    await shop.accepted(merchant, 'PATCH', `/v1/Orders/${number}/status`, { status: 'ORDER_BEING_PREPARED' });
    const operationId = await put(`/v1/Orders/${number}`);
    expect(shop.notifiedStatuses(merchant, number)).toEqual([300, 400, 1300]);
    const [notified, ...others] = shop.receiver.received.filter(({ envelope }) => envelope.operationId === operationId);
    expect(others).toEqual([]);
    expect(notified?.envelope).toMatchObject({
      relatedEntity: 'Order',
      eventType: 'Order_Updated',
      data: { number, status: 1300, items: [{ orderedQuantity: 3 }, { orderedQuantity: 2 }] },
    });
    const text = notified?.bytes.toString('utf8') ?? '';
    expect(text).toContain('"totalPerProduct":12.45,');
    expect(text).toContain('"total":26.65,');
    expect(await shop.call('GET', `/v1/Orders/${number}/status`, { headers: merchant.headers })).toMatchObject({
      json: { status: 400 },
    });
    const { json } = await shop.call('GET', `/v1/Orders/${number}/webhook-payload`, { headers: merchant.headers });
    expect(json).toEqual({ ...notified?.envelope.data, status: 400 });
  });

  it('recalculates the charge', async () => {
    const number = await order();
    await put(`/v1/Orders/${number}`);
    const { json } = await shop.call('GET', `/v1/Orders/${number}/webhook-payload`, { headers: merchant.headers });
    expect(json).toMatchObject({
      subtotal: { subtotal: 26.65, total: 26.65 },
      acceptedOrderDetails: { total: 26.65 },
      paymentAttempts: [{ value: 26.65 }],
    });
    expect(await shop.admin('GET', `/orders/${number}`)).toMatchObject({
      items: [{ quantity: 0.312, total: 12.45 }, { total: 14.2 }],
      totals: { total: 26.65 },
    });
  });

  it('works as PUT /v1/orders/ too, with the number in the body', async () => {
    const number = await order();
    const body = { finalOrderPrice: 26.65, items: [CHEESE] };
    await put('/v1/orders/', { ...body, orderNumber: number });
    await put(`/v1/orders/${number}`, body);
    expect(shop.notifiedStatuses(merchant, number)).toEqual([300, 1300, 1300]);
    const answer = await shop.call('PUT', '/v1/orders/', { body, headers: merchant.headers });
    expect(answer).toMatchObject({ status: 400, json: { error: { code: 'ORDER_NUMBER' } } });
  });

  it.each([100, 250, 300, 350, 400, 500, 600, 700, 750, 800, 900, 1000, 1100, 1200])(
    'is accepted in status %d, and the status stays',
    async (status) => {
      const number = await order('pending');
      if (status !== 100) await shop.admin('POST', `/orders/${number}/status`, { status });
      const operationId = await put(`/v1/Orders/${number}`);
      expect(notifiedBy(operationId)).toMatchObject([
        { eventType: 'Order_Updated', relatedEntity: 'Order', data: { number, status: 1300 } },
      ]);
      expect(await shop.admin('GET', `/orders/${number}`)).toMatchObject({ status, totals: { total: 26.65 } });
    },
  );

  it('of a missing order, or with an invalid report, is refused as Operation_Failed', async () => {
    const number = await order();
    expect(notifiedBy(await put('/v1/Orders/42'))).toMatchObject([{ error: { statusCode: 404 } }]);
    expect(notifiedBy(await put(`/v1/Orders/${number}`, { items: [CHEESE, { quantity: 1 }] }))).toMatchObject([
      {
        eventType: 'Operation_Failed',
        data: { number, status: 300 },
        error: {
          statusCode: 400,
          validationErrors: [{ key: 'FinalOrderPrice' }, { key: 'Items[1].SkuExternalReference' }],
        },
      },
    ]);
  });

  it('is refused on demand', async () => {
    const number = await order();
    await shop.admin('POST', '/faults', [{ route: '^PUT /v1/Orders/', kind: 'refuse', status: 422, times: 1 }]);
    expect(notifiedBy(await put(`/v1/Orders/${number}`))).toMatchObject([
      { eventType: 'Operation_Failed', error: { statusCode: 422 } },
    ]);
  });

  it('with an invalid order number, or a body that is not JSON, is a 400', async () => {
    const answers: Answer[] = await Promise.all([
      shop.call('PUT', '/v1/Orders/x', { body: {}, headers: merchant.headers }),
      shop.call('PUT', '/v1/Orders/1', { body: '{', headers: merchant.headers }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([400, 400]);
  });
});
