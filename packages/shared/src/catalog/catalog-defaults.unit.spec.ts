import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { type CatalogDefaults, applyDefaults } from './catalog-defaults.ts';
import type { JsonRecord } from '../json/json-digits.ts';

const DEFAULTS: CatalogDefaults = {
  product: {
    punctuation: 10,
    slug: { from: 'nameAndReference' },
    shortDescription: { from: 'title' },
    longDescription: { from: 'title' },
    displayInSite: true,
  },
  sku: { name: { from: 'productName' }, manufacturerCode: 'N/A', weightForFreight: '1.0' },
  byCategory: { FRIOS: { product: { punctuation: 50 }, sku: { weightForFreight: '0.5', heightForFreight: '10' } } },
};
const NEW = { product: false, skus: new Set<string>() };
const record: JsonRecord = {
  externalReference: '4711',
  name: 'Queijo Minas',
  title: 'Queijo',
  skus: [{ externalReference: '4711-1' }],
};

function inCategory(reference: string | null | undefined): JsonRecord {
  return reference === undefined ? {} : { categoryExternalReference: reference };
}

describe('catalog defaults', () => {
  it('fill absent fields on creation, and are named (rule 23)', () => {
    const { record: filled, filled: fields } = applyDefaults(record, DEFAULTS, NEW);
    expect(filled).toEqual({
      ...record,
      punctuation: 10,
      slug: 'queijo-minas-4711',
      shortDescription: 'Queijo',
      longDescription: 'Queijo',
      displayInSite: true,
      skus: [{ externalReference: '4711-1', name: 'Queijo Minas', manufacturerCode: 'N/A', weightForFreight: '1.0' }],
    });
    expect(fields).toEqual([
      { field: 'punctuation', ofSku: false },
      { field: 'slug', ofSku: false },
      { field: 'shortDescription', ofSku: false },
      { field: 'longDescription', ofSku: false },
      { field: 'displayInSite', ofSku: false },
      { field: 'name', ofSku: true },
      { field: 'manufacturerCode', ofSku: true },
      { field: 'weightForFreight', ofSku: true },
    ]);
  });

  it('prefer those of the category (rule 23)', () => {
    const { record: filled } = applyDefaults({ ...record, categoryExternalReference: 'FRIOS' }, DEFAULTS, NEW);
    expect(filled).toMatchObject({ punctuation: 50, skus: [{ weightForFreight: '0.5', heightForFreight: '10' }] });
  });

  it('keep the ERP’s values, null in an optional field included, and replace null in a required one (rules 21, 23)', () => {
    const given = { ...record, punctuation: 0, slug: 'x', displayInSite: null, shortDescription: null, skus: [] };
    expect(applyDefaults(given, DEFAULTS, NEW)).toMatchObject({
      record: { ...given, shortDescription: 'Queijo', longDescription: 'Queijo' },
      filled: [
        { field: 'shortDescription', ofSku: false },
        { field: 'longDescription', ofSku: false },
      ],
    });
  });

  it('fill nothing in a known product, whose slug stays frozen, but fill its new SKUs (rule 23)', () => {
    const update = { externalReference: '4711', skus: [{ externalReference: 'old' }, { externalReference: 'new' }] };
    const { record: filled, filled: fields } = applyDefaults(update, DEFAULTS, {
      product: true,
      skus: new Set(['old']),
    });
    expect(filled).toEqual({
      externalReference: '4711',
      skus: [
        { externalReference: 'old' },
        { externalReference: 'new', manufacturerCode: 'N/A', weightForFreight: '1.0' },
      ],
    });
    expect(fields).toEqual([
      { field: 'manufacturerCode', ofSku: true },
      { field: 'weightForFreight', ofSku: true },
    ]);
  });

  it('give a SKU the same values whether it comes with its product or later (rule 23)', () => {
    const category = fc.constantFrom('FRIOS', 'PADARIA', null, undefined);
    fc.assert(
      fc.property(category, category, fc.boolean(), (known, named, isNameRepeated) => {
        const product = { ...record, ...inCategory(known), ...inCategory(named) };
        const together = applyDefaults(product, DEFAULTS, NEW).record['skus'];
        const later: JsonRecord = {
          externalReference: '4711',
          skus: record['skus']!,
          ...inCategory(named),
          ...(isNameRepeated && { name: record['name']! }),
        };
        const values = { name: 'Queijo Minas', ...inCategory(known) };
        const { record: filled } = applyDefaults(later, DEFAULTS, { product: true, skus: new Set(), values });
        expect(filled).toEqual({ ...later, skus: together });
      }),
    );
  });

  it('take nothing from what is known of a product that the shop does not have', () => {
    const known = { ...NEW, values: { categoryExternalReference: 'FRIOS', name: 'Queijo Prato' } };
    expect(applyDefaults(record, DEFAULTS, known)).toEqual(applyDefaults(record, DEFAULTS, NEW));
  });

  it('add no skus, and change nothing if none are configured (rules 21, 23)', () => {
    const bare = { externalReference: '4711' };
    expect(applyDefaults(bare, DEFAULTS, NEW).record).not.toHaveProperty('skus');
    expect(applyDefaults(record, {}, NEW)).toMatchObject({ record, filled: [] });
    expect(applyDefaults({ ...bare, skus: null }, DEFAULTS, NEW).record['skus']).toBeNull();
    expect(applyDefaults({ ...bare, skus: ['x'] }, DEFAULTS, NEW).record['skus']).toEqual(['x']);
  });

  it('are found only by the category’s own name', () => {
    expect(applyDefaults({ ...record, categoryExternalReference: 'constructor' }, DEFAULTS, NEW).record).toMatchObject({
      punctuation: 10,
    });
  });
});
