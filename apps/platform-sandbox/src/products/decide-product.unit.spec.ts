import { describe, expect, it } from '@jest/globals';
import { productItem, received, skuItem, unitSkuItem } from '../../test/support/catalog-items.ts';
import { ticksOf } from '../values/local-time.ts';
import { decideProduct, type KnownToCore, type ProductDecision } from './decide-product.ts';
import { productEvent, productReport } from './product-report.ts';
import type { Product } from './product.ts';

const NOW = ticksOf(Date.UTC(2026, 10, 20, 13, 15));

function decide(item: unknown, known: Partial<KnownToCore> = {}): ProductDecision {
  let ids = 0;
  return decideProduct(
    received(item),
    {
      existing: undefined,
      slugTaken: false,
      foreignSkus: new Set(),
      brandId: undefined,
      categoryId: undefined,
      ...known,
    },
    { now: NOW, newGuid: () => `guid-${++ids}`, newTraceId: () => 'trace' },
  );
}

function created(item: unknown = productItem({ skus: [skuItem()] })): Product {
  const { product } = decide(item);
  if (!product) throw new Error('the product was not created');
  return product;
}

function rejected({ result }: ProductDecision): string[] {
  return result.error?.validationErrors.map(({ key }) => key) ?? [];
}

function rejectedOfSku({ result }: ProductDecision): string[] {
  return result.tried[0]?.error?.validationErrors.map(({ key }) => key) ?? [];
}

function without(item: Record<string, unknown>, key: string): Record<string, unknown> {
  return { ...item, [key]: undefined };
}

const REQUIRED_OF_PRODUCT = [
  ['externalReference', 'ExternalReference'],
  ['commercialPolicyId', 'CommercialPolicyId'],
  ['name', 'Name'],
  ['slug', 'Slug'],
  ['title', 'Title'],
  ['shortDescription', 'ShortDescription'],
  ['longDescription', 'LongDescription'],
  ['punctuation', 'Punctuation'],
] as const;

const LIMITS_OF_PRODUCT: readonly (readonly [string, unknown, unknown])[] = [
  ['externalReference', 'x'.repeat(60), 'x'.repeat(61)],
  ['categoryExternalReference', 'x'.repeat(30), 'x'.repeat(31)],
  ['brandExternalReference', 'x'.repeat(30), 'x'.repeat(31)],
  ['name', 'x'.repeat(5), 'x'.repeat(4)],
  ['name', 'x'.repeat(400), 'x'.repeat(401)],
  ['slug', 'x'.repeat(400), 'x'.repeat(401)],
  ['title', 'xxx', 'xx'],
  ['title', 'x'.repeat(400), 'x'.repeat(401)],
  ['shortDescription', 'xxx', 'xx'],
  ['shortDescription', 'x'.repeat(500), 'x'.repeat(501)],
  ['longDescription', 'xxx', 'xx'],
  ['ean', 'x'.repeat(48), 'x'.repeat(49)],
  ['punctuation', 0, -1],
  ['commercialPolicyId', '6F1C0A4E-6F0E-4C3A-9B7E-0D5F4A1B2C3D', 'not a GUID'],
  ['fiscalCode', 'anything at all', undefined],
];

const LIMITS_OF_SKU: readonly (readonly [string, unknown, unknown])[] = [
  ['externalReference', 'x'.repeat(60), 'x'.repeat(61)],
  ['name', 'x'.repeat(400), 'x'.repeat(401)],
  ['ean', 'x'.repeat(30), 'x'.repeat(31)],
  ['reference', 'x'.repeat(100), 'x'.repeat(101)],
  ['manufacturerCode', 'x'.repeat(50), 'x'.repeat(51)],
  ['exhibitionBadge1', 'x'.repeat(15), 'x'.repeat(16)],
  ['unitOfMeasurement', 'Mg', 'KG'],
  ['unitOfMeasurement', 'G', 2],
  ['weightReal', 0.001, 0],
  ['lengthForFreight', 1, -1],
  ['weightReal', 1, '1'],
  ['minimumWeightForSale', 0.1, 0],
  ['skuPackageMaxAmount', 1, 0],
  ['arrivalDate', '2028-02-29', '2027-02-29'],
  ['arrivalDate', '2026-01-31', '31/01/2026'],
];

describe('the core, for one item of a product batch,', () => {
  it('creates a product with its SKUs', () => {
    const { result, product } = decide(productItem({ skus: [skuItem(), unitSkuItem()] }));
    expect(productEvent(result)).toBe('ProductWithSKUs_Created');
    expect(product?.skus.map(({ externalReference }) => externalReference)).toEqual(['4711-1', '1208-1']);
    expect(productReport(result, '2026-11-20T13:15:00.123Z')).toEqual({
      product: { externalReference: '4711', name: 'Queijo Minas Frescal', processed: true, error: null },
      skus: { total: 2, successful: 2, failed: 0, successfulSKUs: ['4711-1', '1208-1'], failedSKUs: [] },
      summary: { status: 'Success', processedAt: '2026-11-20T13:15:00.123Z' },
    });
  });

  it.each(REQUIRED_OF_PRODUCT)('requires %s when it creates a product', (key, property) => {
    expect(rejected(decide(without(productItem(), key)))).toEqual([property]);
  });

  it.each(REQUIRED_OF_PRODUCT)('rejects null for %s, which differs from absent', (key, property) => {
    expect(rejected(decide(productItem({ [key]: null }), { existing: created() }))).toEqual([property]);
  });

  it.each(LIMITS_OF_PRODUCT)('enforces the limit of a product’s %s', (key, good, bad) => {
    expect(rejected(decide(productItem({ [key]: good })))).toEqual([]);
    expect(rejected(decide(productItem({ [key]: bad })))).toHaveLength(bad === undefined ? 0 : 1);
  });

  it.each(Object.keys(skuItem({ arithmeticFactor: undefined })).filter((key) => key !== 'arithmeticFactor'))(
    'requires %s when it creates a SKU',
    (key) => {
      expect(rejectedOfSku(decide(productItem({ skus: [without(skuItem(), key)] })))).toHaveLength(1);
    },
  );

  it.each(LIMITS_OF_SKU)('enforces the limit of a SKU’s %s', (key, good, bad) => {
    expect(rejectedOfSku(decide(productItem({ skus: [skuItem({ [key]: good })] })))).toEqual([]);
    expect(rejectedOfSku(decide(productItem({ skus: [skuItem({ [key]: bad })] })))).toHaveLength(1);
  });

  it('reports SKU properties without a product prefix', () => {
    const bad = { name: '', ean: '', reference: '', manufacturerCode: '' };
    expect(rejectedOfSku(decide(productItem({ skus: [skuItem(bad)] })))).toEqual([
      'Name',
      'EAN',
      'Reference',
      'ManufacturerCode',
    ]);
  });

  it('ignores an unknown key silently', () => {
    const { result, product } = decide(productItem({ commercialPoliticId: 'x', price: 12, constructor: 1 }));
    expect(result.error).toBeNull();
    expect(Object.keys(product?.fields ?? {})).not.toContain('commercialPoliticId');
  });

  it('changes only the keys that are present', () => {
    const existing = created();
    const { result, product } = decide({ externalReference: '4711', active: false }, { existing });
    expect(productEvent(result)).toBe('ProductWithSKUs_Updated');
    expect(product?.fields).toEqual({ ...existing.fields, active: false });
    expect(product?.skus).toEqual(existing.skus);
  });

  it('clears an optional field that is sent as null, and keeps an absent one', () => {
    const existing = created(productItem({ ean: '789', similarTerms: 'queijo' }));
    const { product } = decide({ externalReference: '4711', ean: null }, { existing });
    expect(product?.fields).toMatchObject({ ean: null, similarTerms: 'queijo' });
  });

  it('changes only the present keys of an existing SKU, and no SKU that is left out', () => {
    const existing = created(productItem({ skus: [skuItem(), unitSkuItem()] }));
    const patch = { externalReference: '4711', skus: [{ externalReference: '4711-1', name: 'Novo nome' }] };
    const { product } = decide(patch, { existing });
    expect(product?.skus[0]).toEqual({
      ...existing.skus[0],
      fields: { ...existing.skus[0]?.fields, name: 'Novo nome' },
    });
    expect(product?.skus[1]).toEqual(existing.skus[1]);
  });

  it('tries no SKU if the product fails', () => {
    const decision = decide(productItem({ name: 'x', skus: [skuItem()] }));
    expect(productEvent(decision.result)).toBe('ProductWithSKUs_CreationFailed');
    expect(decision.product).toBeUndefined();
    expect(productReport(decision.result, 't')).toMatchObject({
      product: { processed: false, error: { statusCode: 400 } },
      skus: { total: 1, successful: 0, failed: 0, successfulSKUs: [], failedSKUs: [] },
      summary: { status: 'Failed' },
    });
  });

  it('stores the product if some SKUs are rejected', () => {
    const decision = decide(productItem({ skus: [skuItem({ name: null }), unitSkuItem()] }));
    expect(productEvent(decision.result)).toBe('ProductWithSKUs_PartiallyFailed');
    expect(decision.product?.skus.map(({ externalReference }) => externalReference)).toEqual(['1208-1']);
    expect(productReport(decision.result, 't')).toMatchObject({
      product: { processed: true, error: null },
      skus: { total: 2, successful: 1, failed: 1, successfulSKUs: ['1208-1'] },
      summary: { status: 'PartialFailure' },
    });
  });

  it('rejects another product’s slug, under the key Slug', () => {
    const decision = decide(productItem(), { slugTaken: true });
    expect(rejected(decision)).toEqual(['Slug']);
    expect(decision.result.error?.message).toContain('Slug');
  });

  it('rejects a SKU that belongs to another product', () => {
    const decision = decide(productItem({ skus: [skuItem()] }), { foreignSkus: new Set(['4711-1']) });
    expect(rejectedOfSku(decision)).toEqual(['ExternalReference']);
  });

  it('reports a rejected update as a failed update', () => {
    const { result } = decide({ externalReference: '4711', punctuation: -1 }, { existing: created() });
    expect(productEvent(result)).toBe('ProductWithSKUs_UpdateFailed');
    expect(result.name).toBe('Queijo Minas Frescal');
  });

  it.each([[null], [5], ['4711'], [[]], [{}]])('rejects %j, which is no product', (item) => {
    const { result } = decide(item);
    expect(productEvent(result)).toBe('ProductWithSKUs_CreationFailed');
    expect(result.externalReference).toBeNull();
  });

  it('rejects skus that are not a list, and a SKU that is not an object', () => {
    expect(rejected(decide(productItem({ skus: {} })))).toEqual(['Skus']);
    expect(rejectedOfSku(decide(productItem({ skus: [7] })))).toContain('ExternalReference');
  });

  it('increases updatedAt even if the clock stands still', () => {
    const existing = created();
    expect(decide({ externalReference: '4711' }, { existing }).product?.updatedAt).toBe(NOW + 1n);
  });
});
