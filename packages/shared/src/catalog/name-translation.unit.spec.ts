import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import type { JsonRecord, JsonValue } from '../json/json-digits.ts';
import {
  PRODUCT_TRANSLATIONS,
  SKU_TRANSLATIONS,
  fieldOfProperty,
  translateProductNames,
  translateSkuNames,
} from './name-translation.ts';
import { PRODUCT_FIELDS } from './product-record.dto.ts';
import { SKU_FIELDS } from './sku-record.dto.ts';

const value: fc.Arbitrary<JsonValue> = fc.constantFrom<JsonValue[]>('a', '', 1, null, true, [], {});

/** The platform's read model of a record with input names. */
function asReadModel(record: JsonRecord): JsonRecord {
  const { commercialPolicyId, brandExternalReference, categoryExternalReference, ...rest } = record;
  return {
    ...rest,
    ...(commercialPolicyId !== undefined && { commercialPoliticId: commercialPolicyId }),
    ...(brandExternalReference !== undefined && { brand: { id: 'b', externalReference: brandExternalReference } }),
    ...(categoryExternalReference !== undefined && { category: { externalReference: categoryExternalReference } }),
  };
}

describe('name translation', () => {
  it('translates to names of the input tables (rule 22)', () => {
    expect(PRODUCT_TRANSLATIONS.map(({ to }) => to in PRODUCT_FIELDS)).toEqual([true, true, true]);
    expect(SKU_TRANSLATIONS.map(({ to }) => to in SKU_FIELDS)).toEqual([true]);
  });

  it("puts every value of a read model, null included, under the input's name (rules 21, 22)", () => {
    const record = fc.dictionary(fc.constantFrom(...Object.keys(PRODUCT_FIELDS)), value);
    fc.assert(
      fc.property(record, (input) => {
        const translated = translateProductNames({ ...asReadModel(input), id: 'p', hasImage: true });
        expect(translated.record).toEqual(input);
        expect(translated.dropped).toEqual(['id', 'hasImage']);
      }),
    );
    const sku = translateSkuNames({ id: 's', unitOfMeasure: 'Kg', active: true, ean: null });
    expect(sku.record).toEqual({ unitOfMeasurement: 'Kg', ean: null });
    expect(sku.dropped).toEqual(['id', 'active']);
    expect(sku.erpNames).toEqual(new Map([['unitOfMeasurement', 'unitOfMeasure']]));
  });

  it("does not change a record in the input's names (rule 22)", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom(...Object.keys(PRODUCT_FIELDS)), value), (input) => {
        expect(translateProductNames(input)).toEqual({ record: input, erpNames: new Map(), dropped: [] });
      }),
    );
  });

  it("prefers the input's own name to the read model's, and lists the dropped one (rule 22)", () => {
    const both = { commercialPoliticId: 'old', commercialPolicyId: 'new', brand: { externalReference: 'b' } };
    expect(translateProductNames(both)).toEqual({
      record: { commercialPolicyId: 'new', brandExternalReference: 'b' },
      erpNames: new Map([['brandExternalReference', 'brand.externalReference']]),
      dropped: ['commercialPoliticId'],
    });
  });

  it('reads a null block as a null reference, drops one without a reference, and guesses nothing else (rule 22)', () => {
    expect(translateProductNames({ brand: null }).record).toEqual({ brandExternalReference: null });
    expect(translateProductNames({ brand: { id: 'b' } })).toMatchObject({ record: {}, dropped: ['brand'] });
    expect(translateProductNames({ brand: 'Marca' }).record).toEqual({ brand: 'Marca' });
  });

  it("returns the ERP's name of a property that the platform rejected (rule 26)", () => {
    expect(['Name', 'EAN', 'Reference', 'ManufacturerCode'].map((name) => fieldOfProperty(name, 'sku'))).toEqual([
      'name',
      'ean',
      'reference',
      'manufacturerCode',
    ]);
    expect(fieldOfProperty('CommercialPolicyId', 'product')).toBe('commercialPolicyId');
    expect(fieldOfProperty('SimilarTerms', 'brand')).toBe('similarTerms');
    expect(fieldOfProperty('ParentExternalReference', 'category')).toBe('parentExternalReference');
    expect(fieldOfProperty('Something.Else', 'sku')).toBe('Something.Else');
  });
});
