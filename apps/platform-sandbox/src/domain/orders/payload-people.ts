import { money, type JsonObject } from '../exact-json.ts';
import { localDateTime } from '../local-time.ts';
import { DELIVERY_TYPES, type Order, type Shop } from './order.ts';

/** The blocks of an order payload that describe people and places: shopper, address, seller, shipping policy. */

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

/** The modality of the order is filled, the two others are null. */
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

export const PICKUP_POINT = 'Balcão Loja Teste 01';
