import { describe, expect, it } from '@jest/globals';
import { ProductRecordDto } from './product-record.dto.ts';
import { SkuRecordDto } from './sku-record.dto.ts';
import type { FieldSpec, FieldTable } from '../schemas/field.decorators.ts';
import type { JsonRecord, JsonValue } from '../json/json-digits.ts';
import { PRODUCT_FIELDS } from './product-record.dto.ts';
import { SKU_FIELDS } from './sku-record.dto.ts';
import { prepareProduct } from './product-record.ts';
import { CREATE, FULL_PRODUCT, FULL_SKU, UPDATE, errorsOf, listed, withSku } from '../testing/catalog-samples.ts';

type Level = 'product' | 'sku';

const LENGTHS = (
  [
    ['product', PRODUCT_FIELDS],
    ['sku', SKU_FIELDS],
  ] as [Level, FieldTable][]
).flatMap(([level, table]) =>
  Object.entries(table)
    .filter(([field, spec]) => spec.type === 'text' && field !== 'externalReference')
    .filter(([, { minLength, maxLength }]) => minLength !== undefined || maxLength !== undefined)
    .map(([field, spec]): [Level, string, FieldSpec] => [level, field, spec]),
);

const errorOfField = (level: Level, field: string, value: JsonValue): string | undefined => {
  const content = level === 'sku' ? withSku({ [field]: value }) : { externalReference: '4711', [field]: value };
  return errorsOf(content)[0]?.[1];
};

const required = (table: FieldTable): string[] =>
  Object.keys(table).filter((field) => table[field]?.required !== undefined);

const limits = (table: FieldTable): string =>
  Object.entries(table)
    .map(([field, { minLength = '', maxLength = '', above, min }]) =>
      above === undefined && min === undefined
        ? `${field} ${minLength}-${maxLength}`
        : `${field} ${above === undefined ? `>=${min}` : `>${above}`}`,
    )
    .filter((line) => !line.endsWith(' -'))
    .join(', ');

const warningsOf = (content: JsonRecord, context = CREATE) => listed(prepareProduct(content, context).warnings);

describe('product validation: values', () => {
  it('knows every property of the DTOs, in their order', () => {
    expect(Object.keys(new ProductRecordDto())).toEqual(Object.keys(PRODUCT_FIELDS));
    expect(Object.keys(new SkuRecordDto())).toEqual(Object.keys(SKU_FIELDS));
  });

  it('requires on create what the document requires, of the product and of each new SKU (rule 20)', () => {
    const empty = { externalReference: '4711', skus: [{ externalReference: 'novo' }] };
    expect(errorsOf(empty, CREATE)).toEqual([
      ...required(PRODUCT_FIELDS)
        .slice(1)
        .map((field) => [field, 'FIELD_REQUIRED']),
      ...required(SKU_FIELDS)
        .slice(1)
        .map((field) => [field, 'FIELD_REQUIRED', 'novo']),
    ]);
    expect(required(PRODUCT_FIELDS)).toHaveLength(8);
    expect(required(SKU_FIELDS)).toHaveLength(15);
  });

  it('checks only present keys on update (rule 20)', () => {
    expect(errorsOf({ externalReference: '4711' })).toEqual([]);
    expect(errorsOf(withSku({ manufacturerCode: 'x' }))).toEqual([]);
    expect(errorsOf({ externalReference: '4711', skus: [{ externalReference: 'novo' }] })).toHaveLength(14);
  });

  it('treats null and empty text in a required field as missing, on update too (rules 20, 21)', () => {
    for (const value of [null, '']) {
      expect(errorsOf({ externalReference: '4711', name: value })).toEqual([['name', 'FIELD_REQUIRED']]);
      expect(errorsOf(withSku({ ean: value }))).toEqual([['ean', 'FIELD_REQUIRED', '4711-1']]);
    }
    expect(errorsOf({ externalReference: '4711', brandExternalReference: null, active: null })).toEqual([]);
  });

  it.each(LENGTHS)(
    'limits the length of the %s %s, to the character (rule 20)',
    (level, field, { minLength, maxLength }) => {
      const codeFor = (length: number): string | undefined => errorOfField(level, field, 'ç'.repeat(length));
      const [shortest, longest] = [minLength ?? 1, maxLength ?? 10_000];
      expect([codeFor(shortest), codeFor(longest)]).toEqual([undefined, undefined]);
      expect(codeFor(longest + 1)).toBe(maxLength === undefined ? undefined : 'LIMIT');
      expect(codeFor(Math.max(shortest - 1, 1))).toBe(minLength === undefined ? undefined : 'LIMIT');
    },
  );

  it('has the limits of the document, which this test repeats (rule 20)', () => {
    expect(limits(PRODUCT_FIELDS)).toBe(
      'externalReference 1-60, categoryExternalReference -30, brandExternalReference -30, name 5-400, slug -400, title 3-400, ' +
        'shortDescription 3-500, longDescription 3-, ean -48, punctuation >=0',
    );
    expect(limits(SKU_FIELDS)).toBe(
      'externalReference 1-60, name -400, ean -30, reference -100, weightForFreight >0, heightForFreight >0, widthForFreight >0, ' +
        'lengthForFreight >0, weightReal >0, heightReal >0, widthReal >0, lengthReal >0, manufacturerCode -50, weight >0, ' +
        'minimumWeightForSale >0, skuPackageMinAmount >0, skuPackageMaxAmount >0, exhibitionBadge1 -15, exhibitionBadge2 -15, ' +
        'exhibitionBadge3 -15',
    );
  });

  it('refuses wrong types, and a comma with a hint (rule 20)', () => {
    expect(errorOfField('product', 'displayInSite', 'true')).toBe('FIELD_TYPE');
    expect(errorOfField('product', 'punctuation', 1.5)).toBe('FIELD_TYPE');
    expect(errorOfField('product', 'punctuation', -1)).toBe('LIMIT');
    expect(errorOfField('product', 'name', 12_345)).toBe('FIELD_TYPE');
    expect(errorOfField('product', 'skus', null)).toBe('FIELD_TYPE');
    expect(errorOfField('product', 'skus', [1])).toBe('FIELD_TYPE');
    expect(errorOfField('sku', 'arrivalDate', '20/11/2026')).toBe('FIELD_TYPE');
    expect(errorOfField('sku', 'weightReal', '0')).toBe('LIMIT');
    expect(prepareProduct(withSku({ weightReal: '1,5' }), UPDATE).errors).toEqual([
      {
        skuExternalReference: '4711-1',
        field: 'weightReal',
        code: 'FIELD_TYPE',
        message: 'The field "weightReal" must be a decimal number; it is "1,5".',
        hint: 'Use a point, not a comma, before the decimals.',
      },
    ]);
  });

  it('reports a SKU without a readable reference by its place, and a repeated one (rule 20)', () => {
    expect(errorsOf({ externalReference: '4711', skus: [FULL_SKU, { ...FULL_SKU, externalReference: 7 }] })).toEqual([
      ['skus[1].externalReference', 'FIELD_TYPE'],
    ]);
    expect(errorsOf({ externalReference: '4711', skus: [FULL_SKU, FULL_SKU] })).toEqual([
      ['externalReference', 'SKU_AMBIGUOUS', '4711-1'],
    ]);
  });

  it('lists a hundred errors of one record, and the number of further ones', () => {
    const keys = Array.from({ length: 60_000 }, (_, index) => [`x${index}`, 1]);
    const content = { externalReference: '4711', ...(Object.fromEntries(keys) as JsonRecord) };
    const { errors } = prepareProduct(content, UPDATE);
    expect(errors).toHaveLength(101);
    expect(errors.at(99)).toMatchObject({ field: 'x99', code: 'FIELD_UNKNOWN' });
    const more = { field: '', code: 'NOT_LISTED' };
    expect(errors.at(-1)).toEqual({ ...more, message: 'And 59,900 more, which are not listed.' });
    const { errors: inPortuguese } = prepareProduct(content, { ...UPDATE, language: 'pt-BR' });
    expect(inPortuguese.at(-1)).toEqual({ ...more, message: 'E mais 59.900, que não estão na lista.' });
  });

  it('lists a hundred warnings of one record, and the number of further ones', () => {
    const skus = Array.from({ length: 500 }, (_, index) => ({ ...FULL_SKU, externalReference: `${index}`, ean: '1' }));
    const { errors, warnings } = prepareProduct({ externalReference: '4711', skus }, UPDATE);
    expect([errors.length, warnings.length]).toEqual([0, 101]);
    expect(warnings.at(-1)).toMatchObject({ code: 'NOT_LISTED', message: 'And 400 more, which are not listed.' });
  });

  it('reports a list with too many SKUs as one error', () => {
    const skus = Array.from({ length: 1_001 }, () => ({}));
    expect(prepareProduct({ externalReference: '4711', skus }, UPDATE).errors).toEqual([
      {
        field: 'skus',
        code: 'LIMIT',
        message: 'The field "skus" must have at most 1,000 entries; it is a list of 1,001.',
      },
    ]);
  });
});

describe('product validation: names', () => {
  it('refuses an unknown key with the nearest known name, on either level (rule 20)', () => {
    const { errors } = prepareProduct({ ...withSku({ eam: 'x' }), tittle: 'x' }, UPDATE);
    expect(listed(errors)).toEqual([
      ['tittle', 'FIELD_UNKNOWN'],
      ['eam', 'FIELD_UNKNOWN', '4711-1'],
    ]);
    expect(errors.map(({ hint }) => hint)).toEqual([
      'The nearest known name is "title".',
      'The nearest known name is "ean".',
    ]);
  });

  it('points to the topic that a price or a stock belongs to (rule 20)', () => {
    const { errors } = prepareProduct({ ...withSku({ estoque: 3 }), price: 10 }, { ...UPDATE, language: 'pt-BR' });
    expect(errors.map(({ code, hint }) => [code, hint])).toEqual([
      ['FIELD_UNKNOWN', 'Preço e estoque não ficam no produto: use o tópico erp.catalog.prices.v1.'],
      ['FIELD_UNKNOWN', 'Preço e estoque não ficam no produto: use o tópico erp.catalog.stock.v1.'],
    ]);
  });

  it('accepts keys that the tenant allows, unchanged (rule 20)', () => {
    const content = { ...withSku({ price: 1 }), selo: { a: null } };
    expect(prepareProduct(content, { ...UPDATE, allowedExtraKeys: ['selo', 'price'] })).toEqual({
      body: content,
      isFilled: false,
      errors: [],
      warnings: [],
    });
  });

  it('refuses an unknown unit, lists the known ones, and never replaces it by Un (rule 20)', () => {
    const context = { ...UPDATE, units: { UN: 'Un' } } as const;
    for (const unit of ['UN1', 'kg', 2, 'constructor']) {
      const { errors, body } = prepareProduct(withSku({ unitOfMeasurement: unit }), context);
      expect(errors).toEqual([
        {
          skuExternalReference: '4711-1',
          field: 'unitOfMeasurement',
          code: 'UNIT_UNKNOWN',
          message: `The unit of measure ${JSON.stringify(unit)} is not known. Send a known one, or have yours configured.`,
          hint: 'Known units: Un, Kg, G, Mg, UN.',
        },
      ]);
      expect(body).toEqual(withSku({ unitOfMeasurement: unit }));
    }
    expect(prepareProduct(withSku({ unitOfMeasurement: 'UN' }), context).body).toEqual(
      withSku({ unitOfMeasurement: 'Un' }),
    );
  });

  it('warns about bar codes and NCM that only an invoice would reject (rule 20)', () => {
    const content = { ...withSku({ ean: '7891000100104' }), ean: 'ISENTO', fiscalCode: '0406.10.10' };
    const { errors, warnings } = prepareProduct(content, UPDATE);
    expect(errors).toEqual([]);
    expect(listed(warnings)).toEqual([
      ['ean', 'GTIN_INVALID'],
      ['fiscalCode', 'NCM_INVALID'],
      ['ean', 'GTIN_INVALID', '4711-1'],
    ]);
    expect(prepareProduct({ externalReference: '4711', ean: '', fiscalCode: null }, UPDATE).warnings).toEqual([]);
    // Goods that the shop weighs and packs have a code of the shop's own.
    expect(prepareProduct(withSku({ ean: '2000123456780' }), UPDATE).warnings).toEqual([]);
  });

  it('sends the literal of goods without a GTIN as it is, without a warning (rule 20)', () => {
    const content = { ...withSku({ ean: 'SEM GTIN' }), ean: 'SEM GTIN' };
    expect(prepareProduct(content, UPDATE)).toMatchObject({ body: content, errors: [], warnings: [] });
    const [warning] = prepareProduct(withSku({ ean: 'sem gtin' }), UPDATE).warnings;
    expect(warning).toMatchObject({ code: 'GTIN_INVALID', message: expect.stringContaining('SEM GTIN') });
  });

  it('warns about a missing category, and a missing step of a SKU sold by weight, on creation or explicit null (rule 20)', () => {
    const { categoryExternalReference: _none, ...bare } = FULL_PRODUCT;
    const { arithmeticFactor: _step, ...weighed } = FULL_SKU;
    expect(warningsOf({ ...bare, skus: [weighed] })).toEqual([
      ['categoryExternalReference', 'CATEGORY_MISSING'],
      ['arithmeticFactor', 'FACTOR_MISSING', '4711-1'],
    ]);
    expect(warningsOf({ ...FULL_PRODUCT, skus: [{ ...weighed, unitOfMeasurement: 'Un' }] })).toEqual([]);
    // A change without these fields leaves them unchanged.
    expect(warningsOf(withSku({ unitOfMeasurement: 'Kg' }), UPDATE)).toEqual([]);
    expect(
      warningsOf(
        { ...withSku({ unitOfMeasurement: 'Kg', arithmeticFactor: null }), categoryExternalReference: '' },
        UPDATE,
      ),
    ).toEqual([
      ['categoryExternalReference', 'CATEGORY_MISSING'],
      ['arithmeticFactor', 'FACTOR_MISSING', '4711-1'],
    ]);
  });
});

describe('a text that cannot be stored', () => {
  const fields = [...textsOf('sku', SKU_FIELDS), ...textsOf('product', PRODUCT_FIELDS)];

  it.each(fields)('is invalid in each field of a %s: %s (rule 20)', (level, field) => {
    for (const text of ['abc\0', 'abc\ud83d', '\ude00abc']) expect(errorOfField(level, field, text)).toBe('LIMIT');
  });
});

function textsOf(level: Level, table: FieldTable): [Level, string][] {
  return Object.entries(table).flatMap(([field, { type }]): [Level, string][] =>
    type === 'text' && field !== 'externalReference' ? [[level, field]] : [],
  );
}
