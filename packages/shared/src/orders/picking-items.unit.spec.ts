import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { stringifyWithDigits, type JsonRecord } from '../json/json-digits.ts';
import { PICKING_OUTCOMES, type PickedLine, pickingItems } from './picking-items.ts';

const LINE: PickedLine = {
  skuExternalReference: '4711-1',
  line: null,
  outcome: 'picked',
  substitutes: null,
  quantity: { value: '0.312', unit: 'Kg' },
  unitPrice: '39.90',
  total: '12.45',
};
const SUBSTITUTE: PickedLine = {
  ...LINE,
  skuExternalReference: '4712-1',
  outcome: 'substitute',
  substitutes: '4711-1',
};

const short = (lines: readonly PickedLine[]) =>
  pickingItems(lines).map(({ skuExternalReference, outcome, quantity, total }) => [
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

  it('tells a replaced line as nothing, unless the command tells it itself', () => {
    const substitute = ['4712-1', 'substitute', '{"quantity":0.312,"total":12.45}'];
    expect(short([SUBSTITUTE])).toEqual([substitute, ['4711-1', 'missing', '{"quantity":0,"total":0}']]);
    expect(short([LINE, SUBSTITUTE])).toEqual([['4711-1', 'picked', '{"quantity":0.312,"total":12.45}'], substitute]);
  });

  it('tells the replaced one of two lines with the same SKU as nothing', () => {
    const [first, second] = [
      { ...LINE, line: 1 },
      { ...SUBSTITUTE, line: 2 },
    ];
    expect(pickingItems([first, second])).toMatchObject([
      { skuExternalReference: '4711-1', line: 1, outcome: 'picked' },
      { skuExternalReference: '4712-1', line: 2, outcome: 'substitute' },
      { skuExternalReference: '4711-1', line: 2, outcome: 'missing', quantity: 0, total: 0 },
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
        const items = pickingItems(picked).map(({ quantity, price, total }) =>
          stringifyWithDigits([quantity ?? null, price ?? null, total ?? null]),
        );
        expect(items).toEqual(lines.map(({ value, unitPrice, total }) => `[${value},${unitPrice},${total}]`));
      }),
    );
  });
});
