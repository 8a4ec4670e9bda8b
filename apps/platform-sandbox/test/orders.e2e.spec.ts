import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { productItem, skuItem, unitSkuItem } from './support/catalog-items.ts';
import { Shop, type Answer, type Merchant } from './support/shop.ts';

describe('orders:', () => {
  let shop: Shop;
  let merchant: Merchant;

  beforeAll(async () => {
    shop = await Shop.open();
    merchant = await shop.merchant();
    await shop.load(merchant, [productItem({ skus: [skuItem(), unitSkuItem()] })]);
    await shop.idle();
  });
  afterAll(() => shop.close());

  function statuses(number: number): number[] {
    return shop.notifiedStatuses(merchant, number);
  }

  function patch(number: number | string, status: unknown, by = merchant): Promise<Answer> {
    return shop.call('PATCH', `/v1/Orders/${number}/status`, { body: { status }, headers: by.headers });
  }

  function read(path: string, by = merchant): Promise<Answer> {
    return shop.call('GET', `/v1/Orders/${path}`, { headers: by.headers });
  }

  it('a confirmed payment notifies 300, and a refused one 250', async () => {
    const paid = await shop.buy(merchant);
    const refused = await shop.buy(merchant, { payment: 'refused' });
    await shop.idle();
    expect(statuses(paid.number)).toEqual([300]);
    expect(statuses(refused.number)).toEqual([250]);
  });

  it('an order that waits for its payment causes no notification and has no payload', async () => {
    const { number } = await shop.buy(merchant, { payment: 'pending' });
    await shop.idle();
    expect(statuses(number)).toEqual([]);
    expect((await read(`${number}/webhook-payload`)).status).toBe(404);
    expect((await read(`${number}/webhook-payload?version=2`)).status).toBe(404);
    await shop.admin('POST', `/orders/${number}/status`, { status: 300 });
    await shop.idle();
    expect(statuses(number)).toEqual([300]);
    expect((await read(`${number}/webhook-payload`)).status).toBe(200);
  });

  it('a weighable is ordered in rounded multiples and charged by its real weight', async () => {
    const items = [
      { skuExternalReference: '4711-1', quantity: 0.312, unitPrice: 39.9 },
      { skuExternalReference: '1208-1', quantity: 3, unitPrice: '7.10' },
    ];
    const { number, id } = await shop.buy(merchant, { items });
    await shop.idle();
    const webhook = shop.receiver.received.find(({ envelope }) => envelope.data.id === id);
    expect(webhook?.envelope).toMatchObject({
      relatedEntity: 'Order',
      eventType: 'Order_Updated',
      data: {
        number,
        items: [
          { orderedQuantity: 3, unitOfMeasure: 'Kg', arithmeticFactor: 0.1 },
          { orderedQuantity: 3, unitOfMeasure: 'Un', arithmeticFactor: null },
        ],
      },
    });
    const text = webhook?.bytes.toString('utf8') ?? '';
    expect(text).toContain('"totalPerProduct":12.45,');
    expect(text).toContain('"salePrice":7.10,');
    expect(text).toContain('"total":33.75,');
  });

  it('a whole quantity of a weighable is the number of sale steps that the customer chose', async () => {
    const items = [{ skuExternalReference: '4711-1', quantity: 3, unitPrice: 39.9 }];
    const { number } = await shop.buy(merchant, { items });
    const { text } = await read(`${number}/webhook-payload`);
    expect(text).toContain('"orderedQuantity":3,"unitOfMeasure":"Kg","arithmeticFactor":0.1,');
    expect(text).toContain('"totalPerProduct":11.97,');
    expect(await shop.admin('GET', `/orders/${number}`)).toMatchObject({ items: [{ quantity: 0.3 }] });
  });

  it('items carry the GUIDs of product and SKU, and no SKU reference', async () => {
    const { number } = await shop.buy(merchant);
    const model = (await shop.admin('GET', '/products/4711')) as { readModel: { id: string; skus: { id: string }[] } };
    const { json } = await read(`${number}/webhook-payload`);
    const [item] = (json as { items: Record<string, unknown>[] }).items;
    expect(item).toMatchObject({ id: model.readModel.id, skuId: model.readModel.skus[0]?.id, reference: '4711-1' });
    expect(item).not.toHaveProperty('skuExternalReference');
  });

  it('a PATCH answers an operation id and is echoed as Order_Updated with it', async () => {
    const { number } = await shop.buy(merchant);
    const answer = await patch(number, 'ORDER_BEING_PREPARED');
    expect(answer).toMatchObject({ status: 200, json: { operationId: expect.any(String) } });
    await shop.idle();
    expect(statuses(number)).toEqual([300, 400]);
    const { operationId } = answer.json as { operationId: string };
    expect(shop.envelopesOf(merchant).filter((envelope) => envelope.operationId === operationId)).toMatchObject([
      { eventType: 'Order_Updated', data: { number, status: 400 } },
    ]);
    expect(await read(`${number}/status`)).toMatchObject({ status: 200, text: '{"status":400}' });
  });

  it('updatedAt rises with every change of an order', async () => {
    const { number } = await shop.buy(merchant);
    for (const status of ['ORDER_BEING_PREPARED', 'ORDER_INVOICED', 'READY_FOR_PICKUP_OR_DELIVERY', 'SHIPPED']) {
      await patch(number, status);
    }
    await shop.admin('POST', `/orders/${number}/status`, { status: 1300 });
    await shop.idle();
    const notified = shop.envelopesOf(merchant, 'Order_Updated').filter(({ data }) => data.number === number);
    const times = notified.map(({ data }) => data.updatedAt as string).toSorted();
    expect(new Set(times).size).toBe(6);
    const byTime = new Map(notified.map(({ data }) => [data.updatedAt, data.status]));
    // 1300 was set by hand while the core processed its queue, so only the order of the others is certain.
    expect(times.map((time) => byTime.get(time)).filter((status) => status !== 1300)).toEqual([
      300, 400, 350, 500, 600,
    ]);
  });

  it.each([
    ['PAYMENT_APPROVED', 'approved', 400],
    ['ORDER_CANCELLED', 'approved', 400],
    ['ORDER_BEING_PREPARED', 'pending', 409],
    ['ORDER_BEING_PREPARED', 'refused', 409],
  ])('a PATCH to %s on an order whose payment is %s is refused by the core', async (status, payment, statusCode) => {
    const { number } = await shop.buy(merchant, { payment });
    const answer = await patch(number, status);
    expect(answer.status).toBe(200);
    await shop.idle();
    const { operationId } = answer.json as { operationId: string };
    expect(shop.envelopesOf(merchant).filter((envelope) => envelope.operationId === operationId)).toMatchObject([
      {
        eventType: 'Order_StatusUpdateFailed',
        relatedEntity: 'Order',
        data: { number },
        error: { statusCode, message: expect.any(String), detail: expect.any(String), validationErrors: [] },
      },
    ]);
  });

  it('a PATCH to ORDER_BEING_PREPARED of a cancelled order, or any of a missing one, is refused by the core', async () => {
    const { number } = await shop.buy(merchant);
    await shop.admin('POST', `/orders/${number}/status`, { status: 'ORDER_CANCELLED' });
    await patch(number, 'ORDER_BEING_PREPARED');
    await patch(42, 'SHIPPED');
    await shop.idle();
    const refused = shop.envelopesOf(merchant, 'Order_StatusUpdateFailed').map(({ data }) => data.number);
    expect(refused).toEqual(expect.arrayContaining([number, 42]));
    expect(statuses(number)).toEqual([300, 800]);
  });

  it.each([[{}], [{ status: 400 }], [[]], [null]])('a PATCH with the body %j is a 400', async (body) => {
    const { number } = await shop.buy(merchant);
    const answer = await shop.call('PATCH', `/v1/Orders/${number}/status`, { body, headers: merchant.headers });
    expect(answer).toMatchObject({ status: 400, json: { error: { code: 'STATUS_UNKNOWN' } } });
  });

  it('a PATCH to an unknown status name is accepted, and refused later as Order_StatusUpdateFailed', async () => {
    const { number } = await shop.buy(merchant);
    const answer = await patch(number, 'FLYING');
    expect(answer.status).toBe(200);
    await shop.idle();
    const { operationId } = answer.json as { operationId: string };
    const notified = shop.envelopesOf(merchant).filter((envelope) => envelope.operationId === operationId);
    expect(notified).toMatchObject([
      {
        eventType: 'Order_StatusUpdateFailed',
        data: { number, status: 300 },
        error: { statusCode: 400, detail: 'There is no status FLYING.' },
      },
    ]);
  });

  it('the v1 payload is the data that a webhook carries', async () => {
    const { number } = await shop.buy(merchant);
    await shop.idle();
    const { json } = await read(`${number}/webhook-payload`);
    const notified = shop.envelopesOf(merchant, 'Order_Updated').find(({ data }) => data.number === number);
    expect(json).toEqual(notified?.data);
  });

  it('the v2 payload holds the tenant and the numeric event type, and is reduced', async () => {
    const { number } = await shop.buy(merchant);
    const { json } = await read(`${number}/webhook-payload?version=2`);
    expect(json).toMatchObject({
      contractAccountId: merchant.contractAccountId,
      eventType: 14,
      number,
      currency: 'BRL',
    });
    expect(json).not.toHaveProperty('user.gender');
  });

  it('an order of another merchant does not exist', async () => {
    const other = await shop.merchant();
    const { number, id } = await shop.buy(merchant);
    expect((await read(`${number}/status`, other)).status).toBe(404);
    expect((await read(`${number}/webhook-payload`, other)).status).toBe(404);
    const details = `/v1/gateway/orders/${id}/details`;
    expect((await shop.call('GET', details, { headers: { 'x-api-key': other.apiKey } })).status).toBe(404);
    await patch(number, 'SHIPPED', other);
    await shop.idle();
    expect(statuses(number)).toEqual([300]);
    expect(shop.envelopesOf(other)).toMatchObject([{ eventType: 'Order_StatusUpdateFailed', data: { id: null } }]);
  });

  it('the core’s order details carry the unit of measure as a number, by id and by number', async () => {
    const { number, id } = await shop.buy(merchant);
    for (const key of [id, number]) {
      const path = `/v1/gateway/orders/${key}/details`;
      const { json } = await shop.call('GET', path, { headers: { 'x-api-key': merchant.apiKey } });
      expect(json).toMatchObject({ id, number, items: [{ unitOfMeasure: 2 }] });
    }
  });

  it('the admin API shows an order with its history, items and totals', async () => {
    const { number, id } = await shop.buy(merchant, { deliveryType: 'pickup' });
    expect(await shop.admin('GET', `/orders/${number}`)).toMatchObject({
      number,
      id,
      status: 300,
      statusHistory: [
        { status: 100, at: expect.stringMatching(/Z$/) },
        { status: 300, at: expect.any(String) },
      ],
      items: [{ skuExternalReference: '4711-1', quantity: 0.312, orderedQuantity: 3, unitPrice: 39.9, total: 12.45 }],
      totals: { subtotal: 12.45, total: 12.45 },
      invoice: null,
      invoiceFile: null,
      canBeCancelled: true,
    });
  });

  it.each([
    [{ items: [{ skuExternalReference: 'none', quantity: 1 }] }, 'no such SKU'],
    [{ items: [{ skuExternalReference: '1208-1', quantity: 1.5 }] }, 'whole number'],
    [{ items: [] }, 'items'],
    [{ payment: 'maybe' }, 'payment'],
    [{ contractAccountId: '00000000-0000-4000-8000-000000000000' }, 'no tenant'],
  ])('an impossible order is a 400 that explains why: %j', async (order, why) => {
    await expect(shop.buy(merchant, order)).rejects.toThrow(why);
  });
});
