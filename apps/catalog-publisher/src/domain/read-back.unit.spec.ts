import { describe, expect, it } from '@jest/globals';
import type { JsonRecord } from '@gondola/shared/json-digits';
import { fullProduct, fullSku, POLICY } from '../testing/products.ts';
import { isAsAsked } from './read-back.ts';

/** The read model of the full product, with the platform's own names (platform-api.md, "Product read model"). */
function readModel(more: JsonRecord = {}, sku: JsonRecord = {}): JsonRecord {
  const { commercialPolicyId: _, skus: __, ...same } = fullProduct();
  const { unitOfMeasurement: ___, arithmeticFactor: ____, ...sameSku } = fullSku();
  return {
    ...same,
    id: '0b000000-0000-4000-8000-000000000001',
    commercialPoliticId: POLICY,
    brand: { id: '0b000000-0000-4000-8000-000000000002', name: 'Marca', externalReference: 'M1' },
    category: null,
    skus: [
      {
        ...sameSku,
        id: '0b000000-0000-4000-8000-000000000003',
        unitOfMeasure: 'Kg',
        arrivalDate: '2026-01-01T00:00:00',
        ...sku,
      },
    ],
    ...more,
  };
}

describe('a product that is read back', () => {
  it('is as asked under the names that the read model has (rules 22, 27)', () => {
    expect(isAsAsked(fullProduct({ brandExternalReference: 'M1', categoryExternalReference: null }), readModel())).toBe(
      true,
    );
  });

  it.each<[string, JsonRecord, JsonRecord]>([
    ['another name', { name: 'Outro nome' }, {}],
    ['another policy', { commercialPoliticId: '0b000000-0000-4000-8000-000000000009' }, {}],
    ['another brand', { brand: null }, {}],
    ['a SKU of another unit', {}, { unitOfMeasure: 'Un' }],
    ['a SKU of another weight', {}, { weightReal: 2 }],
    ['no such SKU', {}, { externalReference: '4711-9' }],
  ])('is not with %s (rule 27)', (_what, product, sku) => {
    expect(isAsAsked(fullProduct({ brandExternalReference: 'M1' }), readModel(product, sku))).toBe(false);
  });

  it('is judged by what can be read alone', () => {
    expect(
      isAsAsked(
        { externalReference: '4711', skus: [{ externalReference: '4711-1', exhibitionBadge1: 'novo' }] },
        readModel(),
      ),
    ).toBe(true);
  });

  it('may give a number as text', () => {
    expect(isAsAsked(fullProduct(), readModel({}, { weightReal: '1.0' }))).toBe(true);
  });
});
