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
import { PRODUCT_FIELDS } from '../dto/product-record.dto.ts';
import { SKU_FIELDS } from '../dto/sku-record.dto.ts';

const value: fc.Arbitrary<JsonValue> = fc.constantFrom<JsonValue[]>('a', '', 1, null, true, [], {});

/** What the platform would answer for a record in the input's names. */
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
  it('translates into names that the input tables have (rule 22)', () => {
    expect(PRODUCT_TRANSLATIONS.map(({ to }) => to in PRODUCT_FIELDS)).toEqual([true, true, true]);
    expect(SKU_TRANSLATIONS.map(({ to }) => to in SKU_FIELDS)).toEqual([true]);
  });

  it("takes a read model back as it is, with every value, null included, under the input's name (rules 21, 22)", () => {
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

  it("leaves a record in the input's names alone (rule 22)", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom(...Object.keys(PRODUCT_FIELDS)), value), (input) => {
        expect(translateProductNames(input)).toEqual({ record: input, erpNames: new Map(), dropped: [] });
      }),
    );
  });

  it("lets the input's own name win over the read model's, and says that the other was dropped (rule 22)", () => {
    const both = { commercialPoliticId: 'old', commercialPolicyId: 'new', brand: { externalReference: 'b' } };
    expect(translateProductNames(both)).toEqual({
      record: { commercialPolicyId: 'new', brandExternalReference: 'b' },
      erpNames: new Map([['brandExternalReference', 'brand.externalReference']]),
      dropped: ['commercialPoliticId'],
    });
  });

  it('takes a null block for a null reference, drops one without a reference, and guesses at nothing else (rule 22)', () => {
    expect(translateProductNames({ brand: null }).record).toEqual({ brandExternalReference: null });
    expect(translateProductNames({ brand: { id: 'b' } })).toMatchObject({ record: {}, dropped: ['brand'] });
    expect(translateProductNames({ brand: 'Marca' }).record).toEqual({ brand: 'Marca' });
  });

  it("gives the ERP's name for a property that the platform rejected (rule 26)", () => {
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
