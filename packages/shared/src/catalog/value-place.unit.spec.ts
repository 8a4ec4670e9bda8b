import { describe, expect, it } from '@jest/globals';
import { assert, constantFrom, option, property, record as recordOf, string } from 'fast-check';
import type { JsonRecord } from '../json/json-digits.ts';
import type { ValueKind } from '../topics/values.ts';
import {
  contradictions,
  placeFromText,
  type PlaceNames,
  placeText,
  valueIdentity,
  valuePlace,
  withoutAliases,
} from './value-place.ts';

const RETAIL = '6f1c0d6e-0000-4000-8000-000000000001';
const OTHER = '6f1c0d6e-0000-4000-8000-00000000000a';
const NAMES: Readonly<Record<ValueKind, PlaceNames>> = {
  price: { fields: { skuId: '<SKU_ID>', commercialPolicyId: '<POLICY>' }, policies: { varejo: RETAIL } },
  stock: { fields: { skuId: '<SKU_ID>', warehouseId: '<WAREHOUSE>' }, policies: {} },
  warehouse: { fields: {}, policies: {} },
};

const identity = (kind: ValueKind, record: JsonRecord, names = NAMES[kind]): string => {
  const { externalReference } = record;
  const reference = typeof externalReference === 'string' ? externalReference : 's';
  return valueIdentity(kind, record, valuePlace(record, reference, names), names);
};
const stock = (record: JsonRecord): string => identity('stock', record);
const price = (record: JsonRecord): string => identity('price', record);

const warehouse = (externalReference: string, data: JsonRecord, names = NAMES.warehouse) =>
  identity('warehouse', { externalReference, data }, names);

const at = (place: string, value: string): string =>
  stock(place === 'beside' ? { warehouse: value, data: {} } : { data: { warehouseId: value } });

const found = (kind: ValueKind, record: JsonRecord, skuId: string | null = null) =>
  contradictions(kind, record, NAMES[kind], skuId).map(({ field, other, expected }) => [field, other, expected]);

describe('the identity of a value is the one that the platform sees', () => {
  it('in a warehouse that the record names beside data, inside it, or both, in the names of the profile (rule 30)', () => {
    const lane = 's/warehouse=loja-03';
    expect(stock({ warehouse: 'loja-03', data: {} })).toBe(lane);
    expect(stock({ data: { warehouseId: 'loja-03 ' } })).toBe(lane);
    expect(stock({ warehouse: 'loja-03', data: { warehouseId: 'loja-03' } })).toBe(lane);
    expect(stock({ data: { warehouseId: 7 } })).toBe(stock({ data: { warehouseId: '7' } }));
    expect(
      identity('stock', { data: { lojaDoErp: 'a' } }, { fields: { lojaDoErp: '<WAREHOUSE>' }, policies: {} }),
    ).toBe(identity('stock', { warehouse: 'a', data: {} }));
  });

  it('in a warehouse that data names in a usual way which the profile does not have (rule 30)', () => {
    const names = [
      'warehouse',
      'warehouseExternalReference',
      'storeId',
      'store_id',
      'LojaId',
      'idLoja',
      'codigo_da_filial',
    ];
    for (const key of names) {
      const [one, other] = [1, 2].map((n) => stock({ data: { [key]: `loja-${n}`, quantity: 3 } }));
      expect(one).not.toBe(other);
    }
    for (const key of ['storeName', 'warehouses', 'reference', 'price']) {
      expect(stock({ data: { [key]: 'one' } })).toBe(stock({ data: { [key]: 'other' } }));
    }
    // The name beside data counts only where the platform sees none.
    expect(stock({ warehouse: 'x', data: { storeId: '1' } })).not.toBe(
      stock({ warehouse: 'x', data: { storeId: '2' } }),
    );
  });

  it('in a policy under its alias, its GUID, upper or lower case, beside data or inside it (rules 23, 30)', () => {
    const lane = `s/policy=${RETAIL}`;
    for (const policy of ['varejo', RETAIL, RETAIL.toUpperCase()]) {
      expect(price({ policy, data: {} })).toBe(lane);
      expect(price({ data: { commercialPolicyId: policy } })).toBe(lane);
    }
    expect(price({ policy: 'atacado', data: {} })).not.toBe(lane);
    expect(withoutAliases({ commercialPolicyId: 'varejo', price: 1 }, NAMES.price)).toEqual({
      commercialPolicyId: RETAIL,
      price: 1,
    });
  });

  it('of a warehouse by its documented id, else by its reference (rule 30)', () => {
    expect(warehouse('cd', { id: 7 })).toBe(warehouse('other', { id: '7' }));
    expect(warehouse('cd', { id: 7 })).not.toBe(warehouse('cd', { id: 8 }));
    expect(warehouse('7', {})).not.toBe(warehouse('cd', { id: 7 }));
    const filled = { fields: { id: '<WAREHOUSE>' }, policies: {} };
    expect(warehouse('7', {}, filled)).toBe(warehouse('7', { id: 7 }, filled));
  });

  it('is never shared by two warehouses or policies, whatever characters they have and wherever they stand (rule 30)', () => {
    const text = string({ unit: 'grapheme', minLength: 1, maxLength: 5 }).map((each) => `x${each}x`);
    const where = constantFrom('beside', 'inside');
    assert(
      property(text, text, where, where, (one, other, first, second) => {
        expect(at(first, one) === at(second, other)).toBe(one === other);
      }),
    );
  });

  it('is a text that says its place again', () => {
    const text = string({ unit: 'grapheme', minLength: 1, maxLength: 5 }).filter((each) => each.isWellFormed());
    assert(
      property(recordOf({ externalReference: text, warehouse: option(text), policy: option(text) }), (each) => {
        const place = valuePlace(each, each.externalReference, NAMES.stock);
        expect(placeFromText(placeText(place))).toEqual(place);
      }),
    );
  });
});

describe('a record whose data says otherwise than the record beside it', () => {
  it('names both, and one that says the same in another way contradicts nothing (rule 30)', () => {
    expect(found('stock', { warehouse: 'a', data: { warehouseId: 'b' } })).toEqual([
      ['data.warehouseId', 'warehouse', 'a'],
    ]);
    expect(found('price', { policy: 'varejo', data: { commercialPolicyId: OTHER } })).toHaveLength(1);
    expect(found('price', { policy: 'varejo', data: { commercialPolicyId: RETAIL.toUpperCase() } })).toEqual([]);
    expect(found('stock', { warehouse: '7', data: { warehouseId: 7 } })).toEqual([]);
    expect(found('price', { data: { skuId: OTHER } }, RETAIL)).toEqual([['data.skuId', 'externalReference', RETAIL]]);
    expect(found('price', { data: { skuId: OTHER } })).toEqual([]);
  });
});
