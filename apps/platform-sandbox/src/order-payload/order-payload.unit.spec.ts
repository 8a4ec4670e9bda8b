import { describe, expect, it } from '@jest/globals';
import { SHOP, aLine, anOrder } from '../../test/support/orders.ts';
import { isNotified } from '../orders/order-status.ts';
import { orderPayloadV2 } from './order-payload-v2.ts';
import { coreOrderDetails, orderPayload } from './order-payload.ts';

type Block = Record<string, unknown>;

const words = (text: string): string[] => text.split(' ');

const keysOf = (value: unknown): string[] => Object.keys((Array.isArray(value) ? value[0] : value) as Block);

/** The tables of the document's "Order" section, in their order. */
const FIELDS = words(
  'id number status createdAt updatedAt deviceId origin deliveryType currency itemAmount canBeCancelled invoiceUrl couponId transactionId ' +
    'acquirerTransactionId user orderAddressId orderAddress items orderStatusRegistry seller shippingPolicy subtotal acceptedOrderDetails ' +
    'paymentAttempts orderInvoiced giftcard',
);

const BLOCKS: Record<string, string[]> = {
  user: words(
    'id gender firstName lastName email document phoneDDI phoneNumber birthDate active contractAccountId contractAccount userRole',
  ),
  orderAddress: words('id country state city neighborhood street number zipCode addressType additionalInfo reference'),
  seller: words(
    'id name country state city neighborhood zipCode street number complement reference phoneNumber description sellerCode active',
  ),
  shippingPolicy: words('id name createdAt updatedAt sellerId seller expressDelivery scheduledDelivery pickupPoint'),
  subtotal: words(
    'subtotal discount couponDiscount discountMO appliedCouponCode frete isFreeShipping total giftcardDiscount appliedPromotions appliedMyOffers',
  ),
  acceptedOrderDetails: words(
    'id sellerId shippingPolicyName paymentProvider paymentMethod userPaymentData installments subtotal discount netDiscount frete total ' +
      'couponDiscount appliedCouponCode cashChange scheduledDate scheduledDayOfWeek scheduledStartTime scheduledEndTime expressStartDate ' +
      'expressEndDate pickupPointName hasGiftcardApplied giftcardDiscount transactionId brand additionalInformation',
  ),
  giftcard: words('applied appliedAmount'),
};

const LISTS: Record<string, string[]> = {
  items: words(
    'id skuId ean reference orderedQuantity unitOfMeasure arithmeticFactor minimumWeightForSale brandId categoryId commercialPolicyId ' +
      'promotionName salePrice arithmeticFactorPrice totalPerProduct priceStartDateTime priceEndDateTime manualPrice discountApplied',
  ),
  paymentAttempts: words(
    'serviceProviderPaymentMethod status type brand data transactionDate transactionId acquirerTransactionId paymentId value authCode',
  ),
};

describe('the order payload', () => {
  it('has every field of the document’s tables, nulls included', () => {
    const payload = orderPayload(anOrder(), SHOP);
    expect(Object.keys(payload)).toEqual(FIELDS);
    for (const [block, keys] of Object.entries(BLOCKS)) expect(Object.keys(payload[block] as Block)).toEqual(keys);
    for (const [list, keys] of Object.entries(LISTS)) {
      expect(Object.keys((payload[list] as Block[])[0] ?? {})).toEqual(keys);
    }
    expect(Object.keys((payload.shippingPolicy as Block).scheduledDelivery as Block)).toEqual(
      words(
        'id shippingPolicyId daysLimit minimumQuantityItems maximumQuantityItems minimumPurchaseValue minimumShippingCost ' +
          'deliveryActiveModalUndefined observations',
      ),
    );
    expect(JSON.stringify(payload)).not.toContain('undefined');
  });

  it('writes money as numbers with two decimals', () => {
    const text = JSON.stringify(orderPayload(anOrder(), SHOP));
    expect(text).toContain('"salePrice":39.90,');
    expect(text).toContain('"totalPerProduct":12.45,');
    expect(text).toContain('"frete":0.00,');
  });

  it('has totals that are the sums of the lines', () => {
    const lines = [
      aLine(),
      aLine({ quantity: '3', unitPrice: '0.10' }, { unitOfMeasurement: 'Un', arithmeticFactor: null }),
    ];
    expect(JSON.stringify(orderPayload(anOrder('approved', lines), SHOP).subtotal)).toContain('"total":12.75,');
  });

  it('has dates in UTC−3 without a zone', () => {
    expect(orderPayload(anOrder(), SHOP)).toMatchObject({
      createdAt: '2026-11-20T10:15:00.0000000',
      updatedAt: '2026-11-20T10:15:00.0000001',
      acceptedOrderDetails: { scheduledDate: '2026-11-21T00:00:00', scheduledDayOfWeek: 6 },
    });
  });

  it.each([
    [1, 'scheduledDelivery'],
    [2, 'expressDelivery'],
    [3, 'pickupPoint'],
  ] as const)('sends the blocks of unused modalities as null (delivery type %d)', (deliveryType, used) => {
    const policy = orderPayload({ ...anOrder(), deliveryType }, SHOP).shippingPolicy as Block;
    const filled = ['scheduledDelivery', 'expressDelivery', 'pickupPoint'].filter((key) => policy[key] !== null);
    expect(filled).toEqual([used]);
  });
});

describe('the v2 payload', () => {
  it('holds the tenant and the numeric event type, and neither operationId nor relatedEntity', () => {
    const payload = orderPayloadV2(anOrder(), SHOP);
    expect(payload).toMatchObject({
      contractAccountId: anOrder().contractAccountId,
      eventType: 14,
      currency: 'BRL',
      deviceId: null,
      orderStatusRegistry: null,
    });
    expect(payload).not.toHaveProperty('operationId');
    expect(payload).not.toHaveProperty('relatedEntity');
  });

  it('reduces seven blocks to a subset of the delivered fields', () => {
    const full = orderPayload(anOrder(), SHOP);
    const reduced = orderPayloadV2(anOrder(), SHOP);
    for (const block of words('user items seller shippingPolicy subtotal acceptedOrderDetails paymentAttempts')) {
      expect(keysOf(full[block])).toEqual(expect.arrayContaining(keysOf(reduced[block])));
      expect(keysOf(reduced[block]).length).toBeLessThan(keysOf(full[block]).length);
    }
  });
});

it('the core’s order details carry the unit of measure as a number', () => {
  const items = coreOrderDetails(anOrder(), SHOP).items as Block[];
  expect(items.map(({ unitOfMeasure }) => unitOfMeasure)).toEqual([2]);
});

describe('order notifications', () => {
  it('are not made below status 250', () => {
    expect([100, 250].map(isNotified)).toEqual([false, true]);
  });

  it('carry 1300 while the order keeps its status', () => {
    expect(orderPayload(anOrder(), SHOP, 1300)).toMatchObject({ status: 1300 });
  });
});
