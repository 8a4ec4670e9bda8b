import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Shop, type Merchant } from './support/shop.ts';

const ITEMS = 5_000;
const PICKED = { items: 'items', quantity: 'quantity', price: 'price', total: 'total' };

interface Payload {
  readonly status: number;
  readonly itemAmount: number;
  readonly items: readonly { readonly totalPerProduct: number }[];
  readonly subtotal: { readonly total: number };
  readonly acceptedOrderDetails: object;
}

/** Orders that a shop sells, and that few have in mind. */
describe('an order', () => {
  let shop: Shop;
  let merchant: Merchant;

  beforeAll(async () => {
    shop = await Shop.open();
    merchant = await shop.stockedMerchant();
  });
  afterAll(() => shop.close());

  async function payload(number: number): Promise<Payload> {
    const { json } = await shop.call('GET', `/v1/Orders/${number}/webhook-payload`, { headers: merchant.headers });
    return json as Payload;
  }

  async function pick(number: number, finalOrderPrice: number, ...items: object[]): Promise<void> {
    const named = items.map((item) => ({ skuExternalReference: '4711-1', unitOfMeasure: 'Kg', price: 10, ...item }));
    await shop.accepted(merchant, 'PUT', `/v1/Orders/${number}`, { finalOrderPrice, items: named });
    await shop.idle();
  }

  async function weights(number: number): Promise<number[]> {
    const { items } = (await shop.admin('GET', `/orders/${number}`)) as { items: { quantity: number }[] };
    return items.map(({ quantity }) => quantity);
  }

  function twice(): Promise<{ number: number }> {
    return shop.buy(merchant, {
      items: [0.2, 0.5].map((quantity) => ({ skuExternalReference: '4711-1', quantity, unitPrice: 10 })),
    });
  }

  it('has a SKU on two lines if the shopper buys it twice', async () => {
    const { number } = await twice();
    expect(await weights(number)).toEqual([0.2, 0.5]);
    const { items, itemAmount } = await payload(number);
    expect(itemAmount).toBe(2);
    expect(items.map(({ totalPerProduct }) => totalPerProduct)).toEqual([2, 5]);
  });

  it('with a SKU on two lines is picked on the first of them, and on both if the report lists both', async () => {
    const one = await twice();
    await pick(one.number, 8, { quantity: 0.3 });
    expect(await weights(one.number)).toEqual([0.3, 0.5]);
    const both = await twice();
    await pick(both.number, 9, { quantity: 0.21 }, { quantity: 0.51 });
    expect(await weights(both.number)).toEqual([0.21, 0.51]);
  });

  it('is picked on the line that the report names, where pickingKeys has a key for it', async () => {
    await shop.admin('POST', '/switches', { pickingKeys: { ...PICKED, line: 'line' } });
    const named = await twice();
    await pick(named.number, 9, { quantity: 0.6, line: 2 });
    expect(await weights(named.number)).toEqual([0.2, 0.6]);
    await pick(named.number, 9, { quantity: 0.7, line: 3 });
    await pick(named.number, 9, { quantity: 0.7, line: 'two' });
    expect(await weights(named.number)).toEqual([0.2, 0.6]);
    expect(shop.envelopesOf(merchant, 'Operation_Failed')).toHaveLength(2);
    await shop.admin('POST', '/switches', { pickingKeys: PICKED });
  });

  it('is delivered in the window that the shopper chose, over midnight too', async () => {
    const late = await shop.buy(merchant, { window: { start: '22:00', end: '02:00' } });
    const window = { scheduledStartTime: '22:00:00', scheduledEndTime: '02:00:00' };
    expect((await payload(late.number)).acceptedOrderDetails).toMatchObject(window);
    const { number } = await shop.buy(merchant);
    const morning = { scheduledStartTime: '08:00:00', scheduledEndTime: '12:00:00' };
    expect((await payload(number)).acceptedOrderDetails).toMatchObject(morning);
  });

  it('has a window of clock times', async () => {
    const body = {
      contractAccountId: merchant.contractAccountId,
      items: [{ skuExternalReference: '4711-1', quantity: 1 }],
      payment: 'approved',
      window: { start: '25:00', end: '02:00' },
    };
    const { status, json } = await shop.call('POST', '/admin/orders', { body });
    expect(status).toBe(400);
    expect((json as { error: { message: string } }).error.message).toContain('must be a time');
  });

  it('goes back to an earlier status where the platform itself puts it back, with its notification', async () => {
    const { number } = await shop.buy(merchant);
    for (const status of [400, 300, 500, 400]) await shop.admin('POST', `/orders/${number}/status`, { status });
    await shop.idle();
    expect(shop.notifiedStatuses(merchant, number)).toEqual([300, 300, 400, 400, 500]);
    expect(await payload(number)).toMatchObject({ status: 400 });
  });

  it(`of ${ITEMS} items is sold, notified, read and picked`, async () => {
    const item = { skuExternalReference: '4711-1', quantity: 0.3, unitPrice: 10 };
    const { number } = await shop.buy(merchant, { items: Array.from({ length: ITEMS }, () => item) });
    await shop.idle();
    const notified = shop.envelopesOf(merchant, 'Order_Updated').filter(({ data }) => data.number === number);
    expect(notified).toMatchObject([{ data: { itemAmount: ITEMS } }]);
    await pick(number, 15_001, ...Array.from({ length: ITEMS }, () => ({ quantity: 0.31 })));
    const { items, subtotal } = await payload(number);
    expect(items).toHaveLength(ITEMS);
    expect(subtotal.total).toBe(15_001);
    expect(new Set(await weights(number))).toEqual(new Set([0.31]));
  });
});
