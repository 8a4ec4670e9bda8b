import { money, type JsonObject } from '../exact-json.ts';
import { localDateTime, localDay, ticksOf } from '../local-time.ts';
import { discounts } from './checkout-terms.ts';
import { subtotalCents } from './measured-line.ts';
import { ORDER_STATUSES } from './order-status.ts';
import { DELIVERY_TYPES, totalCents, type Order, type Shop } from './order.ts';
import { PICKUP_POINT } from './payload-people.ts';

/** The blocks of an order payload that hold values: subtotal, accepted details, payment attempts, gift card. */

const PAYMENT = { method: 'CreditCard', provider: 'Pagamento Teste', brand: 'VISA' } as const;
const ATTEMPT_STATUS = { approved: 1, refused: 2 } as const;
/** Of `appliedPromotions[]`; no values are shown. */
const PROMOTION_TYPE = 1;
const EXPRESS_WINDOW_MS = 90 * 60_000;

export function subtotalBlock(order: Order): JsonObject {
  const { discountCents, couponCents } = discounts(order);
  const { promotion, coupon, freightCents, giftCardCents } = order;
  return {
    subtotal: money(subtotalCents(order)),
    discount: money(discountCents),
    couponDiscount: money(couponCents),
    discountMO: money(0),
    appliedCouponCode: coupon?.code ?? null,
    frete: money(freightCents),
    isFreeShipping: freightCents === 0,
    total: money(totalCents(order)),
    giftcardDiscount: money(giftCardCents),
    appliedPromotions: promotion ? [{ id: promotion.id, name: promotion.name, type: PROMOTION_TYPE }] : [],
    appliedMyOffers: [],
  };
}

export function acceptedOrderDetailsBlock(order: Order, shop: Shop): JsonObject {
  const { discountCents, couponCents } = discounts(order);
  return {
    id: order.ids.acceptedDetails,
    sellerId: shop.sellerId,
    shippingPolicyName: 'Entrega Teste',
    paymentProvider: PAYMENT.provider,
    paymentMethod: PAYMENT.method,
    userPaymentData: JSON.stringify({ brand: PAYMENT.brand, lastFourDigits: '0001' }),
    installments: 1,
    subtotal: money(subtotalCents(order)),
    discount: money(discountCents),
    netDiscount: money(discountCents + couponCents),
    frete: money(order.freightCents),
    total: money(totalCents(order)),
    couponDiscount: money(couponCents),
    appliedCouponCode: order.coupon?.code ?? null,
    cashChange: null,
    ...windowKeys(order),
    hasGiftcardApplied: order.giftCardCents > 0,
    giftcardDiscount: money(order.giftCardCents),
    transactionId: order.ids.transaction,
    brand: PAYMENT.brand,
    additionalInformation: [{ title: 'CPF na nota', value: 'false', dataType: 1 }],
  };
}

export function paymentAttemptBlock(order: Order, shop: Shop): JsonObject {
  const refused = order.status === ORDER_STATUSES.PAYMENT_ERROR;
  return {
    serviceProviderPaymentMethod: {
      id: shop.providerMethodId,
      paymentMethod: { id: shop.paymentMethodId, name: PAYMENT.method },
      contractServiceProvider: { name: PAYMENT.provider },
    },
    status: refused ? ATTEMPT_STATUS.refused : ATTEMPT_STATUS.approved,
    type: 1,
    brand: PAYMENT.brand,
    data: { nsu: String(order.number) },
    transactionDate: localDateTime(order.createdAt),
    transactionId: order.ids.transaction,
    acquirerTransactionId: order.ids.acquirerTransaction,
    paymentId: order.ids.payment,
    value: money(totalCents(order)),
    authCode: refused ? null : String(order.number),
  };
}

export function giftcardBlock({ giftCardCents }: Order): JsonObject {
  return { applied: giftCardCents > 0, appliedAmount: money(giftCardCents) };
}

/** Tomorrow morning, the next hour and a half, or the counter; the keys of the other modalities are null. */
function windowKeys(order: Order): JsonObject {
  const { deliveryType, createdAt } = order;
  const scheduled = deliveryType === DELIVERY_TYPES.scheduled ? localDay(createdAt, 1) : undefined;
  const express = deliveryType === DELIVERY_TYPES.express;
  return {
    scheduledDate: scheduled?.dateTime ?? null,
    scheduledDayOfWeek: scheduled?.dayOfWeek ?? null,
    scheduledStartTime: scheduled ? '08:00:00' : null,
    scheduledEndTime: scheduled ? '12:00:00' : null,
    expressStartDate: express ? localDateTime(createdAt) : null,
    expressEndDate: express ? localDateTime(createdAt + ticksOf(EXPRESS_WINDOW_MS)) : null,
    pickupPointName: deliveryType === DELIVERY_TYPES.pickup ? PICKUP_POINT : null,
  };
}
