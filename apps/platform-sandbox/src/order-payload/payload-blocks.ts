import { subtotalCents } from '../orders/measured-line.ts';
import { ORDER_STATUSES } from '../orders/order-status.ts';
import { DELIVERY_TYPES, totalCents, type Order, type Storefront } from '../orders/order.ts';
import type { Shop } from '../tenants/tenants.service.ts';
import { discounts } from '../orders/checkout-terms.ts';
import { money, type JsonObject, type RawNumber, rawNumber } from '../values/exact-json.ts';
import { localDateTime, localDay, ticksOf } from '../values/local-time.ts';

/** The blocks of an order payload: shopper, address, seller and shipping policy; values, payment and gift card. */

const PICKUP_POINT = 'Balcão Loja Teste 01';
const PAYMENT = { method: 'CreditCard', provider: 'Pagamento Teste', brand: 'VISA' } as const;
const ATTEMPT_STATUS = { approved: 1, refused: 2 } as const;
/** Type of `appliedPromotions[]`; the document shows no values. */
const PROMOTION_TYPE = 1;
const EXPRESS_WINDOW_MS = 90 * 60_000;

/** Test shoppers are `Cliente Teste 01` to `99`, by order number. */
export function userBlock(order: Order): JsonObject {
  const shopper = String((order.number % 99) + 1).padStart(2, '0');
  return {
    id: order.ids.user,
    gender: null,
    firstName: 'Cliente',
    lastName: `Teste ${shopper}`,
    email: `cliente.teste${shopper}@example.com`,
    document: `000000000${shopper}`,
    phoneDDI: '55',
    phoneNumber: `119000000${shopper}`,
    birthDate: '1990-01-01T00:00:00',
    active: true,
    contractAccountId: order.contractAccountId,
    contractAccount: null,
    userRole: null,
  };
}

export function addressBlock(order: Order): JsonObject {
  return {
    id: order.ids.address,
    country: 'BR',
    state: 'SP',
    city: 'São Paulo',
    neighborhood: 'Centro',
    street: 'Rua de Teste',
    number: String((order.number % 900) + 1),
    zipCode: '01001000',
    addressType: null,
    additionalInfo: null,
    reference: 'Em frente à praça',
  };
}

export function sellerBlock(shop: Shop): JsonObject {
  return {
    id: shop.sellerId,
    name: 'Loja Teste 01',
    country: 'BR',
    state: 'SP',
    city: 'São Paulo',
    neighborhood: 'Centro',
    zipCode: '01001000',
    street: 'Avenida de Teste',
    number: '100',
    complement: null,
    reference: null,
    phoneNumber: '1130000001',
    description: null,
    sellerCode: 'loja-01',
    active: true,
  };
}

/** The order's modality is filled, the two others are null. */
export function shippingPolicyBlock(order: Order, shop: Shop): JsonObject {
  const { deliveryType } = order;
  const modality = { id: shop.deliveryId, shippingPolicyId: shop.shippingPolicyId };
  return {
    id: shop.shippingPolicyId,
    name: 'Entrega Teste',
    createdAt: localDateTime(order.createdAt),
    updatedAt: localDateTime(order.createdAt),
    sellerId: shop.sellerId,
    seller: null,
    expressDelivery: deliveryType === DELIVERY_TYPES.express ? { ...modality, deliveryTimeMinutes: 90 } : null,
    scheduledDelivery:
      deliveryType === DELIVERY_TYPES.scheduled
        ? {
            ...modality,
            daysLimit: 7,
            minimumQuantityItems: 1,
            maximumQuantityItems: 500,
            minimumPurchaseValue: money(0),
            minimumShippingCost: money(0),
            deliveryActiveModalUndefined: false,
            observations: null,
          }
        : null,
    pickupPoint: deliveryType === DELIVERY_TYPES.pickup ? { ...modality, name: PICKUP_POINT } : null,
  };
}

/** Total of the order; a reported final price has no fraction of a cent. */
function totalOf(order: Order, { fractionOfCent }: Storefront): RawNumber {
  const total = money(totalCents(order));
  return order.finalPriceCents === null ? rawNumber(`${total.rawJSON}${fractionOfCent}`) : total;
}

export function subtotalBlock(order: Order, shop: Storefront): JsonObject {
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
    total: totalOf(order, shop),
    giftcardDiscount: money(giftCardCents),
    appliedPromotions: promotion ? [{ id: promotion.id, name: promotion.name, type: PROMOTION_TYPE }] : [],
    appliedMyOffers: [],
  };
}

export function acceptedOrderDetailsBlock(order: Order, shop: Storefront): JsonObject {
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
    total: totalOf(order, shop),
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

/**
 * Time window of the delivery: the order's hours of tomorrow, the next hour and a half, or the pickup counter; keys of
 * the other modalities are null.
 */
function windowKeys(order: Order): JsonObject {
  const { deliveryType, createdAt, window } = order;
  const scheduled = deliveryType === DELIVERY_TYPES.scheduled ? localDay(createdAt, 1) : undefined;
  const express = deliveryType === DELIVERY_TYPES.express;
  return {
    scheduledDate: scheduled?.dateTime ?? null,
    scheduledDayOfWeek: scheduled?.dayOfWeek ?? null,
    scheduledStartTime: scheduled ? window.start : null,
    scheduledEndTime: scheduled ? window.end : null,
    expressStartDate: express ? localDateTime(createdAt) : null,
    expressEndDate: express ? localDateTime(createdAt + ticksOf(EXPRESS_WINDOW_MS)) : null,
    pickupPointName: deliveryType === DELIVERY_TYPES.pickup ? PICKUP_POINT : null,
  };
}
