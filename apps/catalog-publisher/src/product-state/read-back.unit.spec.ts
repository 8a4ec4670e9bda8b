import { describe, expect, it } from '@jest/globals';
import type { JsonRecord } from '@gondola/shared/json/json-digits';
import { fullProduct, fullSku, POLICY } from '../../test/support/product-samples.ts';
import { afterApplying, NOTHING_APPLIED } from './applied-product.ts';
import { compareRead } from './read-back.ts';

/** The read model of the full product, with the platform's own names (docs/platform.md, "Product read model"). */
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

const verdict = (body: JsonRecord, read: JsonRecord, applied = NOTHING_APPLIED) => compareRead(body, applied, read);

describe('a product that is read back', () => {
  it('matches the record under the names of the read model (rules 22, 27)', () => {
    const asked = fullProduct({ brandExternalReference: 'M1', categoryExternalReference: null });
    expect(verdict(asked, readModel())).toBe('as-asked');
  });

  it.each<[string, JsonRecord, JsonRecord]>([
    ['another name', { name: 'Outro nome' }, {}],
    ['another policy', { commercialPoliticId: '0b000000-0000-4000-8000-000000000009' }, {}],
    ['another brand', { brand: null }, {}],
    ['a SKU of another unit', {}, { unitOfMeasure: 'Un' }],
    ['a SKU of another weight', {}, { weightReal: 2 }],
    ['no such SKU', {}, { externalReference: '4711-9' }],
  ])('is not with %s (rule 27)', (_what, product, sku) => {
    expect(verdict(fullProduct({ brandExternalReference: 'M1' }), readModel(product, sku))).toBe('differs');
  });

  it('is undecided where all that was to change, of the product or of a SKU, cannot be read (rule 27)', () => {
    const badge = { externalReference: '4711-1', exhibitionBadge1: 'novo' };
    const applied = afterApplying(NOTHING_APPLIED, fullProduct(), new Set(['4711-1']));
    expect(verdict({ externalReference: '4711', skus: [badge] }, readModel(), applied)).toBe('cannot-tell');
    const both = { externalReference: '4711', name: 'Novo', skus: [badge] };
    expect(verdict(both, readModel({ name: 'Novo' }), applied)).toBe('cannot-tell');
    expect(verdict({ ...both, skus: [] }, readModel({ name: 'Novo' }), applied)).toBe('as-asked');
    const readable = { externalReference: '4711', skus: [{ ...badge, weightReal: 2 }] };
    expect(verdict(readable, readModel({}, { weightReal: 2 }), applied)).toBe('as-asked');
  });

  it('matches the record if nothing had to change and the record was forced', () => {
    const applied = afterApplying(NOTHING_APPLIED, fullProduct(), new Set(['4711-1']));
    expect(verdict(fullProduct(), readModel(), applied)).toBe('as-asked');
  });

  it('may give a number as text', () => {
    expect(verdict(fullProduct(), readModel({}, { weightReal: '1.0' }))).toBe('as-asked');
  });
});
