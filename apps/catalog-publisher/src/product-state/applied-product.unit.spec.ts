import { describe, expect, it } from '@jest/globals';
import { parseWithDigits, type JsonRecord } from '@gondola/shared/json/json-digits';
import { fullProduct, fullSku } from '../../test/support/product-samples.ts';
import { afterApplying, afterDoubt, covers, NOTHING_APPLIED } from './applied-product.ts';

const ALL = new Set(['4711-1']);
const applied = afterApplying(NOTHING_APPLIED, fullProduct(), ALL);

describe('what is applied', () => {
  it('covers a record each of whose keys has the value last applied, whatever else is known (rule 28)', () => {
    expect(covers(applied, fullProduct())).toBe(true);
    expect(covers(applied, { externalReference: '4711', name: 'Queijo Minas Frescal' })).toBe(true);
    expect(covers(NOTHING_APPLIED, fullProduct())).toBe(false);
  });

  it('compares numbers by value and distinguishes null from absent (rules 21, 28)', () => {
    const digits = parseWithDigits('{"externalReference":"4711","punctuation":10.0}') as JsonRecord;
    expect(covers(applied, digits)).toBe(true);
    expect(covers(applied, { externalReference: '4711', ean: null })).toBe(false);
    const nulled = afterApplying(applied, { externalReference: '4711', ean: null }, ALL);
    expect(covers(nulled, { externalReference: '4711', ean: null })).toBe(true);
  });

  it('still holds keys and SKUs that a later record left out (rule 21)', () => {
    const later = afterApplying(applied, { externalReference: '4711', name: 'Outro nome' }, new Set());
    expect(covers(later, fullProduct({ name: 'Outro nome' }))).toBe(true);
  });

  it('knows nothing of a SKU that did not enter', () => {
    const partly = afterApplying(NOTHING_APPLIED, fullProduct(), new Set());
    expect(covers(partly, fullProduct())).toBe(false);
    expect(covers(partly, fullProduct({ skus: [] }))).toBe(true);
    expect(covers(applied, fullProduct({ skus: [fullSku({ externalReference: 'constructor' })] }))).toBe(false);
  });

  it('becomes unknown for fields that may or may not have been applied, and remains known for the rest (rule 28)', () => {
    const doubted = afterDoubt(applied, {
      externalReference: '4711',
      name: 'Outro',
      skus: [{ externalReference: '4711-1', weightReal: 2 }],
    });
    expect(covers(doubted, { name: 'Queijo Minas Frescal' })).toBe(false);
    expect(covers(doubted, { title: 'Queijo Minas Frescal' })).toBe(true);
    expect(covers(doubted, { skus: [fullSku()] })).toBe(false);
    expect(covers(doubted, { skus: [{ name: 'Queijo Minas Frescal' }] })).toBe(false);
  });
});
