import { describe, expect, it } from '@jest/globals';
import { assert, constantFrom, integer, option, property, record, tuple } from 'fast-check';
import { type OrderValues, readOrderValues } from '../facts/order-values.ts';
import type { AskedFigures } from './asked-figures.ts';
import { type AuditedFigures, compareOrder, type Difference, type ShopFigures } from './compare-order.ts';

const ITEM = {
  id: 'p-1',
  skuId: 's-1',
  reference: 'r-1',
  orderedQuantity: 2,
  unitOfMeasure: 'Un',
  salePrice: 5.25,
  totalPerProduct: 10.5,
  manualPrice: 10.45,
  discountApplied: 0.05,
};
const CHEESE = { ...ITEM, skuId: 's-2', orderedQuantity: 3, unitOfMeasure: 'Kg', arithmeticFactor: 0.1 };
const TOTALS = { subtotal: 20.9, discount: 0.1, frete: 2, total: 22.9 };
const NOTHING_ASKED: AskedFigures = { picking: null, invoice: null, pdf: null };
const INVOICE = { by: 'RegisterInvoice c-1: applied', number: '77', value: '22.90' };
const NAMED: Readonly<Record<string, string>> = { 's-1': '4711', 's-2': '4712' };

interface Changed {
  readonly items?: readonly object[];
  readonly totals?: object;
  readonly status?: number | null;
}

function figures({ items = [ITEM, CHEESE], totals = {}, status = 300 }: Changed = {}) {
  const order = { items, acceptedOrderDetails: { ...TOTALS, ...totals } };
  const values: OrderValues = readOrderValues(order as never, 1);
  const named = values.items.map((item) => ({ ...item, skuExternalReference: NAMED[item.skuId ?? ''] ?? null }));
  return { totals: values.totals, items: named, price: values.totals.total, status };
}

function shop(changed: Changed & Partial<Pick<ShopFigures, 'invoices' | 'hasPdf'>> = {}) {
  const { invoices = [], hasPdf = null, ...rest } = changed;
  return { ...figures(rest), invoices, hasPdf };
}

function compared(changed: Partial<AuditedFigures> = {}): readonly Difference[] {
  const same = { shop: shop(), published: figures(), unpublished: [], asked: NOTHING_ASKED };
  return compareOrder({ ...same, ...changed }).differences;
}

const of = (kind: string, sides: object = {}) => [
  { kind, about: null, shop: null, published: null, erp: null, ...sides },
];
const picking = (lines: readonly object[], price = '22.90'): AskedFigures => ({
  ...NOTHING_ASKED,
  picking: { by: 'ReportPicking c-1: applied', price, lines: lines as never },
});
const PICKED = { sku: '4711', isMissing: false, quantity: '2', unit: 'Un', cost: '10.50' };
const SHOWN = { number: '77', issuedAt: null, value: '22.90' };
const asks = (more: Partial<AskedFigures>) => ({ ...NOTHING_ASKED, ...more });

describe('an order in an audit', () => {
  it('agrees where all three sides say the same, in whatever form', () => {
    const asked = {
      ...picking([PICKED]),
      invoice: { ...INVOICE, number: '0077' },
      pdf: 'RegisterInvoice c-1: applied',
    };
    for (const value of ['22.9', '2290'])
      expect(compared({ shop: shop({ invoices: [{ ...SHOWN, value }], hasPdf: true }), asked })).toEqual([]);
  });

  it.each<[string, Partial<AuditedFigures>, object[]]>([
    ['an order without events', { published: null }, of('unknown-to-erp', { shop: '300 / 22.90' })],
    ['an order that the shop does not know', { shop: null }, of('unknown-to-shop', { published: '300 / 22.90' })],
    ['figures that were not published', { unpublished: ['totals'] }, of('unpublished', { about: 'totals' })],
    ['another status', { shop: shop({ status: 400 }) }, of('status', { shop: '400', published: '300' })],
    ['a missing line', { shop: shop({ items: [CHEESE] }) }, of('item', { about: 's-1', published: '2' })],
    ['one more line', { published: figures({ items: [CHEESE] }) }, of('item', { about: 's-1', shop: '2' })],
    [
      'another quantity',
      { shop: shop({ items: [{ ...ITEM, orderedQuantity: 3 }, CHEESE] }) },
      of('quantity', { about: 's-1', shop: '3', published: '2' }),
    ],
    [
      'another weight',
      { shop: shop({ items: [ITEM, { ...CHEESE, orderedQuantity: 4 }] }) },
      of('weight', { about: 's-2', shop: '0.4 Kg', published: '0.3 Kg' }),
    ],
    [
      'another price',
      { shop: shop({ items: [{ ...ITEM, salePrice: 5.26 }, CHEESE] }) },
      of('price', { about: 's-1', shop: '5.26', published: '5.25' }),
    ],
    [
      'another amount of a line',
      { shop: shop({ items: [{ ...ITEM, manualPrice: 10.46 }, CHEESE] }) },
      of('line-total', { about: 's-1', shop: '10.46', published: '10.45' }),
    ],
    [
      'another discount',
      { shop: shop({ totals: { discount: 0.11 } }) },
      of('discount', { about: 'discount', shop: '0.11', published: '0.10' }),
    ],
    [
      'a discount that nobody published',
      { shop: shop({ totals: { couponDiscount: 1 } }) },
      of('discount', { about: 'couponDiscount', shop: '1.00' }),
    ],
    [
      'another freight',
      { shop: shop({ totals: { frete: 2.01 } }) },
      of('freight', { shop: '2.01', published: '2.00' }),
    ],
    [
      'a cent of the total',
      { shop: shop({ totals: { total: 22.91 } }) },
      of('total', { shop: '22.91', published: '22.90' }),
    ],
    [
      'another final price of the ERP',
      { asked: picking([], '22.91') },
      of('total', { about: 'ReportPicking c-1: applied', shop: '22.90', published: '22.90', erp: '22.91' }),
    ],
    [
      'another picked quantity',
      { asked: picking([{ ...PICKED, quantity: '1' }]) },
      of('quantity', { about: '4711', shop: '2', erp: '1' }),
    ],
    [
      'a picked weight that costs something else',
      { asked: picking([{ sku: '4712', isMissing: false, quantity: '0.298', unit: 'Kg', cost: '11.89' }]) },
      of('weight', { about: '4712', shop: '10.50', erp: '0.298 Kg = 11.89' }),
    ],
    [
      'a line that the ERP does not have',
      { asked: picking([{ ...PICKED, isMissing: true }]) },
      of('item', { about: '4711', shop: '2', erp: '0' }),
    ],
    [
      'another invoice',
      { shop: shop({ invoices: [{ ...SHOWN, number: '78' }] }), asked: asks({ invoice: INVOICE }) },
      of('invoice-number', { about: INVOICE.by, shop: '78', erp: '77' }),
    ],
    [
      'an invoice that the shop does not have',
      { asked: asks({ invoice: INVOICE }) },
      of('invoice-number', { about: INVOICE.by, erp: '77' }),
    ],
    [
      'an invoice that the ERP did not register',
      { shop: shop({ invoices: [SHOWN] }) },
      of('invoice-number', { shop: '77' }),
    ],
    [
      'another value of the invoice',
      { shop: shop({ invoices: [{ ...SHOWN, value: '22.89' }] }), asked: asks({ invoice: INVOICE }) },
      of('invoice-value', { about: INVOICE.by, shop: '22.89', erp: '22.90' }),
    ],
    [
      'an invoice that is not the final price',
      {
        shop: shop({ invoices: [SHOWN], totals: { total: 22.9 } }),
        asked: asks({ invoice: { ...INVOICE, value: '22.89' } }),
      },
      of('invoice-value', { about: INVOICE.by, shop: '22.90', erp: '22.89' }),
    ],
    [
      'a missing PDF',
      { shop: shop({ invoices: [SHOWN], hasPdf: false }), asked: asks({ invoice: INVOICE, pdf: INVOICE.by }) },
      of('pdf-missing', { about: INVOICE.by }),
    ],
  ])('differs by %s, and by nothing else', (_what, changed, expected) => {
    expect(compared(changed)).toEqual(expected);
  });

  it.each<[string, Partial<AuditedFigures>]>([
    ['a payload without items', { shop: shop({ items: [] }) }],
    ['a payload without its status', { shop: shop({ status: null }) }],
    ['amounts that the payload does not show', { shop: shop({ totals: { discount: null, frete: null } }) }],
    ['an amount of zero that nobody published', { shop: shop({ totals: { couponDiscount: 0 } }) }],
    ['an order that neither side knows', { shop: null, published: null }],
    ['an order that was cancelled before it was told', { shop: shop({ status: 800 }), published: null }],
    ['a refused payment', { shop: shop({ status: 250 }), published: null }],
    [
      'an invoice that only the status proves',
      { shop: shop({ status: 350 }), published: figures({ status: 350 }), asked: asks({ invoice: INVOICE }) },
    ],
    [
      'a picking of an order that was cancelled',
      {
        shop: shop({ status: 800 }),
        published: figures({ status: 800 }),
        asked: picking([{ ...PICKED, quantity: '1' }], '1.00'),
      },
    ],
    ['a picking of SKUs that are not all known', { asked: picking([{ ...PICKED, sku: 'other', isMissing: true }]) }],
  ])('does not differ by %s', (_what, changed) => {
    expect(compared(changed)).toEqual([]);
  });

  const side = record({
    status: option(constantFrom(250, 300, 350, 400, 700, 750, 800, 1100)),
    total: option(integer({ min: 0, max: 400 }).map((cents) => cents / 100)),
  });

  it('lists each order whose cents differ, so that the listed ones explain the difference of the sums', () => {
    const all = tuple(option(side), option(side), option(integer({ min: 0, max: 400 })));
    assert(
      property(all, ([shown, told, invoiced]) => {
        const value = invoiced === null ? null : (invoiced / 100).toFixed(2);
        const { differences, cents } = compareOrder({
          shop: shown && shop({ status: shown.status, totals: { total: shown.total } }),
          published: told && figures({ status: told.status ?? 300, totals: { total: told.total } }),
          unpublished: [],
          asked: asks(value === null ? {} : { invoice: { ...INVOICE, value } }),
        });
        const isApart = cents.shop !== cents.published || cents.charged !== cents.invoiced;
        expect(isApart && differences.length === 0).toBe(false);
      }),
      { numRuns: 2_000 },
    );
  });
});
