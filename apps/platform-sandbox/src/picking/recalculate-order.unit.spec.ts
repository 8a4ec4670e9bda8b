import { describe, expect, it } from '@jest/globals';
import { assert, integer, property } from 'fast-check';
import { received, unitSkuItem } from '../../test/support/catalog-items.ts';
import { NOW, SHOP, aLine, aProduct, aSku, anOrder } from '../../test/support/orders.ts';
import { orderPayload } from '../order-payload/order-payload.ts';
import { totalCents, type Order } from '../orders/order.ts';
import { DEFAULT_BEHAVIOUR } from '../switches/behaviour.ts';
import { centsText } from '../values/decimal.ts';
import { rawNumber } from '../values/exact-json.ts';
import { readPicking } from './picking-report.ts';
import { recalculateOrder, type Recalculation } from './recalculate-order.ts';

const GRANOLA = {
  ...aLine({ quantity: '2', unitPrice: '7.10' }, unitSkuItem()),
  skuExternalReference: '1208-1',
};
/** 300 g of cheese and two granolas: 11.97 + 14.20. */
const ORDER = anOrder('approved', [aLine({ quantity: '3' }), GRANOLA]);

const CATALOG = new Map([['new', { product: aProduct(), sku: { ...aSku(), externalReference: 'new', id: 'new-id' } }]]);

function recalculate(body: unknown, order: Order = ORDER): Recalculation {
  const reading = readPicking(received(body), DEFAULT_BEHAVIOUR.pickingKeys);
  return reading.kind === 'refused' ? reading : recalculateOrder(order, reading.report, CATALOG, NOW);
}

function recalculated(body: unknown, order: Order = ORDER): Order {
  const outcome = recalculate(body, order);
  if (outcome.kind === 'refused') throw new Error(JSON.stringify(outcome.refusal));
  return outcome.order;
}

function violated(body: unknown): string[] {
  const outcome = recalculate(body);
  return outcome.kind === 'refused' ? outcome.refusal.violations.map(({ key }) => key) : [];
}

describe('a report of picked items', () => {
  it('replaces weight, price and total of a line, and the total of the order, and keeps the status', () => {
    const items = [{ skuExternalReference: '4711-1', quantity: 0.312, unitOfMeasure: 'Kg', price: 39.9, total: 12.45 }];
    const order = recalculated({ finalOrderPrice: 26.65, items });
    expect(order.status).toBe(300);
    expect(order.updatedAt > ORDER.updatedAt).toBe(true);
    expect(order.lines[0]).toMatchObject({ quantity: '0.312', orderedQuantity: 3, totalCents: 1245 });
    expect(order.lines[1]).toEqual(ORDER.lines[1]);
    expect(totalCents(order)).toBe(2665);
  });

  it('reads a whole number of a weighable item as its weight, since picked amounts are in the unit of measure', () => {
    const items = [{ skuExternalReference: '4711-1', quantity: 1 }];
    expect(recalculated({ finalOrderPrice: 54.1, items }).lines[0]).toMatchObject({
      quantity: '1',
      orderedQuantity: 10,
      totalCents: 3990,
    });
  });

  it('computes the total of a line from its weight if none is reported', () => {
    const items = [{ skuExternalReference: '4711-1', quantity: 0.25, price: 40 }];
    expect(recalculated({ finalOrderPrice: 24.2, items }).lines[0]).toMatchObject({ totalCents: 1000 });
  });

  it('shows a reported total below price × quantity as a discount of the item', () => {
    const items = [{ skuExternalReference: '1208-1', quantity: 2, price: 7.1, total: 10 }];
    const order = recalculated({ finalOrderPrice: 21.97, items });
    const text = JSON.stringify(orderPayload(order, SHOP));
    expect(text).toContain('"totalPerProduct":14.20,');
    expect(text).toContain('"manualPrice":10.00,"discountApplied":4.20}');
    expect(text).toContain('"subtotal":{"subtotal":26.17,"discount":4.20,');
    expect(text).toContain('"total":21.97,');
  });

  it('drops a line of which nothing was picked, and ignores one that was dropped already', () => {
    const body = { finalOrderPrice: 11.97, items: [{ skuExternalReference: '1208-1', quantity: 0, total: 0 }] };
    const once = recalculated(body);
    expect(once.lines.map((line) => line.skuExternalReference)).toEqual(['4711-1']);
    expect(recalculated(body, once).lines).toEqual(once.lines);
  });

  it('adds a SKU that the order did not have', () => {
    const items = [{ skuExternalReference: 'new', quantity: 0.5, unitOfMeasure: 'Kg', price: 20, total: 10 }];
    const order = recalculated({ finalOrderPrice: 36.17, items });
    expect(order.lines[2]).toMatchObject({ skuId: 'new-id', quantity: '0.5', orderedQuantity: 5, totalCents: 1000 });
  });

  it('covers a SKU on several lines line by line', () => {
    const twice = { ...ORDER, lines: [aLine({ quantity: '3' }), aLine({ quantity: '5' })] };
    const items = [0.31, 0.52].map((quantity) => ({ skuExternalReference: '4711-1', quantity }));
    const { lines } = recalculated({ finalOrderPrice: 33, items }, twice);
    expect(lines.map(({ quantity }) => quantity)).toEqual(['0.31', '0.52']);
  });

  it('sets the reported final price, to the cent, for any sum of the lines', () => {
    assert(
      property(integer({ min: 0, max: 1e9 }), (cents) => {
        const reading = readPicking({ finalOrderPrice: rawNumber(centsText(cents)) }, DEFAULT_BEHAVIOUR.pickingKeys);
        const outcome = reading.kind === 'report' ? recalculateOrder(ORDER, reading.report, CATALOG, NOW) : reading;
        expect(outcome.kind === 'recalculated' && totalCents(outcome.order)).toBe(cents);
      }),
    );
  });

  it.each([
    [{}, ['FinalOrderPrice']],
    [null, ['FinalOrderPrice']],
    [{ finalOrderPrice: '12.45' }, ['FinalOrderPrice']],
    [{ finalOrderPrice: 12.455 }, ['FinalOrderPrice']],
    [{ finalOrderPrice: -1 }, ['FinalOrderPrice']],
    [{ finalOrderPrice: 1, items: null }, []],
    [{ finalOrderPrice: 1, items: {} }, ['Items']],
    [{ finalOrderPrice: 1, items: [{}] }, ['Items[0].SkuExternalReference']],
  ])('is refused as a whole: %j', (body, keys) => {
    expect(violated(body)).toEqual(keys);
  });

  it.each([
    [{ quantity: '1' }, 'Quantity'],
    [{ quantity: -1 }, 'Quantity'],
    [{ quantity: 1.5 }, 'Quantity'],
    [{ unitOfMeasure: 1 }, 'UnitOfMeasure'],
    [{ unitOfMeasure: 'Kg' }, 'UnitOfMeasure'],
    [{ price: -7.1 }, 'Price'],
    [{ total: -0.01 }, 'Total'],
    [{ skuExternalReference: 'none', quantity: 1, price: 1 }, 'SkuExternalReference'],
    [{ skuExternalReference: 'new', price: 1 }, 'Quantity'],
    [{ skuExternalReference: 'new', quantity: 1 }, 'Price'],
    [{ skuExternalReference: 'new', quantity: 1, price: 1, unitOfMeasure: 'Un' }, 'UnitOfMeasure'],
  ])('is refused with an item %j', (item, key) => {
    const items = [{ skuExternalReference: '1208-1', ...item }];
    expect(violated({ finalOrderPrice: 1, items })).toEqual([`Items[0].${key}`]);
  });
});
