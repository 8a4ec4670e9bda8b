import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { isBarCode } from '@gondola/shared/fields/trade-codes';
import type { JsonRecord } from '@gondola/shared/json/json-digits';
import { fullProduct, fullSku } from '../../test/support/product-samples.ts';
import { afterApplying, NOTHING_APPLIED } from './applied-product.ts';
import { immutableReasons, type KnownSku, knownSkus } from './known-sku.ts';
import { afterPublishing, UNKNOWN_PRODUCT } from './known-product.ts';
import { hasAll, skuContents, skuChanges } from './sku-snapshots.ts';

const ABOUT = { tenant: 'acme', productExternalReference: '4711' };
const applied = afterApplying(NOTHING_APPLIED, fullProduct(), new Set(['4711-1']));
const read = (sku: JsonRecord = {}, product: JsonRecord = {}): JsonRecord => ({
  id: 'p-1',
  active: true,
  skus: [
    {
      id: 's-1',
      externalReference: '4711-1',
      name: 'Queijo',
      ean: '789',
      reference: 'r',
      unitOfMeasure: 'Kg',
      active: true,
      ...sku,
    },
  ],
  ...product,
});
const [content] = skuContents(read(), applied, ABOUT);
const known: KnownSku = {
  externalReference: '4711-1',
  productExternalReference: '4711',
  version: '3',
  content: content!,
};

const active = (sku: JsonRecord, product: JsonRecord) => skuContents(read(sku, product), applied, ABOUT)[0]?.active;

const judge = (skus: JsonRecord[], of: readonly KnownSku[] = [known]) => {
  const content = fullProduct({ skus });
  const body = fullProduct({ skus: skus.map((sku) => ({ ...sku, id: null })) });
  return immutableReasons({ content, body, productExternalReference: '4711' }, knownSkus(of), applied, 'pt-BR');
};

describe('the snapshot of a SKU', () => {
  it('is made of the read model; the factor, which that lacks, of what was applied', () => {
    expect(content).toEqual({
      tenant: 'acme',
      skuExternalReference: '4711-1',
      skuId: 's-1',
      productExternalReference: '4711',
      productId: 'p-1',
      name: 'Queijo',
      ean: '789',
      reference: 'r',
      unitOfMeasurement: 'Kg',
      arithmeticFactor: '0.1',
      active: true,
    });
    expect(skuContents(read({ unitOfMeasure: 'Caixa', ean: null }), NOTHING_APPLIED, ABOUT)).toMatchObject([
      { unitOfMeasurement: null, ean: null, arithmeticFactor: null },
    ]);
  });

  it('is active only where its product is', () => {
    expect(active({}, { active: false })).toBe(false);
    expect(active({ active: false }, {})).toBe(false);
    expect(active({ active: null }, { active: null })).toBeNull();
  });

  it('is published if it differs, with a rising version, and as a tombstone if the SKU is removed', () => {
    expect(skuChanges([known], [content!])).toEqual([]);
    expect(skuChanges([], [content!])).toMatchObject([{ externalReference: '4711-1', version: '1' }]);
    const changed = { ...content!, name: 'Outro' };
    expect(skuChanges([known], [changed])).toEqual([{ externalReference: '4711-1', version: '4', content: changed }]);
    expect(skuChanges([known], [])).toEqual([{ externalReference: '4711-1', version: '4', content: null }]);
    expect(skuChanges([{ ...known, content: null }], [])).toEqual([]);
  });
});

describe('a read model', () => {
  it('is looked at again while it lacks a SKU that entered', () => {
    expect(hasAll(read(), applied)).toBe(true);
    expect(hasAll(read({ externalReference: '4711-2' }), applied)).toBe(false);
    expect(hasAll(read(), NOTHING_APPLIED)).toBe(true);
  });

  it('without a published SKU removes that SKU from the known state, so that its next record is sent', () => {
    const before = { ...UNKNOWN_PRODUCT, exists: true, skus: ['4711-1'], applied };
    expect(afterPublishing(before, [], ['4711-1'])).toMatchObject({ exists: true, skus: [], applied: { skus: {} } });
    expect(afterPublishing(before, ['4711-2'], []).skus).toEqual(['4711-1', '4711-2']);
  });
});

describe('a SKU’s reference', () => {
  const renamed = { externalReference: '4711-9' };

  it('cannot move to another product (rule 29)', () => {
    const others = { ...known, productExternalReference: '815' };
    expect(judge([fullSku()], [others])).toMatchObject([{ skuExternalReference: '4711-1', hint: '815' }]);
    expect(judge([fullSku()])).toEqual([]);
  });

  it('cannot change: the platform’s id shows it, or reference and barcode together (rule 29)', () => {
    expect(judge([fullSku({ ...renamed, id: 's-1', reference: 'x' })])).toMatchObject([{ hint: '4711-1' }]);
    expect(judge([fullSku(renamed)])).toMatchObject([{ skuExternalReference: '4711-9', hint: '4711-1' }]);
    expect(judge([fullSku({ ...renamed, ean: '7891000053508' })])).toEqual([]);
    expect(judge([fullSku({ ...renamed, reference: '4711-9' })])).toEqual([]);
  });

  it('is a second SKU’s where its bar code is no GTIN, which identifies nothing (rule 29)', () => {
    const text = fc.oneof(fc.constantFrom('SEM GTIN', 'sem gtin', '0', '7891000100104', ''), fc.string());
    fc.assert(
      fc.property(fc.oneof(text, fc.constantFrom('7891000100103', '2000123456789')), (ean) => {
        const first = { ...known, content: { ...content!, ean, reference: '4711-1' } };
        const sku = fullSku({ ...renamed, ean });
        const body = fullProduct({ skus: [sku] });
        const about = { content: body, body, productExternalReference: '4711' };
        for (const state of [NOTHING_APPLIED, { product: {}, skus: { '4711-1': fullSku({ ean }) } }]) {
          const reasons = immutableReasons(about, knownSkus([first]), state, 'pt-BR');
          expect([ean, reasons.length]).toEqual([ean, isBarCode(ean) ? 1 : 0]);
        }
      }),
    );
  });

  it('is a second SKU’s where the record names the first as well', () => {
    expect(judge([fullSku(), fullSku(renamed)])).toEqual([]);
  });
});
