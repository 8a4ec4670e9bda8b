import type { JsonRecord, JsonValue } from '@gondola/shared/json/json-digits';
import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { type OrderValues, readOrderValues } from './order-values.ts';
import { unreadFields } from './unread-fields.ts';

const LISTS = { items: [], paymentAttempts: [] };
const details = (more: JsonRecord) => ({ ...LISTS, acceptedOrderDetails: more });

/** Amounts of the view, with the place of each in the platform's data. */
const AMOUNTS: readonly [
  name: string,
  data: (amount: JsonValue) => JsonRecord,
  ofView: (view: OrderValues) => unknown,
][] = [
  ['totals.total', (total) => ({ subtotal: { total } }), ({ totals }) => totals.total],
  ['totals.freight', (frete) => ({ acceptedOrderDetails: { frete } }), ({ totals }) => totals.freight],
  ['totals.giftCard', (amount) => ({ subtotal: { giftcardDiscount: amount } }), ({ totals }) => totals.giftCard],
  [
    'acceptedPayment.installments',
    (installments) => ({ acceptedOrderDetails: { installments } }),
    ({ acceptedPayment }) => acceptedPayment?.installments,
  ],
  ['payments[1].value', (value) => ({ paymentAttempts: [{ value }] }), ({ payments }) => payments[0]?.value],
  ['items[1].net', (manualPrice) => ({ items: [{ manualPrice }] }), ({ items }) => items[0]?.net],
];

describe('the fields of an order that were not understood', () => {
  it.each<[string, JsonRecord, string[]]>([
    ['nothing', LISTS, []],
    ['unset times', { ...LISTS, createdAt: null, updatedAt: '0001-01-01T00:00:00', user: { birthDate: '' } }, []],
    ['a time in another order', { ...LISTS, createdAt: '20/11/2026 10:15' }, ['createdAt']],
    ['a time that is none', { ...LISTS, updatedAt: '2026-11-31T10:15:00' }, ['updatedAt']],
    ['a count of milliseconds', { ...LISTS, updatedAt: 1_795_180_000_000 }, ['updatedAt']],
    ['a birthday that is none', { ...LISTS, user: { birthDate: '1990-02-30T00:00:00' } }, ['customer.birthDate']],
    [
      'a window without a day that is understood',
      details({ scheduledDate: '21/11/2026', scheduledStartTime: '08:00', scheduledEndTime: '12:00' }),
      ['fulfilment.windowStart', 'fulfilment.windowEnd'],
    ],
    [
      'one end of a window',
      details({ scheduledDate: '2026-11-21T00:00:00', scheduledStartTime: '08:00', scheduledEndTime: 'noon' }),
      ['fulfilment.windowEnd'],
    ],
    [
      'the block of another modality',
      details({ scheduledDate: null, scheduledStartTime: '00:00:00', expressStartDate: '0001-01-01T00:00:00' }),
      [],
    ],
    ['lists that are null', { items: null, paymentAttempts: null }, ['payments', 'items']],
    ['items that are absent', {}, ['items']],
    ['a list that is none', { ...LISTS, items: { skuId: 's' } }, ['items']],
    [
      'numbers of an item',
      { ...LISTS, items: [{ orderedQuantity: '3' }, { orderedQuantity: 'three', manualPrice: '1,50' }] },
      ['items[2].orderedQuantity', 'items[2].net'],
    ],
    [
      'amounts of the order that neither block has',
      { ...LISTS, acceptedOrderDetails: { frete: '1,50', total: true }, subtotal: { frete: 1.5, total: null } },
      ['totals.total'],
    ],
    [
      'the amount of a gift card',
      {
        ...LISTS,
        giftcard: { applied: true, appliedAmount: '5,00' },
        acceptedOrderDetails: { giftcardDiscount: null },
      },
      ['totals.giftCard', 'giftCard.amount'],
    ],
    [
      'amounts of payments',
      { items: [], paymentAttempts: [{ value: 1 }, { value: {} }], acceptedOrderDetails: { cashChange: '50,00' } },
      ['acceptedPayment.cashChange', 'payments[2].value'],
    ],
  ])('are named: %s', (_, data, expected) => {
    expect(unreadFields(data)).toEqual(expected);
  });

  it('are none of an order of which only the number is known', () => {
    expect(unreadFields(null)).toEqual([]);
  });

  it.each(AMOUNTS)(
    'are exactly the set numbers that are null in the view: %s (guarantee 6)',
    (name, dataOf, ofView) => {
      const anyAmount = fc.oneof(fc.constantFrom<JsonValue>(null, '', ' 1.50', '1.50', '1,50', 0, 1.5), fc.jsonValue());
      fc.assert(
        fc.property(anyAmount as fc.Arbitrary<JsonValue>, (amount) => {
          const data = { ...LISTS, ...dataOf(amount) };
          const isNull = (ofView(readOrderValues(data, 1)) ?? null) === null;
          expect(unreadFields(data)).toEqual(isNull && amount !== null && amount !== '' ? [name] : []);
        }),
      );
    },
  );

  it('are exactly the set times that are null in the view, whatever the platform sends (guarantee 6)', () => {
    const anyTime: fc.Arbitrary<JsonValue> = fc.oneof(
      fc.constantFrom<JsonValue>(
        null,
        '',
        '2026-11-20T10:15:00',
        '2026-11-20 10:15',
        '0001-01-01T00:00:00',
        '10:15',
        7,
      ),
      fc.string(),
      fc.jsonValue() as fc.Arbitrary<JsonValue>,
    );
    fc.assert(
      fc.property(anyTime, (createdAt) => {
        const isUnset = createdAt === null || createdAt === '' || isUnsetDate(createdAt);
        const isNull = readOrderValues({ createdAt }, 1).createdAt === null;
        expect(unreadFields({ ...LISTS, createdAt }).includes('createdAt')).toBe(isNull && !isUnset);
      }),
    );
  });
});

function isUnsetDate(value: JsonValue): boolean {
  return typeof value === 'string' && value.startsWith('0001-01-01');
}
