import { describe, expect, it } from '@jest/globals';
import type { JsonRecord } from '@gondola/shared/json/json-digits';
import { judgedInEnglish, problemsOf } from '../../test/support/asked.ts';

const ITEM: JsonRecord = {
  skuExternalReference: '4711-1',
  outcome: 'picked',
  quantity: { value: '0.312', unit: 'Kg' },
  unitPrice: '39.90',
  total: '12.45',
};

const UNITS = { KG: 'Kg' } as const;

function command(items: readonly JsonRecord[], more: JsonRecord = {}): JsonRecord {
  return { commandId: 'c-1', command: 'ReportPicking', orderNumber: 7, finalOrderPrice: '187.45', items, ...more };
}

function read(items: readonly JsonRecord[]) {
  return judgedInEnglish(command(items), UNITS);
}

function published(items: readonly JsonRecord[], more: JsonRecord = {}): [string, string][] {
  return problemsOf(command(items, more), UNITS);
}

describe('ReportPicking', () => {
  it('is read with its lines, numbers as they came (rule 21)', () => {
    expect(read([ITEM, { skuExternalReference: '4712-1', outcome: 'missing', line: 2 }])).toMatchObject({
      kind: 'valid',
      asked: {
        finalOrderPrice: 187.45,
        items: [
          { ...ITEM, line: null, substitutes: null },
          {
            skuExternalReference: '4712-1',
            line: 2,
            outcome: 'missing',
            substitutes: null,
            quantity: null,
            unitPrice: null,
            total: null,
          },
        ],
      },
    });
  });

  it("takes the tenant's own names of units, as on products (rule 20)", () => {
    const reading = read([{ ...ITEM, quantity: { value: '1', unit: 'KG' } }]);
    expect(reading).toMatchObject({ kind: 'valid', asked: { items: [{ quantity: { value: '1', unit: 'Kg' } }] } });
    expect(read([{ ...ITEM, quantity: { value: '1', unit: 'CX' } }])).toMatchObject({
      errors: [{ code: 'UNIT_UNKNOWN', skuExternalReference: '4711-1', hint: 'Known units: Un, Kg, G, Mg, KG.' }],
    });
  });

  it.each<[string, JsonRecord[], JsonRecord, [string, string][]]>([
    ['no items', [], {}, []],
    ['a price with a third decimal', [ITEM], { finalOrderPrice: '1.234' }, [['finalOrderPrice', 'TOO_MANY_DECIMALS']]],
    ['no price', [ITEM], { finalOrderPrice: null }, [['finalOrderPrice', 'FIELD_REQUIRED']]],
    ['a unit price with a third decimal', [{ ...ITEM, unitPrice: '7.155' }], {}, []],
    ['an unknown outcome', [{ ...ITEM, outcome: 'PICKED' }], {}, [['items[0].outcome', 'FIELD_TYPE']]],
    ['an unknown key', [ITEM, { ...ITEM, line: 2, price: 1 }], {}, [['items[1].price', 'FIELD_UNKNOWN']]],
    ['a line that is none', [{ ...ITEM, line: 0 }], {}, [['items[0].line', 'LIMIT']]],
    [
      'half a unit',
      [{ ...ITEM, quantity: { value: '0.5', unit: 'Un' } }],
      {},
      [['items[0].quantity.value', 'FIELD_TYPE']],
    ],
    ['two units', [{ ...ITEM, quantity: { value: 2, unit: 'Un' } }], {}, []],
    [
      'a quantity without unit',
      [{ ...ITEM, quantity: { value: 2 } }],
      {},
      [['items[0].quantity.unit', 'FIELD_REQUIRED']],
    ],
    [
      'a negative weight',
      [{ ...ITEM, quantity: { value: '-1', unit: 'Kg' } }],
      {},
      [['items[0].quantity.value', 'LIMIT']],
    ],
    [
      'nothing picked',
      [{ ...ITEM, quantity: { value: '0.00', unit: 'Kg' } }],
      {},
      [['items[0].quantity.value', 'LIMIT']],
    ],
    ['something missing', [{ ...ITEM, outcome: 'missing' }], {}, [['items[0].quantity.value', 'LIMIT']]],
    [
      'a substitute for nothing',
      [{ ...ITEM, outcome: 'substitute' }],
      {},
      [['items[0].substitutes', 'FIELD_REQUIRED']],
    ],
    ['a SKU twice', [ITEM, ITEM], {}, [['items[1].line', 'SKU_AMBIGUOUS']]],
    [
      'a line twice',
      [
        { ...ITEM, line: 1 },
        { ...ITEM, line: 1, outcome: 'picked' },
      ],
      {},
      [['items[1].line', 'SKU_AMBIGUOUS']],
    ],
    [
      'a SKU on two lines',
      [
        { ...ITEM, line: 1 },
        { ...ITEM, line: 2 },
      ],
      {},
      [],
    ],
    ['a SKU ordered and substituting', [ITEM, { ...ITEM, outcome: 'substitute', substitutes: '4712-1' }], {}, []],
  ])('with %s', (_, items, more, expected) => {
    expect(published(items, more)).toEqual(expected);
  });

  it('is invalid when its items are no list of objects', () => {
    for (const items of [[1], 'x', {}, null]) {
      expect(published([], { items })).toEqual([['items', items === null ? 'FIELD_REQUIRED' : 'FIELD_TYPE']]);
    }
  });
});
