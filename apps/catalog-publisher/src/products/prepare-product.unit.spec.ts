import { describe, expect, it } from '@jest/globals';
import { stringifyWithDigits } from '@gondola/shared/json/json-digits';
import { BARE_CATALOG, fullProduct, fullSku } from '../../test/support/product-samples.ts';
import { afterApplying, NOTHING_APPLIED, skuReferences } from '../product-state/applied-product.ts';
import { afterReading, type KnownProduct, UNKNOWN_PRODUCT } from '../product-state/known-product.ts';
import { prepareProduct, prepareResend } from './prepare-product.ts';

/** Nothing is known, and the shop was asked: it has no such product. */
const NEW: KnownProduct = { ...UNKNOWN_PRODUCT };
const KNOWN: KnownProduct = { ...UNKNOWN_PRODUCT, exists: true, skus: ['4711-1'] };

function prepare(value: unknown, known = NEW, catalog = BARE_CATALOG) {
  const bytes = value === null ? null : Buffer.from(typeof value === 'string' ? value : JSON.stringify(value));
  const looked = known !== UNKNOWN_PRODUCT;
  return prepareProduct({ value: bytes, externalReference: '4711', looked }, known, catalog, 'pt-BR');
}

function bodyOf(...parts: Parameters<typeof prepare>): string {
  const prepared = prepare(...parts);
  if (prepared.kind !== 'ready') throw new Error(JSON.stringify(prepared));
  return stringifyWithDigits(prepared.progress.body);
}

function versioned(sourceVersion: number) {
  return { externalReference: '4711', name: 'Queijo novo', sourceVersion };
}

/** Fields that the warning of a record names. */
function clearedBy(record: object, known: KnownProduct): unknown[] {
  const prepared = prepare(record, known);
  if (prepared.kind !== 'ready') return [prepared];
  return prepared.progress.warnings.filter(({ code }) => code === 'FIELDS_CLEARED').map(({ field }) => field);
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

  it('rejects an unknown unit, and never replaces it by Un (rule 20)', () => {
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
      progress: { warnings: [{ field: 'slug', code: 'DEFAULT_APPLIED' }, { code: 'CATEGORY_MISSING' }] },
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

  it('is sent, not unchanged, where a read found that the shop no longer has the product (rule 28)', () => {
    const whole = fullProduct();
    const first = prepare(whole);
    if (first.kind !== 'ready') throw new Error('A whole product can be sent');
    const { body } = first.progress;
    const applied = afterApplying(NOTHING_APPLIED, body, new Set(skuReferences(body)));
    expect(prepare(whole, { ...KNOWN, applied })).toMatchObject({ conclusion: { outcome: 'unchanged' } });
    expect(prepare(whole, { ...NEW, exists: false, applied }).kind).toBe('ready');
  });

  it('is invalid as stale with a lower sourceVersion (rule 28)', () => {
    const known = { ...KNOWN, sourceVersion: '12' };
    expect(prepare(versioned(11), known)).toMatchObject({
      conclusion: { outcome: 'invalid', reason: { code: 'STALE_VERSION', message: expect.stringMatching(/11.*12/) } },
      sourceVersion: null,
    });
    expect(prepare(versioned(12), known)).toMatchObject({ progress: { sourceVersion: '12' } });
  });

  it('remembers the version of a record that nothing was sent for (rule 28)', () => {
    const same = { externalReference: '4711', sourceVersion: 13 };
    expect(prepare(same, KNOWN)).toMatchObject({ conclusion: { outcome: 'unchanged' }, sourceVersion: '13' });
    const wrong = { ...same, nome: 'x' };
    expect(prepare(wrong, KNOWN)).toMatchObject({ conclusion: { outcome: 'invalid' }, sourceVersion: '13' });
  });

  it('names the outcome and the errors of each SKU, also where nothing was sent', () => {
    const wrong = fullProduct({
      skus: [fullSku(), fullSku({ externalReference: '4711-2', unitOfMeasurement: 'UN1' })],
    });
    expect(prepare(wrong)).toMatchObject({
      conclusion: {
        skus: [
          { externalReference: '4711-1', outcome: 'invalid', errors: [] },
          { externalReference: '4711-2', outcome: 'invalid', errors: [{ code: 'UNIT_UNKNOWN' }] },
        ],
      },
    });
  });

  it('reads a known product back before it treats one of its SKUs as new (rules 20, 23)', () => {
    const price = { externalReference: '4711', skus: [{ externalReference: '4711-9', ean: '7891000100103' }] };
    const bytes = Buffer.from(JSON.stringify(price));
    const look = (looked: boolean, known: KnownProduct) =>
      prepareProduct({ value: bytes, externalReference: '4711', looked }, known, BARE_CATALOG, 'pt-BR');
    expect(look(false, KNOWN)).toEqual({ kind: 'look' });
    expect(look(true, KNOWN)).toMatchObject({ conclusion: { reason: { code: 'FIELD_REQUIRED' } } });
    expect(look(false, { ...KNOWN, skus: ['4711-1', '4711-9'] }).kind).toBe('ready');
  });

  it('looks before it supplies what the record need not have, so that nothing in the shop is overwritten (rule 23)', () => {
    const catalog = { ...BARE_CATALOG, defaults: { product: { displayInSite: true } } };
    expect(prepare(fullProduct(), UNKNOWN_PRODUCT, catalog)).toEqual({ kind: 'look' });
    expect(bodyOf(fullProduct(), KNOWN, catalog)).not.toContain('displayInSite');
  });

  it('looks before it supplies anything, also for a read model with more dropped fields than are listed (rule 23)', () => {
    const catalog = { ...BARE_CATALOG, defaults: { product: { displayInSite: true } } };
    const skus = Array.from({ length: 60 }, (_, at) => ({
      ...fullSku(),
      externalReference: `4711-${at}`,
      id: `s-${at}`,
      active: true,
    }));
    expect(prepare(fullProduct({ skus }), UNKNOWN_PRODUCT, catalog)).toEqual({ kind: 'look' });
  });

  it('gives a SKU that comes later the defaults of the category that the product has (rule 23)', () => {
    const general = { sku: { name: { from: 'productName' } as const, weightReal: '1' } };
    const byCategory = { FRIOS: { sku: { weightReal: '8' } } };
    const catalog = { ...BARE_CATALOG, defaults: { ...general, byCategory } };
    const { name: _, weightReal: __, ...sku } = fullSku({ externalReference: '4711-2', reference: '4711-2' });
    const later = { externalReference: '4711', skus: [sku] };
    const having = (category: string | null, known = KNOWN): KnownProduct => {
      const body = { name: 'Queijo', categoryExternalReference: category };
      return { ...known, applied: afterApplying(NOTHING_APPLIED, body, new Set()) };
    };
    const weight = (more: object, known: KnownProduct): unknown =>
      JSON.parse(bodyOf({ ...later, ...more }, known, catalog)).skus[0].weightReal;
    expect(weight({}, having('FRIOS'))).toBe(8);
    expect(weight({ categoryExternalReference: null }, having('FRIOS'))).toBe(1);
    expect(bodyOf(later, having('FRIOS'), catalog)).toContain('"name":"Queijo"');
    // Where the ERP has said nothing, the shop's own value counts.
    const shown = afterReading(KNOWN, { name: 'Queijo', category: { externalReference: 'FRIOS' }, skus: [] });
    expect(weight({}, shown)).toBe(8);
    expect(weight({}, having(null, shown))).toBe(1);
    expect(afterReading(shown, null).read).toEqual({});
  });

  it('warns once of the fields that it empties, of what the shop has (rule 28)', () => {
    const sku = fullSku({ arithmeticFactor: '0.1' });
    const body = { fiscalCode: '04061010', brandExternalReference: 'MINAS', similarTerms: '', skus: [sku] };
    const known = { ...KNOWN, applied: afterApplying(NOTHING_APPLIED, body, new Set(skuReferences(body))) };
    const empties = {
      externalReference: '4711',
      fiscalCode: null,
      brandExternalReference: null,
      similarTerms: null,
      skus: [{ externalReference: sku['externalReference'], arithmeticFactor: null }],
    };
    expect(clearedBy(empties, known)).toEqual(['fiscalCode, brandExternalReference, skus[].arithmeticFactor']);
    expect(clearedBy({ externalReference: '4711', name: 'Outro' }, known)).toEqual([]);
  });

  it('sends a product again as it was applied, also one whose codes have blanks around them (rule 28)', () => {
    const applied = afterApplying(
      NOTHING_APPLIED,
      { externalReference: '4711 ', name: 'Queijo', skus: [{ externalReference: '4711-1 ', ean: '96385074 ' }] },
      new Set(['4711-1 ']),
    );
    const resent = prepareResend('4711 ', { ...KNOWN, skus: ['4711-1 '], applied }, BARE_CATALOG, 'en');
    expect(resent).toMatchObject({
      progress: { body: { externalReference: '4711 ', skus: [{ externalReference: '4711-1 ', ean: '96385074 ' }] } },
    });
  });

  it('deactivates a product by active: false, and also for a tombstone (rule 29)', () => {
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

  it('creates a product by a record that has all of it, hidden or shown, as op says (rule 29)', () => {
    expect(JSON.parse(bodyOf(fullProduct({ op: 'activate' }), NEW))).toMatchObject({ active: true });
    expect(JSON.parse(bodyOf(fullProduct({ op: 'deactivate' }), NEW))).toMatchObject({ active: false });
    expect(prepare(fullProduct({ op: 'delete' }), NEW)).toMatchObject({ conclusion: { outcome: 'unchanged' } });
  });

  it('refuses an unknown op (contract, Catalog records)', () => {
    expect(prepare({ externalReference: '4711', op: 'upsret' })).toMatchObject({
      conclusion: { reason: { code: 'COMMAND_UNKNOWN' } },
    });
  });

  it('lists what it left out of a read model that was sent back, also where nothing is sent (rules 20, 22)', () => {
    const known = { ...KNOWN, applied: afterApplying(NOTHING_APPLIED, { name: 'Queijo' }, new Set()) };
    const sentBack = { externalReference: '4711', name: 'Queijo', id: 'p-1', createdAt: '2026-01-01T00:00:00' };
    expect(prepare(sentBack, known)).toMatchObject({
      conclusion: { outcome: 'unchanged' },
      warnings: [
        { field: 'id', code: 'FIELD_READ_ONLY' },
        { field: 'createdAt', code: 'FIELD_READ_ONLY' },
      ],
    });
  });
});
