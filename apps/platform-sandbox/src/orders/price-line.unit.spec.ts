import { describe, expect, it } from '@jest/globals';
import { aLine, aProduct, aSku } from '../../test/support/orders.ts';
import { priceLine } from './price-line.ts';

describe('pricing a basket item', () => {
  it('counts a weighable item in rounded multiples of its factor, and charges the real weight', () => {
    expect(aLine({ quantity: '0.312', unitPrice: '39.90' })).toMatchObject({
      orderedQuantity: 3,
      totalCents: 1245,
      stepPriceCents: 399,
      quantity: '0.312',
      arithmeticFactor: '0.1',
    });
  });

  it('reads a whole number as sale steps of the customer: 3 of 0.1 Kg are 0.3 Kg', () => {
    expect(aLine({ quantity: '3', unitPrice: '39.90' })).toMatchObject({
      orderedQuantity: 3,
      quantity: '0.3',
      totalCents: 1197,
    });
  });

  it('charges ten chosen steps of 0.1 Kg like one whole kilo', () => {
    expect(aLine({ quantity: '10', unitPrice: '39.90' })).toMatchObject({
      orderedQuantity: 10,
      quantity: '1',
      totalCents: 3990,
    });
  });

  it.each([
    ['0.349', 3],
    ['0.35', 4],
    ['0.01', 1],
    ['1e-1', 1],
  ])('rounds %s Kg at a factor of 0.1 to %d multiples, at least one', (quantity, multiples) => {
    expect(aLine({ quantity }).orderedQuantity).toBe(multiples);
  });

  it('rounds half a cent up: 0.125 Kg at 0.20 is 0.03', () => {
    expect(aLine({ quantity: '0.125', unitPrice: '0.20' }).totalCents).toBe(3);
  });

  it('takes a price with more decimals than a cent has, as that of a gram', () => {
    const gram = { unitOfMeasurement: 'G', arithmeticFactor: 100 };
    expect(aLine({ quantity: '312.5', unitPrice: '0.0399' }, gram)).toMatchObject({
      unitPriceCents: 3.99,
      stepPriceCents: 399,
      totalCents: 1247,
    });
  });

  it('computes in decimals where floats err: 3 at 19.99 is 59.97', () => {
    const unit = { unitOfMeasurement: 'Un', arithmeticFactor: null };
    expect(aLine({ quantity: '3', unitPrice: '19.99' }, unit)).toMatchObject({ totalCents: 5997, orderedQuantity: 3 });
  });

  it.each([
    ['unit', '1.5', '1.00', { unitOfMeasurement: 'Un' }],
    ['zero', '0', '1.00', {}],
    ['negative', '-1', '1.00', {}],
    ['no number', 'three', '1.00', {}],
  ])('refuses a quantity or price that cannot be bought: %s', (_case, quantity, unitPrice, fields) => {
    const sku = aSku(fields);
    const item = { skuExternalReference: '4711-1', quantity, unitPrice };
    expect(priceLine(item, aProduct([sku]), sku).kind).toBe('invalid');
  });

  it('sells a weighable item without a factor in whole units of measure', () => {
    expect(aLine({ quantity: '2.6' }, { arithmeticFactor: null })).toMatchObject({
      orderedQuantity: 3,
      quantity: '2.6',
    });
    expect(aLine({ quantity: '2' }, { arithmeticFactor: null })).toMatchObject({ orderedQuantity: 2, quantity: '2' });
  });
});
