import { describe, expect, it } from '@jest/globals';
import { isPlainRecord, type JsonRecord, parseWithDigits } from '@gondola/shared/json/json-digits';
import * as fc from 'fast-check';
import { partsOf } from '../orders/published-state.ts';
import { readOrderValues, unknownOrderValues } from './order-values.ts';

const ITEM = `{"id":"p","skuId":"s","ean":"789","reference":"4711-1","orderedQuantity":3,"unitOfMeasure":"Kg","arithmeticFactor":0.10,
  "salePrice":39.9,"totalPerProduct":12.450,"manualPrice":12.45,"discountApplied":0}`;

const DATA = `{"id":"0b","number":100234,"status":300,"createdAt":"2026-11-20T10:14:58","updatedAt":"2026-11-20T10:15:00.5","origin":2,
  "deliveryType":1,"currency":"BRL","seller":{"id":"s-9","sellerCode":"loja-03","name":"Loja","country":"BR","state":"SP","city":"São Paulo","neighborhood":"Centro",
  "zipCode":"01001000","street":"Avenida de Teste","number":"100","complement":"loja 2","reference":null,"phoneNumber":"1130000001","description":null,"active":true},
  "user":{"id":"u","gender":null,"firstName":"Cliente Teste","lastName":"01","email":"cliente.teste01@example.com","document":"00000000191",
    "phoneDDI":"55","phoneNumber":"11900000001","birthDate":"1990-01-01T00:00:00"},
  "orderAddress":{"street":"Rua de Teste","number":12,"neighborhood":"Centro","city":"São Paulo","state":"SP","country":"BR","zipCode":"01001000"},
  "items":[${ITEM}],
  "subtotal":{"subtotal":200,"frete":9.9,"total":209.9},
  "acceptedOrderDetails":{"subtotal":187.45,"discount":0,"couponDiscount":0.0,"frete":null,"total":187.45,"giftcardDiscount":0,
    "scheduledDate":"2026-11-21T00:00:00","scheduledStartTime":"08:00","scheduledEndTime":"12:00:00"},
  "paymentAttempts":[{"serviceProviderPaymentMethod":{"paymentMethod":{"name":"CreditCard"},"contractServiceProvider":{"name":"Pagamento"}},
    "status":1,"brand":"VISA","value":187.45,"transactionId":"t","authCode":"a"}]}`;

function values(text: string, change: (data: Record<string, unknown>) => void = () => {}) {
  const data = parseWithDigits(text);
  if (!isPlainRecord(data)) throw new Error('no object');
  const copy = { ...data } as Record<string, unknown>;
  change(copy);
  return readOrderValues(copy as JsonRecord, 100234);
}

describe('the values of an order', () => {
  it("are those of the contract's example (rules 11, 12, 13)", () => {
    expect(values(DATA)).toEqual({
      orderId: '0b',
      orderNumber: 100234,
      createdAt: '2026-11-20T10:14:58-03:00',
      updatedAt: '2026-11-20T10:15:00.5-03:00',
      origin: { code: 2, name: 'web' },
      fulfilment: {
        type: { code: 1, name: 'scheduled' },
        windowStart: '2026-11-21T08:00:00-03:00',
        windowEnd: '2026-11-21T12:00:00-03:00',
        pickupPoint: null,
      },
      seller: {
        id: 's-9',
        sellerCode: 'loja-03',
        name: 'Loja',
        phone: '1130000001',
        address: {
          street: 'Avenida de Teste',
          number: '100',
          additionalInfo: 'loja 2',
          neighborhood: 'Centro',
          city: 'São Paulo',
          state: 'SP',
          country: 'BR',
          zipCode: '01001000',
          reference: null,
        },
      },
      currency: 'BRL',
      totals: {
        subtotal: '187.45',
        discount: '0.00',
        couponDiscount: '0.00',
        giftCard: '0.00',
        freight: '9.90',
        total: '187.45',
      },
      coupon: null,
      giftCard: null,
      acceptedPayment: {
        method: null,
        provider: null,
        brand: null,
        installments: null,
        cashChange: null,
        userPaymentData: null,
      },
      customer: {
        id: 'u',
        firstName: 'Cliente Teste',
        lastName: '01',
        email: 'cliente.teste01@example.com',
        document: '00000000191',
        phone: '5511900000001',
        birthDate: '1990-01-01',
        gender: null,
      },
      address: {
        street: 'Rua de Teste',
        number: '12',
        additionalInfo: null,
        neighborhood: 'Centro',
        city: 'São Paulo',
        state: 'SP',
        country: 'BR',
        zipCode: '01001000',
        reference: null,
      },
      payments: [
        {
          method: 'CreditCard',
          provider: 'Pagamento',
          brand: 'VISA',
          status: { code: 1, name: null },
          value: '187.45',
          transactionId: 't',
          authCode: 'a',
        },
      ],
      items: [
        {
          line: 1,
          productId: 'p',
          skuId: 's',
          skuExternalReference: null,
          name: null,
          match: 'unknown',
          ean: '789',
          reference: '4711-1',
          unitOfMeasure: 'Kg',
          orderedQuantity: 3,
          approximateWeight: { value: '0.3', unit: 'Kg' },
          salePrice: '39.90',
          gross: '12.45',
          discount: '0.00',
          net: '12.45',
        },
      ],
    });
  });

  it('have no weight for what is sold by the piece (rule 12)', () => {
    const { items } = values(DATA.replace('"Kg"', '"Un"'));
    expect(items[0]).toMatchObject({ unitOfMeasure: 'Un', approximateWeight: null, orderedQuantity: 3 });
  });

  it('keep amounts by their digits, further decimals included (rule 12)', () => {
    const { items } = values(DATA.replace('12.450', '12.3456').replace('39.9', '1e2'));
    expect(items[0]).toMatchObject({ gross: '12.3456', salePrice: '100.00' });
  });

  it('have null for whatever the platform left out, and never fail', () => {
    expect(values('{}')).toEqual(unknownOrderValues(100234, null));
    expect(unknownOrderValues(100234, 'guid')).toMatchObject({
      orderId: 'guid',
      items: [],
      payments: [],
      origin: null,
    });
    fc.assert(
      fc.property(fc.constantFrom(...Object.keys(parseWithDigits(DATA) as object)), fc.jsonValue(), (key, other) => {
        expect(() => values(DATA, (data) => (data[key] = other))).not.toThrow();
      }),
    );
  });

  it('name an unknown code null', () => {
    const { origin, fulfilment } = values(DATA, (data) => Object.assign(data, { origin: 9, deliveryType: 77 }));
    expect([origin, fulfilment.type]).toEqual([
      { code: 9, name: null },
      { code: 77, name: null },
    ]);
  });

  it('have whole numbers that are written with decimals', () => {
    const data = `{"origin":2.0,"deliveryType":3.00,"items":[{"orderedQuantity":3.0},{"orderedQuantity":2.50}],
      "paymentAttempts":[{"status":1.0}],"acceptedOrderDetails":{"installments":2.0}}`;
    expect(values(data)).toMatchObject({
      origin: { code: 2, name: 'web' },
      fulfilment: { type: { code: 3, name: 'pickup' } },
      items: [{ orderedQuantity: 3 }, { orderedQuantity: 2.5 }],
      payments: [{ status: { code: 1, name: null } }],
      acceptedPayment: { installments: 2 },
    });
  });

  it('have the window of an express delivery and the counter of a pickup (rule 13)', () => {
    const express = '{"expressStartDate":"2026-11-20T10:30:00","expressEndDate":"2026-11-20T12:00:00"}';
    expect(values(`{"deliveryType":2,"acceptedOrderDetails":${express}}`).fulfilment).toEqual({
      type: { code: 2, name: 'express' },
      windowStart: '2026-11-20T10:30:00-03:00',
      windowEnd: '2026-11-20T12:00:00-03:00',
      pickupPoint: null,
    });
    const pickup = values('{"deliveryType":3,"acceptedOrderDetails":{"pickupPointName":"Balcão"}}');
    expect(pickup.fulfilment).toMatchObject({ type: { name: 'pickup' }, pickupPoint: 'Balcão' });
  });

  it.each([
    ['22:00', '02:00', '21T22:00:00', '22T02:00:00'],
    ['2026-11-21T22:00:00', '02:00:00', '21T22:00:00', '22T02:00:00'],
    ['0001-01-01T20:00:00', '0001-01-01T00:00:00', '21T20:00:00', '22T00:00:00'],
    ['20:00', '24:00', '21T20:00:00', '22T00:00:00'],
    ['8:00', '9:30', '21T08:00:00', '21T09:30:00'],
    ['08:00', '2026-11-23T09:00:00', '21T08:00:00', '23T09:00:00'],
  ])('have a window from %s to %s, which may end on the next day (rule 13)', (start, end, from, to) => {
    const block = { scheduledDate: '2026-11-21T00:00:00', scheduledStartTime: start, scheduledEndTime: end };
    const { fulfilment } = values(JSON.stringify({ deliveryType: 1, acceptedOrderDetails: block }));
    const window = [fulfilment.windowStart, fulfilment.windowEnd];
    expect(window).toEqual([from, to].map((time) => `2026-11-${time}-03:00`));
  });

  it('have no window that ends before it begins, on whatever day (rule 13)', () => {
    const anyClock = fc
      .tuple(fc.nat(23), fc.nat(59))
      .map((parts) => parts.map((n) => String(n).padStart(2, '0')).join(':'));
    const anyDay = fc
      .integer({ min: 0, max: 40_000 })
      .map((day) => new Date(day * 86_400_000).toISOString().slice(0, 10));
    fc.assert(
      fc.property(anyDay, anyClock, anyClock, (scheduledDate, scheduledStartTime, scheduledEndTime) => {
        const block = { scheduledDate, scheduledStartTime, scheduledEndTime };
        const { windowStart, windowEnd } = values(JSON.stringify({ acceptedOrderDetails: block })).fulfilment;
        expect((windowStart ?? '') <= (windowEnd ?? '')).toBe(true);
        expect([windowStart?.slice(0, 16), windowEnd?.slice(11, 16)]).toEqual([
          `${scheduledDate}T${scheduledStartTime}`,
          scheduledEndTime,
        ]);
      }),
    );
  });

  it('have one fulfilment, by the modality of the order, however the unused ones are zeroed (rule 13)', () => {
    const details = (type: number, block: object) =>
      values(JSON.stringify({ deliveryType: type, acceptedOrderDetails: block })).fulfilment;
    const zeroed = { scheduledDate: '0001-01-01T00:00:00', scheduledStartTime: '00:00:00', scheduledEndTime: '00:00' };
    const zeroedExpress = { expressStartDate: '0001-01-01T00:00:00', expressEndDate: '0001-01-01T00:00:00' };
    const express = { expressStartDate: '2026-11-20T10:30:00', expressEndDate: null };
    expect(details(2, { ...zeroed, ...express, pickupPointName: '' })).toEqual({
      type: { code: 2, name: 'express' },
      windowStart: '2026-11-20T10:30:00-03:00',
      windowEnd: null,
      pickupPoint: null,
    });
    const scheduled = { scheduledDate: '2026-11-21T00:00:00', scheduledStartTime: '0001-01-01T08:00:00' };
    expect(details(1, { ...zeroedExpress, ...scheduled })).toMatchObject({ windowStart: '2026-11-21T08:00:00-03:00' });
    expect(details(2, { ...express, ...scheduled })).toMatchObject({ windowStart: '2026-11-20T10:30:00-03:00' });
    expect(details(3, { ...zeroed, ...zeroedExpress })).toMatchObject({ windowStart: null, windowEnd: null });
    const policy = '{"shippingPolicy":{"pickupPoint":{"id":"0","name":""},"expressDelivery":null}}';
    expect(values(policy).fulfilment.pickupPoint).toBeNull();
  });

  it('have null for a date that was never set (rule 13)', () => {
    const never = values('{"createdAt":"0001-01-01T00:00:00","user":{"birthDate":"0001-01-01T00:00:00"}}');
    expect([never.createdAt, never.customer.birthDate]).toEqual([null, null]);
  });

  it('have the amounts of the block that is used', () => {
    const zeroed = '"acceptedOrderDetails":{"subtotal":0,"total":0.00,"frete":null}';
    expect(values(`{${zeroed},"subtotal":{"subtotal":200,"frete":9.9,"total":209.9}}`).totals).toMatchObject({
      subtotal: '200.00',
      freight: '9.90',
      total: '209.90',
    });
    expect(values(`{${zeroed},"subtotal":{"subtotal":0,"frete":0,"total":0}}`).totals.total).toBe('0.00');
  });

  it('have the coupon, the gift card, the change and the payment data as text', () => {
    const found = values(`{"couponId":"c-1","subtotal":{"appliedCouponCode":"PRIMEIRA10"},
      "giftcard":{"applied":true,"appliedAmount":20},
      "acceptedOrderDetails":{"paymentMethod":"Dinheiro","paymentProvider":"Na entrega","installments":1,"cashChange":50.0,
        "brand":"","userPaymentData":"{\\"brand\\":\\"VISA\\",\\"n\\":1.10}"}}`);
    expect(found).toMatchObject({
      coupon: { id: 'c-1', code: 'PRIMEIRA10' },
      giftCard: { amount: '20.00' },
      acceptedPayment: {
        method: 'Dinheiro',
        provider: 'Na entrega',
        brand: null,
        installments: 1,
        cashChange: '50.00',
        userPaymentData: '{"brand":"VISA","n":1.10}',
      },
    });
    expect(values('{"giftcard":{"applied":false,"appliedAmount":0}}').giftCard).toBeNull();
  });

  it('change by their parts, and not by updatedAt alone (rule 10)', () => {
    const before = partsOf(values(DATA));
    expect(partsOf(values(DATA.replace('10:15:00.5', '10:16:00')))).toEqual(before);
    const after = partsOf(values(DATA.replace('"manualPrice":12.45', '"manualPrice":12.00')));
    expect(Object.keys(after).filter((name) => after[name] !== before[name])).toEqual(['items']);
  });
});
