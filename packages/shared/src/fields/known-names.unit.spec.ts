import { describe, expect, it } from '@jest/globals';
import { nearestName, topicOfKey } from './known-names.ts';
import { PRODUCT_FIELDS } from '../catalog/product-record.dto.ts';
import { SKU_FIELDS } from '../catalog/sku-record.dto.ts';

const names = Object.keys(PRODUCT_FIELDS);

describe('known names', () => {
  it.each([
    ['tittle', 'title'],
    ['Name', 'name'],
    ['short_description', 'shortDescription'],
    ['brand', 'brandExternalReference'],
    ['NCM', 'fiscalCode'],
    ['código_de_barras', 'ean'],
    ['Descrição', 'longDescription'],
    ['longDescripton', 'longDescription'],
  ])('finds for %s the nearest name, %s (rule 20)', (key, nearest) => {
    expect(nearestName(key, names)).toBe(nearest);
  });

  it.each(['cor', 'xyz', 'observacoes', 'constructor', '__proto__', 'x'.repeat(1_000_000)])(
    'finds none for what is far from every name, of whatever size (%#; rule 20)',
    (key) => {
      expect(nearestName(key, names)).toBeNull();
    },
  );

  it.each([
    ['price', 'erp.catalog.prices.v1'],
    ['listPrice', 'erp.catalog.prices.v1'],
    ['SALE_PRICE', 'erp.catalog.prices.v1'],
    ['preço', 'erp.catalog.prices.v1'],
    ['precoVenda', 'erp.catalog.prices.v1'],
    ['valor', 'erp.catalog.prices.v1'],
    ['costCents', 'erp.catalog.prices.v1'],
    ['stock', 'erp.catalog.stock.v1'],
    ['estoqueMinimo', 'erp.catalog.stock.v1'],
    ['availableQuantity', 'erp.catalog.stock.v1'],
    ['qty', 'erp.catalog.stock.v1'],
    ['saldo', 'erp.catalog.stock.v1'],
    ['costume', null],
    ['tittle', null],
  ])('sends %s to %s (rule 20)', (key, topic) => {
    expect(topicOfKey(key)).toBe(topic);
  });

  it('takes no field of a product or SKU for a price or stock', () => {
    expect([...names, ...Object.keys(SKU_FIELDS)].filter((name) => topicOfKey(name) !== null)).toEqual([]);
  });
});
