import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { readCatalogRecord } from './catalog-record.ts';
import { type JsonRecord, type JsonValue, parseWithDigits, stringifyWithDigits } from '../json/json-digits.ts';
import { PRODUCT_FIELDS } from './product-record.dto.ts';
import { SKU_FIELDS } from './sku-record.dto.ts';
import { prepareProduct } from './product-record.ts';
import { CREATE, FULL_PRODUCT, FULL_SKU, UPDATE, errorsOf, listed, withSku } from '../testing/catalog-samples.ts';

describe('product record', () => {
  it('posts a complete record unchanged (rule 21)', () => {
    const prepared = prepareProduct(FULL_PRODUCT, CREATE);
    expect(prepared).toEqual({ body: FULL_PRODUCT, isFilled: false, errors: [], warnings: [] });
    expect(stringifyWithDigits(prepared.body)).toBe(JSON.stringify(FULL_PRODUCT));
  });

  it("posts numbers with the ERP's digits, given as numbers or as text (rule 21)", () => {
    const text =
      '{"externalReference":"4711","skus":[{"externalReference":"4711-1","weightReal":"0.10","weight":1.50,"arithmeticFactor":"0.1"}]}';
    const { body, errors } = prepareProduct(parseWithDigits(text) as JsonRecord, UPDATE);
    expect(errors).toEqual([]);
    expect(stringifyWithDigits(body)).toBe(
      '{"externalReference":"4711","skus":[{"externalReference":"4711-1","weightReal":0.10,"weight":1.50,"arithmeticFactor":0.1}]}',
    );
  });

  it('posts exactly the received keys, nulls as nulls, for any set of them (rule 21)', () => {
    const optional = { arithmeticFactor: null, weight: 2, exhibitionBadge1: '', exhibitionBadge2: null } as const;
    const subset = fc.subarray(Object.keys(optional) as (keyof typeof optional)[]);
    fc.assert(
      fc.property(subset, fc.boolean(), (keys, withSkus) => {
        const sku = Object.fromEntries(keys.map((key) => [key, optional[key]]));
        const content = withSkus ? withSku(sku) : { externalReference: '4711', characteristics: null };
        const prepared = prepareProduct(content, UPDATE);
        expect(prepared.errors).toEqual([]);
        expect(stringifyWithDigits(prepared.body)).toBe(JSON.stringify(content));
      }),
    );
  });

  it('posts plain objects, and does not change its input (rule 21)', () => {
    const content = withSku({ unitOfMeasure: 'Kg', weight: '1.0' });
    const before = structuredClone(content);
    const { body } = prepareProduct(content, UPDATE);
    expect(Object.getPrototypeOf(body)).toBe(Object.prototype);
    expect(content).toEqual(before);
  });

  it('accepts a read model and lists the dropped fields (rules 20, 22)', () => {
    const { slug, ...product } = FULL_PRODUCT;
    const { unitOfMeasurement, ...sku } = FULL_SKU;
    const readModel = {
      ...product,
      slug: slug ?? null,
      commercialPoliticId: product['commercialPolicyId'] ?? null,
      brand: { id: 'b', name: 'Marca', externalReference: 'm-1' },
      brandId: 'b',
      id: 'p',
      hasImage: false,
      updatedAt: '2026-11-20T10:00:00',
      skus: [{ ...sku, unitOfMeasure: unitOfMeasurement ?? null, id: 's', active: true }],
    };
    const { body, errors, warnings } = prepareProduct(readModel, UPDATE);
    expect(errors).toEqual([]);
    expect(body).toEqual({ ...FULL_PRODUCT, brandExternalReference: 'm-1' });
    expect(listed(warnings)).toEqual([
      ['commercialPoliticId', 'FIELD_READ_ONLY'],
      ['brandId', 'FIELD_READ_ONLY'],
      ['id', 'FIELD_READ_ONLY'],
      ['hasImage', 'FIELD_READ_ONLY'],
      ['updatedAt', 'FIELD_READ_ONLY'],
      ['id', 'FIELD_READ_ONLY', '4711-1'],
      ['active', 'FIELD_READ_ONLY', '4711-1'],
    ]);
  });

  it('has one error for a wrong field, and none for fields derived from it (rules 20, 23)', () => {
    const product = {
      slug: { from: 'nameAndReference' },
      shortDescription: { from: 'title' },
      longDescription: { from: 'title' },
    } as const;
    const context = { ...CREATE, defaults: { product, sku: { name: { from: 'productName' } } as const } };
    const { name: _name, slug: _slug, shortDescription: _short, longDescription: _long, ...rest } = FULL_PRODUCT;
    const { name: _skuName, ...sku } = FULL_SKU;
    expect(errorsOf({ ...rest, skus: [sku] }, context)).toEqual([['name', 'FIELD_REQUIRED']]);
    expect(errorsOf({ ...rest, name: 'Queijo', title: 'Q', skus: [sku] }, context)).toEqual([['title', 'LIMIT']]);
    // A value from the ERP, and a field that no default derives, are checked on their own.
    expect(errorsOf({ ...rest, name: 'Queijo', shortDescription: 'Q' }, context)).toEqual([
      ['shortDescription', 'LIMIT'],
    ]);
    expect(errorsOf({ ...rest, skus: [sku] }, CREATE).map(([field]) => field)).toEqual([
      'name',
      'slug',
      'shortDescription',
      'longDescription',
      'name',
    ]);
  });

  it('reports errors of translated fields under the ERP’s name (rules 20, 22)', () => {
    const content = { ...withSku({ unitOfMeasure: 'Cx' }), brand: { externalReference: 'x'.repeat(31) } };
    expect(errorsOf(content)).toEqual([
      ['brand.externalReference', 'LIMIT'],
      ['unitOfMeasure', 'UNIT_UNKNOWN', '4711-1'],
    ]);
  });

  it('resolves an alias of a commercial policy, on update too, and lists the aliases for an unknown one (rule 23)', () => {
    const context = { ...UPDATE, commercialPolicies: { varejo: '6f1c0a52-8a34-4a09-9d0f-0b6a3f6d2f10' } };
    const of = (commercialPolicyId: string) =>
      prepareProduct({ externalReference: '4711', commercialPolicyId }, context);
    expect(of('varejo')).toMatchObject({
      body: { commercialPolicyId: '6f1c0a52-8a34-4a09-9d0f-0b6a3f6d2f10' },
      errors: [],
    });
    expect(of('atacado').errors).toMatchObject([{ code: 'FIELD_TYPE', hint: 'Configured aliases: varejo.' }]);
  });

  it("completes the contract's own example with the tenant's defaults, and names each of them (rule 23)", () => {
    const example = parseWithDigits(`{ "externalReference": "4711", "sourceVersion": 12, "commercialPolicyId": "varejo",
      "name": "Queijo Minas Frescal", "slug": "queijo-minas-frescal", "title": "Queijo Minas Frescal",
      "shortDescription": "Frescal", "longDescription": "Queijo minas frescal, peça", "punctuation": 10,
      "skus": [ { "externalReference": "4711-1", "ean": "7891000100103", "reference": "4711-1", "unitOfMeasurement": "Kg",
        "arithmeticFactor": "0.1" } ] }`) as JsonRecord;
    const size = { weightForFreight: '0.5', heightForFreight: 10, widthForFreight: 10, lengthForFreight: 10 };
    const real = { weightReal: '0.5', heightReal: 10, widthReal: 10, lengthReal: 10 };
    const { body, errors, warnings } = prepareProduct(readCatalogRecord(example, 'en').content, {
      ...CREATE,
      commercialPolicies: { varejo: '6f1c0a52-8a34-4a09-9d0f-0b6a3f6d2f10' },
      defaults: {
        sku: { ...size, ...real, name: { from: 'productName' }, arrivalDate: '2026-01-01', manufacturerCode: 'N/A' },
      },
    });
    expect(errors).toEqual([]);
    expect(warnings).toEqual([
      {
        field:
          'skus[].weightForFreight, skus[].heightForFreight, skus[].widthForFreight, skus[].lengthForFreight, skus[].weightReal, ' +
          'skus[].heightReal, skus[].widthReal, skus[].lengthReal, skus[].name, skus[].arrivalDate, skus[].manufacturerCode',
        code: 'DEFAULT_APPLIED',
        message: expect.stringMatching(/^Filled from the tenant's configuration: skus\[\]\.weightForFreight, /),
      },
      { field: 'categoryExternalReference', code: 'CATEGORY_MISSING', message: expect.any(String) },
    ]);
    expect(body).toMatchObject({
      skus: [{ name: 'Queijo Minas Frescal', weightReal: 0.5, heightReal: 10, arithmeticFactor: 0.1 }],
    });
  });

  it('never throws, for any record', () => {
    const keys = fc.constantFrom(
      ...Object.keys(PRODUCT_FIELDS),
      ...Object.keys(SKU_FIELDS),
      'brand',
      '__proto__',
      'constructor',
    );
    const anything = fc.jsonValue({ maxDepth: 2 }) as fc.Arbitrary<JsonValue>;
    const sku = fc.dictionary(keys, anything) as fc.Arbitrary<JsonRecord>;
    const product = fc
      .tuple(fc.dictionary(keys, anything), fc.array(fc.oneof(sku, anything), { maxLength: 3 }))
      .map(([record, skus]) => ({ ...record, skus }));
    fc.assert(
      fc.property(product, fc.constantFrom(CREATE, UPDATE), (record, context) => {
        const prepared = prepareProduct(record, context);
        expect(prepared.errors.length).toBeLessThanOrEqual(101);
        expect(() => stringifyWithDigits(prepared.body)).not.toThrow();
      }),
    );
  });
});
