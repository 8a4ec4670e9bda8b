import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { stringifyWithDigits, type JsonRecord } from '../json/json-digits.ts';
import { PICKING_OUTCOMES, type PickedLine, pickingItem } from './picking-items.ts';

const LINE: PickedLine = {
  skuExternalReference: '4711-1',
  line: null,
  outcome: 'picked',
  substitutes: null,
  quantity: { value: '0.312', unit: 'Kg' },
  unitPrice: '39.90',
  total: '12.45',
};
const short = (lines: readonly PickedLine[]) =>
  lines
    .map(pickingItem)
    .map(({ skuExternalReference, outcome, quantity, total }) => [
      skuExternalReference,
      outcome,
      stringifyWithDigits({ quantity, total } as JsonRecord),
    ]);

describe('what was picked, as items to post', () => {
  it('tells what is missing as nothing', () => {
    expect(short([{ ...LINE, outcome: 'missing', quantity: null, total: null }])).toEqual([
      ['4711-1', 'missing', '{"quantity":0,"total":0}'],
    ]);
  });

  it('keeps the digits of any amount and the order of the lines (rule 21)', () => {
    const decimal = fc.tuple(fc.bigInt(0n, 10n ** 20n), fc.stringMatching(/^\d{1,6}$/)).map((parts) => parts.join('.'));
    const line = fc.record({
      outcome: fc.constantFrom(...PICKING_OUTCOMES.filter((outcome) => outcome !== 'missing')),
      value: decimal,
      unitPrice: decimal,
      total: decimal,
    });
    fc.assert(
      fc.property(fc.array(line, { maxLength: 5 }), (lines) => {
        const picked = lines.map(({ value, ...rest }): PickedLine => ({
          ...LINE,
          ...rest,
          quantity: { value, unit: 'Kg' },
        }));
        const items = picked
          .map(pickingItem)
          .map(({ quantity, price, total }) => stringifyWithDigits([quantity ?? null, price ?? null, total ?? null]));
        expect(items).toEqual(lines.map(({ value, unitPrice, total }) => `[${value},${unitPrice},${total}]`));
      }),
    );
  });
});
