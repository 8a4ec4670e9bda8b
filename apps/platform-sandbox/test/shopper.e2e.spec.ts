import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { productItem, skuItem, unitSkuItem } from './support/catalog-items.ts';
import type { Envelope } from './support/receiver.ts';
import { Shop, type Merchant } from './support/shop.ts';

type Block = Record<string, unknown>;

/** 0.312 kg at 39.90 is 12.45, two units at 9.90 are 19.80: 32.25. */
const BASKET = [
  { skuExternalReference: '4711-1', quantity: 0.312, unitPrice: 39.9 },
  { skuExternalReference: '1208-1', quantity: 2, unitPrice: 9.9 },
];

function cents(amount: unknown): number {
  return Math.round(Number(amount) * 100);
}

function sumOf(items: readonly Block[], key: string): number {
  return items.reduce((sum, item) => sum + cents(item[key]), 0);
}

/** With any terms, the items add up to the total, and every block agrees. */
function expectConsistent({ data, items, subtotal }: { data: Block; items: Block[]; subtotal: Block }): void {
  const details = data.acceptedOrderDetails as Block;
  const [attempt] = data.paymentAttempts as Block[];
  const discounted = cents(subtotal.discount) + cents(subtotal.couponDiscount);
  expect(sumOf(items, 'totalPerProduct')).toBe(cents(subtotal.subtotal));
  expect(sumOf(items, 'discountApplied')).toBe(discounted);
  expect(sumOf(items, 'manualPrice')).toBe(cents(subtotal.subtotal) - discounted);
  expect(cents(subtotal.total)).toBe(
    sumOf(items, 'manualPrice') + cents(subtotal.frete) - cents(subtotal.giftcardDiscount),
  );
  for (const key of ['subtotal', 'discount', 'couponDiscount', 'frete', 'total', 'giftcardDiscount']) {
    expect([key, details[key]]).toEqual([key, subtotal[key]]);
  }
  expect(details.appliedCouponCode).toBe(subtotal.appliedCouponCode);
  expect(attempt?.value).toBe(subtotal.total);
}

describe('a shopper', () => {
  let shop: Shop;
  let merchant: Merchant;

  beforeAll(async () => {
    shop = await Shop.open();
    merchant = await shop.merchant();
    await shop.load(merchant, [productItem({ skus: [skuItem(), unitSkuItem()] })]);
    await shop.idle();
  });
  afterEach(async () => {
    await shop.admin('POST', '/switches', { refundsByItself: false });
  });
  afterAll(() => shop.close());

  async function bought(order: Block = {}): Promise<{ number: number; data: Block; items: Block[]; subtotal: Block }> {
    const { number } = await shop.buy(merchant, { items: BASKET, ...order });
    await shop.idle();
    const data = notified(number).at(-1)?.data ?? {};
    return { number, data, items: data.items as Block[], subtotal: data.subtotal as Block };
  }

  function notified(number: number): Envelope[] {
    return shop.envelopesOf(merchant, 'Order_Updated').filter(({ data }) => data.number === number);
  }

  it('who pays is notified as 300', async () => {
    const { number } = await bought({ payment: 'approved' });
    expect(shop.notifiedStatuses(merchant, number)).toEqual([300]);
  });

  it('can buy while many others buy, and each gets a number of their own', async () => {
    const buying = Array.from({ length: 50 }, () => shop.buy(merchant, { items: BASKET, payment: 'pending' }));
    const numbers = (await Promise.all(buying)).map(({ number }) => number);
    expect(new Set(numbers).size).toBe(50);
  });

  it('whose payment is refused is notified as 250, with the attempt refused', async () => {
    const { number, data } = await bought({ payment: 'refused' });
    expect(shop.notifiedStatuses(merchant, number)).toEqual([250]);
    expect(data).toMatchObject({ status: 250, paymentAttempts: [{ status: 2, authCode: null }] });
  });

  it('whose payment is pending causes no notification, and 300 if it is approved later', async () => {
    const { number } = await bought({ payment: 'pending' });
    expect(notified(number)).toEqual([]);
    await shop.admin('POST', `/orders/${number}/status`, { status: 'PAYMENT_APPROVED' });
    await shop.idle();
    expect(shop.notifiedStatuses(merchant, number)).toEqual([300]);
    expect(notified(number)[0]?.data).toMatchObject({ paymentAttempts: [{ status: 1 }] });
  });

  it('whose payment is pending is notified as 250 if it is refused later', async () => {
    const { number } = await bought({ payment: 'pending' });
    await shop.admin('POST', `/orders/${number}/status`, { status: 250 });
    await shop.idle();
    expect(shop.notifiedStatuses(merchant, number)).toEqual([250]);
  });

  it.each([
    ['scheduled', 1, 'scheduledDelivery', 'scheduledDate'],
    ['express', 2, 'expressDelivery', 'expressStartDate'],
    ['pickup', 3, 'pickupPoint', 'pickupPointName'],
  ])(
    'who chooses %s has deliveryType %d, and the blocks of the other modalities are null',
    async (name, code, block, key) => {
      const { data } = await bought({ deliveryType: name });
      const policy = data.shippingPolicy as Block;
      const details = data.acceptedOrderDetails as Block;
      const filled = (of: Block, keys: string[]): string[] => keys.filter((one) => of[one] !== null);
      expect(data.deliveryType).toBe(code);
      expect(filled(policy, ['scheduledDelivery', 'expressDelivery', 'pickupPoint'])).toEqual([block]);
      expect(filled(details, ['scheduledDate', 'expressStartDate', 'pickupPointName'])).toEqual([key]);
    },
  );

  it.each([
    ['app', 1],
    ['web', 2],
    ['undefined', 0],
  ])('who buys by %s has origin %d', async (origin, code) => {
    expect((await bought({ origin })).data.origin).toBe(code);
  });

  it('without discounts pays the items', async () => {
    const order = await bought();
    expect(order.subtotal).toMatchObject({ subtotal: 32.25, discount: 0, total: 32.25, isFreeShipping: true });
    expect(order.data).toMatchObject({ couponId: null, giftcard: { applied: false, appliedAmount: 0 } });
    expectConsistent(order);
  });

  it('with a coupon has it apportioned to the items, to the cent', async () => {
    const order = await bought({ coupon: { code: 'VOLTA10', discount: 10.01 } });
    expect(order.data.couponId).toMatch(/^[0-9a-f-]{36}$/);
    expect(order.subtotal).toMatchObject({
      couponDiscount: 10.01,
      appliedCouponCode: 'VOLTA10',
      discount: 0,
      total: 22.24,
    });
    expectConsistent(order);
  });

  it('with a promotion has it named in the items and in appliedPromotions', async () => {
    const order = await bought({ promotion: { name: 'Semana do queijo', discount: '3.33' } });
    expect(order.items).toMatchObject([{ promotionName: 'Semana do queijo' }, { promotionName: 'Semana do queijo' }]);
    expect(order.subtotal).toMatchObject({
      discount: 3.33,
      appliedPromotions: [{ name: 'Semana do queijo' }],
      total: 28.92,
    });
    expectConsistent(order);
  });

  it('with a gift card pays that much less, and the items stay as they are', async () => {
    const order = await bought({ giftCard: 20 });
    expect(order.data.giftcard).toEqual({ applied: true, appliedAmount: 20 });
    expect(order.data.acceptedOrderDetails).toMatchObject({ hasGiftcardApplied: true, giftcardDiscount: 20 });
    expect(order.subtotal).toMatchObject({ giftcardDiscount: 20, total: 12.25 });
    expectConsistent(order);
  });

  it('with freight pays it in addition', async () => {
    const order = await bought({ freight: 12.9 });
    expect(order.subtotal).toMatchObject({ frete: 12.9, isFreeShipping: false, total: 45.15 });
    expectConsistent(order);
  });

  it('with coupon, promotion, gift card and freight has consistent totals', async () => {
    const terms = {
      coupon: { code: 'VOLTA10', discount: 7.77 },
      promotion: { name: 'Semana do queijo', discount: 1.01 },
      giftCard: 5,
      freight: 9.99,
    };
    const order = await bought(terms);
    expect(order.subtotal.total).toBe(28.46);
    expectConsistent(order);
    expect(await shop.admin('GET', `/orders/${order.number}`)).toMatchObject({
      totals: { subtotal: 32.25, discount: 1.01, couponDiscount: 7.77, giftCard: 5, freight: 9.99, total: 28.46 },
    });
  });

  it('has items and discounts that add up to the reported total after picking', async () => {
    const { number } = await bought({ coupon: { code: 'VOLTA10', discount: 10 }, freight: 5 });
    const item = { skuExternalReference: '4711-1', quantity: 0.5, unitOfMeasure: 'Kg', price: 39.9, total: 18.95 };
    await shop.accepted(merchant, 'PUT', `/v1/Orders/${number}`, { finalOrderPrice: 37.61, items: [item] });
    await shop.idle();
    const data = notified(number).find((envelope) => envelope.data.status === 1300)?.data ?? {};
    const items = data.items as Block[];
    const subtotal = data.subtotal as Block;
    const discounted = cents(subtotal.discount) + cents(subtotal.couponDiscount);
    expect(subtotal).toMatchObject({ total: 37.61, frete: 5 });
    expect(sumOf(items, 'manualPrice')).toBe(cents(subtotal.subtotal) - discounted);
  });

  it.each([
    [{ quantity: 3 }, 3, 11.97],
    [{ quantity: 0.312 }, 3, 12.45],
    [{ quantity: 0.36 }, 4, 14.36],
    [{ quantity: 0.04 }, 1, 1.6],
  ])(
    'who buys %j of a weighable has %d multiples, rounded, and is charged %d by the real weight',
    async (basket, multiples, total) => {
      const { items } = await bought({ items: [{ skuExternalReference: '4711-1', unitPrice: 39.9, ...basket }] });
      expect(items).toMatchObject([{ orderedQuantity: multiples, totalPerProduct: total, manualPrice: total }]);
      expect(Number.isInteger(items[0]?.orderedQuantity)).toBe(true);
    },
  );

  it.each([750, 1000])(
    'is refunded if the platform moves an order on from %d, and each step is notified',
    async (begin) => {
      const { number } = await bought();
      const way = begin === 750 ? [750, 800, 1100, 1200] : [1000, 1100, 1200];
      for (const status of way) await shop.admin('POST', `/orders/${number}/status`, { status });
      await shop.idle();
      expect(shop.notifiedStatuses(merchant, number)).toEqual([300, ...way]);
    },
  );

  it('is refunded by the platform itself after a cancellation if the switch is set', async () => {
    const { number } = await bought();
    await shop.admin('POST', '/switches', { refundsByItself: true });
    await shop.accepted(merchant, 'POST', `/v1/Orders/${number}/cancel`, undefined);
    await shop.idle();
    expect(shop.notifiedStatuses(merchant, number)).toEqual([300, 750, 800, 1100, 1200]);
  });

  it.each([
    [{ items: [] }],
    [{ items: [{ skuExternalReference: 'nada', quantity: 1 }] }],
    [{ items: [{ skuExternalReference: '1208-1', quantity: 1.5 }] }],
    [{ payment: 'later' }],
    [{ deliveryType: 'drone' }],
    [{ coupon: { code: 'X', discount: 99 } }],
    [{ coupon: { code: 'X' } }],
    [{ giftCard: 99 }],
    [{ freight: -1 }],
    [{ promotion: { name: 'X', discount: 1.005 } }],
    [{ contractAccountId: 'nobody' }],
  ])('cannot buy %j: a 400 that explains why, and no order', async (order) => {
    const { contractAccountId } = merchant;
    const body = { contractAccountId, items: BASKET, payment: 'approved', ...order };
    const answer = await shop.call('POST', '/admin/orders', { body });
    expect(answer.status).toBe(400);
    expect((answer.json as { error: { message: string } }).error.message.length).toBeGreaterThan(10);
  });
});
