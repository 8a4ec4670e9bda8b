import { describe, expect, it } from '@jest/globals';
import { stringifyWithDigits } from '@gondola/shared/json-digits';
import { BARE_CATALOG, fullProduct, fullSku } from '../testing/products.ts';
import { afterApplying, NOTHING_APPLIED } from './applied-product.ts';
import { type KnownProduct, UNKNOWN_PRODUCT } from './known-product.ts';
import { prepareProduct } from './prepare-product.ts';

const NEW: KnownProduct = { ...UNKNOWN_PRODUCT, exists: false };
const KNOWN: KnownProduct = { ...UNKNOWN_PRODUCT, exists: true, skus: ['4711-1'] };

function prepare(value: unknown, known = NEW, catalog = BARE_CATALOG) {
  const bytes = value === null ? null : Buffer.from(typeof value === 'string' ? value : JSON.stringify(value));
  return prepareProduct({ value: bytes, externalReference: '4711' }, known, catalog, 'pt-BR');
}

function bodyOf(...parts: Parameters<typeof prepare>): string {
  const prepared = prepare(...parts);
  if (prepared.kind !== 'ready') throw new Error(JSON.stringify(prepared));
  return stringifyWithDigits(prepared.progress.body);
}

function versioned(sourceVersion: number) {
  return { externalReference: '4711', name: 'Queijo novo', sourceVersion };
}

describe('preparing a product record', () => {
  it('posts the ERP’s own digits, nulls and absences, without the control keys (rule 21)', () => {
    const text =
      '{"recordId":"r-1","force":true,"externalReference":"4711","ean":null,"skus":[{"externalReference":"4711-1","weightReal":1.10,"weight":"0.250"}]}';
    expect(bodyOf(text, KNOWN)).toBe(
      '{"externalReference":"4711","ean":null,"skus":[{"externalReference":"4711-1","weightReal":1.10,"weight":0.250}]}',
    );
  });

  it('invents no skus (rule 21)', () => {
    expect(bodyOf({ externalReference: '4711', name: 'Outro nome' }, KNOWN)).not.toContain('skus');
  });

  it('stops an unknown unit, and never takes it for Un (rule 20)', () => {
    const wrong = fullProduct({ skus: [fullSku({ unitOfMeasurement: 'UN1' })] });
    expect(prepare(wrong)).toMatchObject({
      kind: 'concluded',
      conclusion: {
        outcome: 'invalid',
        reason: { code: 'UNIT_UNKNOWN' },
        errors: [{ skuExternalReference: '4711-1' }],
      },
    });
    expect(
      bodyOf(fullProduct({ skus: [fullSku({ unitOfMeasurement: 'UN' })] }), NEW, {
        ...BARE_CATALOG,
        units: { UN: 'Un' },
      }),
    ).toContain('"Un"');
  });

  it('looks before it fills defaults in, since the product may be in the shop already (rule 23)', () => {
    const { slug: _, ...lacking } = fullProduct();
    const catalog = { ...BARE_CATALOG, defaults: { product: { slug: { from: 'nameAndReference' } as const } } };
    expect(prepare(lacking, UNKNOWN_PRODUCT, catalog)).toEqual({ kind: 'look' });
    expect(bodyOf(lacking, NEW, catalog)).toContain('"slug":"queijo-minas-frescal-4711"');
    expect(bodyOf(lacking, KNOWN, catalog)).not.toContain('slug');
    expect(prepare(lacking, NEW, catalog)).toMatchObject({
      progress: { warnings: [{ field: 'slug', code: 'DEFAULT_APPLIED' }] },
    });
    expect(prepare(fullProduct(), UNKNOWN_PRODUCT, catalog).kind).toBe('ready');
  });

  it('is unchanged where each key has the value last applied, unless forced (rule 28)', () => {
    const known = {
      ...KNOWN,
      applied: afterApplying(NOTHING_APPLIED, { externalReference: '4711', name: 'Queijo' }, new Set()),
    };
    const same = { externalReference: '4711', name: 'Queijo' };
    expect(prepare(same, known)).toMatchObject({ conclusion: { outcome: 'unchanged', evidence: 'already-in-state' } });
    expect(prepare({ ...same, force: true }, known).kind).toBe('ready');
    expect(prepare({ ...same, name: 'Queijo novo' }, known).kind).toBe('ready');
  });

  it('is invalid as stale with a lower sourceVersion (rule 28)', () => {
    const known = { ...KNOWN, sourceVersion: '12' };
    expect(prepare(versioned(11), known)).toMatchObject({
      conclusion: { outcome: 'invalid', reason: { code: 'STALE_VERSION' } },
    });
    expect(prepare(versioned(12), known)).toMatchObject({ progress: { sourceVersion: '12' } });
  });

  it('takes a product out by active: false, for a tombstone too (rule 29)', () => {
    for (const gone of [
      { externalReference: '4711', op: 'delete' },
      { externalReference: '4711', op: 'deactivate' },
      null,
    ]) {
      expect(JSON.parse(bodyOf(gone, KNOWN))).toEqual({ externalReference: '4711', active: false });
    }
    expect(JSON.parse(bodyOf({ externalReference: '4711', op: 'activate' }, KNOWN))).toEqual({
      externalReference: '4711',
      active: true,
    });
  });

  it('has nothing to take out of a shop that does not have it', () => {
    expect(prepare(null, UNKNOWN_PRODUCT)).toEqual({ kind: 'look' });
    expect(prepare(null, NEW)).toMatchObject({ conclusion: { outcome: 'unchanged' } });
    expect(prepare({ externalReference: '4711', op: 'activate' }, NEW)).toMatchObject({
      conclusion: { outcome: 'invalid', reason: { code: 'REFERENCE_MISSING' } },
    });
  });

  it('refuses an unknown op (contract, Catalogue records)', () => {
    expect(prepare({ externalReference: '4711', op: 'upsret' })).toMatchObject({
      conclusion: { reason: { code: 'COMMAND_UNKNOWN' } },
    });
  });
});
