import { describe, expect, it } from '@jest/globals';
import { productItem, receivedObject, skuItem } from '../../test/support/catalog-items.ts';
import { parseExact, type JsonObject } from '../values/exact-json.ts';
import { ticksOf } from '../values/local-time.ts';
import type { Product } from './product.ts';
import { hiddenBecause, readModel } from './read-model.ts';

function product(fields: Record<string, unknown> = {}): Product {
  return {
    id: 'p',
    externalReference: '4711',
    fields: receivedObject(productItem(fields)),
    skus: [{ id: 's', externalReference: '4711-1', fields: receivedObject(skuItem({ weightReal: 1.5 })) }],
    brandId: null,
    categoryId: null,
    createdAt: ticksOf(Date.UTC(2026, 10, 20, 13, 15)),
    updatedAt: ticksOf(Date.UTC(2026, 10, 21, 1, 15)) + 1_234_567n,
  };
}

const AROUND = { contractAccountId: 'tenant', hasImage: false, brand: null, category: null };

describe('the product read model', () => {
  it('has exactly the fields of the document, misspelt names included', () => {
    const model = readModel(product(), AROUND);
    expect(Object.keys(model)).toEqual(
      (
        'id contractAccountId externalReference name title slug shortDescription longDescription similarTerms characteristics fiscalCode ean ' +
        'punctuation displayInSite displayInSoldOut active hasImage commercialPoliticId brandId brand categoryId category createdAt updatedAt ' +
        'approvedByUserId skus'
      ).split(' '),
    );
    expect(model.commercialPoliticId).toBe(productItem().commercialPolicyId);
    const [sku] = model.skus as Record<string, unknown>[];
    expect(Object.keys(sku ?? {})).toEqual(
      (
        'id externalReference name ean reference unitOfMeasure manufacturerCode arrivalDate weightForFreight heightForFreight widthForFreight ' +
        'lengthForFreight weightReal heightReal widthReal lengthReal active'
      ).split(' '),
    );
    expect(sku?.unitOfMeasure).toBe('Kg');
  });

  it('has times in UTC−3 without a zone', () => {
    expect(readModel(product(), AROUND)).toMatchObject({
      createdAt: '2026-11-20T10:15:00.0000000',
      updatedAt: '2026-11-20T22:15:00.1234567',
    });
  });

  it('keeps the digits of numbers', () => {
    const model = readModel({ ...product(), fields: parseExact('{"punctuation":10.50}') as JsonObject }, AROUND);
    expect(JSON.stringify(model)).toContain('"punctuation":10.50,');
  });

  it('gives the reason why the storefront hides a product', () => {
    expect(hiddenBecause(product())).toBeNull();
    expect(hiddenBecause(product({ active: false }))).toBe('active is false');
    expect(hiddenBecause(product({ displayInSite: false }))).toBe('displayInSite is false');
    expect(hiddenBecause({ ...product(), skus: [] })).toBe('it has no SKU');
  });
});
