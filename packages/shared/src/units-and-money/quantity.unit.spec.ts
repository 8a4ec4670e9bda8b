import { describe, expect, it } from '@jest/globals';
import { Big } from 'big.js';
import * as fc from 'fast-check';
import { parseWithDigits } from '../json/json-digits.ts';
import { approximateWeight, quantityText } from './quantity.ts';

describe('quantity', () => {
  it.each([
    ['0.300', '0.3'],
    ['1.0', '1'],
    ['100', '100'],
    ['-0', '0'],
    ['1e-7', '0.0000001'],
    ['3.120e2', '312'],
  ])('writes %s as %s: no trailing zeros, no exponent', (token, text) => {
    expect(quantityText(parseWithDigits(token))).toBe(text);
  });

  it('keeps the value of any decimal and ends in no zero after the point', () => {
    const token = fc.stringMatching(/^(0|[1-9]\d{0,8})(\.\d{1,9})?$/);
    fc.assert(
      fc.property(token, (text) => {
        const written = quantityText(parseWithDigits(text)) ?? 'none';
        expect(new Big(written).eq(text)).toBe(true);
        expect(written).not.toMatch(/\.\d*0$|\.$/);
      }),
    );
  });

  it('multiplies in decimals: 3 × 0.1 Kg is 0.3 Kg, not 0.30000000000000004 (rule 12)', () => {
    expect(approximateWeight({ orderedQuantity: 3, arithmeticFactor: 0.1, unitOfMeasure: 'Kg' })).toEqual({
      value: '0.3',
      unit: 'Kg',
    });
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 10_000 }), fc.integer({ min: 1, max: 100_000 }), (ordered, factor) => {
        const thousandths = new Big(factor).div(1000).toFixed();
        const weight = approximateWeight({
          orderedQuantity: ordered,
          arithmeticFactor: thousandths,
          unitOfMeasure: 'G',
        });
        expect(new Big(weight?.value ?? 'none').times(1000).eq(ordered * factor)).toBe(true);
      }),
    );
  });

  it('knows no weight of a unit item, nor where a part is missing (rule 12)', () => {
    const item = { orderedQuantity: 3, arithmeticFactor: 0.1, unitOfMeasure: 'Kg' };
    expect(approximateWeight({ ...item, unitOfMeasure: 'Un' })).toBeNull();
    expect(approximateWeight({ ...item, unitOfMeasure: 'L' })).toBeNull();
    expect(approximateWeight({ ...item, arithmeticFactor: null })).toBeNull();
    expect(approximateWeight({ ...item, orderedQuantity: undefined })).toBeNull();
  });
});
