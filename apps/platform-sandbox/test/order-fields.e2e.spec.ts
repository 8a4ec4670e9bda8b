import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { productItem, skuItem, unitSkuItem } from './support/catalog-items.ts';
import type { Envelope } from './support/receiver.ts';
import { Shop, type Answer, type Merchant } from './support/shop.ts';

type Block = Record<string, unknown>;

const keys = (text: string): string[] => text.split(' ').toSorted();

/** Tables of the document's "Order" section. A dot leads into a block, brackets into the first entry of a list. */
const TABLES: readonly (readonly [where: string, fields: string])[] = [
  [
    '',
    'id number status createdAt updatedAt deviceId origin deliveryType currency itemAmount canBeCancelled invoiceUrl couponId transactionId acquirerTransactionId user orderAddressId orderAddress items orderStatusRegistry seller shippingPolicy subtotal acceptedOrderDetails paymentAttempts orderInvoiced giftcard',
  ],
  [
    'user',
    'id gender firstName lastName email document phoneDDI phoneNumber birthDate active contractAccountId contractAccount userRole',
  ],
  ['orderAddress', 'id country state city neighborhood street number zipCode addressType additionalInfo reference'],
  [
    'seller',
    'id name country state city neighborhood zipCode street number complement reference phoneNumber description sellerCode active',
  ],
  ['shippingPolicy', 'id name createdAt updatedAt sellerId seller expressDelivery scheduledDelivery pickupPoint'],
  [
    'shippingPolicy.scheduledDelivery',
    'id shippingPolicyId daysLimit minimumQuantityItems maximumQuantityItems minimumPurchaseValue minimumShippingCost deliveryActiveModalUndefined observations',
  ],
  [
    'subtotal',
    'subtotal discount couponDiscount discountMO appliedCouponCode frete isFreeShipping total giftcardDiscount appliedPromotions appliedMyOffers',
  ],
  ['subtotal.appliedPromotions[]', 'id name type'],
  [
    'acceptedOrderDetails',
    'id sellerId shippingPolicyName paymentProvider paymentMethod userPaymentData installments subtotal discount netDiscount frete total couponDiscount appliedCouponCode cashChange scheduledDate scheduledDayOfWeek scheduledStartTime scheduledEndTime expressStartDate expressEndDate pickupPointName hasGiftcardApplied giftcardDiscount transactionId brand additionalInformation',
  ],
  ['acceptedOrderDetails.additionalInformation[]', 'title value dataType'],
  [
    'paymentAttempts[]',
    'serviceProviderPaymentMethod status type brand data transactionDate transactionId acquirerTransactionId paymentId value authCode',
  ],
  ['paymentAttempts[].serviceProviderPaymentMethod', 'id paymentMethod contractServiceProvider'],
  ['paymentAttempts[].serviceProviderPaymentMethod.paymentMethod', 'id name'],
  ['paymentAttempts[].serviceProviderPaymentMethod.contractServiceProvider', 'name'],
  ['giftcard', 'applied appliedAmount'],
  [
    'items[]',
    'id skuId ean reference orderedQuantity unitOfMeasure arithmeticFactor minimumWeightForSale brandId categoryId commercialPolicyId promotionName salePrice arithmeticFactorPrice totalPerProduct priceStartDateTime priceEndDateTime manualPrice discountApplied',
  ],
];

const GUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const LOCAL = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?$/;

const IS = {
  GUID: (value: unknown) => GUID.test(String(value)),
  integer: (value: unknown) => Number.isInteger(value),
  number: (value: unknown) => typeof value === 'number',
  boolean: (value: unknown) => typeof value === 'boolean',
  text: (value: unknown) => typeof value === 'string',
  list: (value: unknown) => Array.isArray(value),
  object: (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value),
  'local date and time': (value: unknown) => LOCAL.test(String(value)),
  null: (value: unknown) => value === null,
} as const;

/** Types of fields of the order below, a scheduled one with a promotion. */
const TYPES: readonly (readonly [type: keyof typeof IS, fields: string])[] = [
  [
    'GUID',
    'id orderAddressId user.id user.contractAccountId seller.id shippingPolicy.id shippingPolicy.sellerId items[].id items[].skuId items[].commercialPolicyId',
  ],
  [
    'integer',
    'number status origin deliveryType itemAmount items[].orderedQuantity subtotal.appliedPromotions[].type acceptedOrderDetails.additionalInformation[].dataType',
  ],
  [
    'number',
    'subtotal.subtotal subtotal.discount subtotal.couponDiscount subtotal.frete subtotal.total subtotal.giftcardDiscount acceptedOrderDetails.netDiscount acceptedOrderDetails.installments paymentAttempts[].value giftcard.appliedAmount items[].arithmeticFactor items[].arithmeticFactorPrice items[].salePrice items[].totalPerProduct items[].manualPrice items[].discountApplied',
  ],
  [
    'boolean',
    'canBeCancelled user.active seller.active subtotal.isFreeShipping acceptedOrderDetails.hasGiftcardApplied giftcard.applied shippingPolicy.scheduledDelivery.deliveryActiveModalUndefined',
  ],
  [
    'text',
    'currency transactionId acquirerTransactionId user.firstName user.email user.document orderAddress.zipCode seller.sellerCode shippingPolicy.name acceptedOrderDetails.paymentProvider acceptedOrderDetails.paymentMethod paymentAttempts[].brand items[].ean items[].reference items[].unitOfMeasure items[].promotionName subtotal.appliedPromotions[].name',
  ],
  [
    'list',
    'items paymentAttempts subtotal.appliedPromotions subtotal.appliedMyOffers acceptedOrderDetails.additionalInformation',
  ],
  ['object', 'user orderAddress seller shippingPolicy subtotal acceptedOrderDetails giftcard paymentAttempts[].data'],
  [
    'local date and time',
    'createdAt updatedAt user.birthDate shippingPolicy.createdAt shippingPolicy.updatedAt acceptedOrderDetails.scheduledDate paymentAttempts[].transactionDate',
  ],
  [
    'null',
    'couponId invoiceUrl deviceId orderStatusRegistry orderInvoiced items[].minimumWeightForSale items[].brandId items[].categoryId items[].priceStartDateTime items[].priceEndDateTime shippingPolicy.expressDelivery shippingPolicy.pickupPoint subtotal.appliedCouponCode',
  ],
];

const REDUCED = [
  'user',
  'items[]',
  'seller',
  'shippingPolicy',
  'subtotal',
  'acceptedOrderDetails',
  'paymentAttempts[]',
];

function at(whole: unknown, where: string): Block {
  const steps = where.replaceAll('[]', '.0').split('.');
  return (where === '' ? whole : steps.reduce((value, step) => (value as Block)[step], whole)) as Block;
}

describe('the fields of an order', () => {
  let shop: Shop;
  let merchant: Merchant;
  let boughtAt: number;
  let order: { number: number; id: string };
  let data: Block;
  let text: string;

  beforeAll(async () => {
    shop = await Shop.open();
    merchant = await shop.merchant();
    const units = ['Un', 'Kg', 'G', 'Mg'].map((unit) =>
      skuItem({ externalReference: unit, reference: `r-${unit}`, unitOfMeasurement: unit, arithmeticFactor: 0.5 }),
    );
    await shop.load(merchant, [productItem({ skus: [skuItem(), unitSkuItem(), ...units] })]);
    await shop.idle();
    boughtAt = Date.now();
    order = await shop.buy(merchant, {
      items: [
        { skuExternalReference: '4711-1', quantity: 0.312, unitPrice: 39.9 },
        ...['Un', 'Kg', 'G', 'Mg'].map((unit) => ({ skuExternalReference: unit, quantity: 2, unitPrice: 5 })),
      ],
      promotion: { name: 'Semana', discount: 1 },
    });
    await shop.idle();
    data = notified(order.number)[0]?.data ?? {};
    text = shop.receiver.received.find(({ envelope }) => envelope.data.number === order.number)?.bytes.toString() ?? '';
  });
  afterAll(() => shop.close());

  function notified(number: number): Envelope[] {
    return shop.envelopesOf(merchant, 'Order_Updated').filter((envelope) => envelope.data.number === number);
  }

  function get(path: string): Promise<Answer> {
    return shop.call('GET', path, { headers: merchant.headers });
  }

  it.each(TABLES)('%j are those of the document’s table, nulls included, and no others', (where, fields) => {
    expect(Object.keys(at(data, where)).toSorted()).toEqual(keys(fields));
  });

  it.each(TYPES)('have the type %s: %s', (type, fields) => {
    for (const field of fields.split(' ')) {
      const value = at(data, field);
      expect({ field, value, isRight: IS[type](value) }).toMatchObject({ isRight: true });
    }
  });

  it('have an envelope of five keys, without timestamp, signature or delivery identifier', () => {
    expect(Object.keys(notified(order.number)[0] ?? {})).toEqual([
      'operationId',
      'contractAccountId',
      'relatedEntity',
      'eventType',
      'data',
    ]);
    expect(notified(order.number)[0]).toMatchObject({ relatedEntity: 'Order', eventType: 'Order_Updated' });
  });

  it('are null as documented: deviceId, orderStatusRegistry, orderInvoiced, invoiceUrl', () => {
    const nulls = { deviceId: null, orderStatusRegistry: null, orderInvoiced: null, invoiceUrl: null };
    expect(data).toMatchObject(nulls);
  });

  it('hold enumerations as integers', () => {
    const attempts = data.paymentAttempts as Block[];
    const information = at(data, 'acceptedOrderDetails.additionalInformation[]');
    const codes = [data.status, data.origin, data.deliveryType, information.dataType, attempts[0]?.status];
    expect(codes.filter((code) => !Number.isInteger(code))).toEqual([]);
  });

  it('hold dates as local times of UTC−3 without a zone', () => {
    const dates = [data.createdAt, data.updatedAt, at(data, 'paymentAttempts[]').transactionDate];
    for (const date of [...dates, at(data, 'user').birthDate, at(data, 'acceptedOrderDetails').scheduledDate]) {
      expect(date).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?$/);
    }
    const utc = Date.parse(`${String(data.createdAt).slice(0, 23)}-03:00`);
    expect(utc).toBeGreaterThanOrEqual(boughtAt);
    expect(utc).toBeLessThanOrEqual(Date.now());
  });

  it('hold money as decimal numbers in currency units', () => {
    expect(text).toContain('"salePrice":39.90,');
    expect(text).toContain('"totalPerProduct":12.45,');
    expect(text).toContain('"frete":0.00,');
  });

  it('hold userPaymentData as a text of JSON', () => {
    const { userPaymentData } = at(data, 'acceptedOrderDetails');
    expect(typeof JSON.parse(userPaymentData as string)).toBe('object');
  });

  it('hold the unit of measure as text, and the approximate weight as ordered quantity × arithmetic factor', () => {
    const items = data.items as Block[];
    expect(items.map(({ unitOfMeasure }) => unitOfMeasure)).toEqual(['Kg', 'Un', 'Kg', 'G', 'Mg']);
    expect(items.map(({ orderedQuantity }) => orderedQuantity)).toEqual([3, 2, 2, 2, 2]);
    expect(items.map(({ totalPerProduct }) => totalPerProduct)).toEqual([12.45, 10, 5, 5, 5]);
    expect(Number(items[0]?.orderedQuantity) * Number(items[0]?.arithmeticFactor)).toBeCloseTo(0.3);
  });

  it('have each unit as its number in the core’s details', async () => {
    const path = `/v1/gateway/orders/${order.id}/details`;
    const { json } = await shop.call('GET', path, { headers: { 'x-api-key': merchant.apiKey } });
    expect(((json as Block).items as Block[]).map(({ unitOfMeasure }) => unitOfMeasure)).toEqual([2, 1, 2, 3, 4]);
  });

  it('name an item by the catalog’s ids of product and SKU, its EAN and its reference', async () => {
    const { json } = await get('/v1/batch/Products/4711');
    const product = json as Block & { skus: Block[] };
    const [item] = data.items as Block[];
    const [sku] = product.skus;
    expect(item).toMatchObject({ id: product.id, skuId: sku?.id, ean: sku?.ean, reference: sku?.reference });
    expect(item).not.toHaveProperty('skuExternalReference');
    expect(item).not.toHaveProperty('name');
  });

  describe('in the v2 payload', () => {
    let v2: Block;

    beforeAll(async () => {
      v2 = (await get(`/v1/Orders/${order.number}/webhook-payload?version=2`)).json as Block;
    });

    it('include tenant and numeric event type, and neither operationId nor relatedEntity', () => {
      expect(v2).toMatchObject({ contractAccountId: merchant.contractAccountId, eventType: 14, currency: 'BRL' });
      expect(v2).toMatchObject({ orderStatusRegistry: null, deviceId: null });
      for (const key of ['operationId', 'relatedEntity', 'data']) expect(v2).not.toHaveProperty(key);
    });

    it.each(REDUCED)('have %s reduced to a subset of the delivered fields', (where) => {
      const delivered = Object.entries(at(data, where));
      const reduced = Object.entries(at(v2, where));
      expect(reduced.length).toBeLessThan(delivered.length);
      expect(delivered).toEqual(expect.arrayContaining(reduced));
    });
  });

  it('can be read as a payload without a notification', async () => {
    const before = shop.envelopesOf(merchant).length;
    await get(`/v1/Orders/${order.number}/webhook-payload`);
    await get(`/v1/Orders/${order.number}/webhook-payload?version=2`);
    await shop.idle();
    expect(shop.envelopesOf(merchant)).toHaveLength(before);
  });

  it('can be unreadable as a payload: 500 on demand', async () => {
    await shop.admin('POST', '/faults', [{ kind: 'error-before', route: 'webhook-payload', times: 1 }]);
    const path = `/v1/Orders/${order.number}/webhook-payload`;
    expect((await get(path)).status).toBe(500);
    expect((await get(path)).status).toBe(200);
  });
});
