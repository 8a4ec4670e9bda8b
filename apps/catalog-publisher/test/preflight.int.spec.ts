import { asOperator } from '@gondola/local-stack/testing/as-operator';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CatalogInstallation } from './support/catalog-app.ts';
import { fullProduct, fullSku } from './support/product-samples.ts';
import { brand } from './support/references.ts';

interface Checked {
  readonly outcome: string;
  readonly errors: readonly { readonly code: string; readonly field: string }[];
  readonly warnings: readonly { readonly code: string }[];
  readonly waitsFor: readonly object[];
}

/** A product with the SKU `5-a`. */
const productWithSku = (externalReference: string, more: object = {}) => ({
  ...fullProduct({ externalReference }),
  skus: [fullSku({ externalReference: '5-a', reference: externalReference })],
  ...more,
});

describe('preflight', () => {
  let gondola: CatalogInstallation;

  beforeAll(async () => {
    gondola = await CatalogInstallation.create('cp-preflight', [
      { id: 'acme', deadlines: { settleMs: 50 }, catalog: { units: { UN: 'Un' } } },
      { id: 'bairro', language: 'en' },
    ]);
    await gondola.startApp();
    await gondola.readTopics();
    await gondola.produceTo('erp.catalog.brands.v1', {
      value: brand('serra', { recordId: 'b' }),
      headers: { ce_tenant: 'acme' },
    });
    const sku = fullSku({ externalReference: '1-a' });
    await gondola.produce({
      value: { ...fullProduct({ externalReference: '1' }), skus: [sku], recordId: 'p' },
      headers: { ce_tenant: 'acme' },
    });
    await Promise.all([gondola.resultOf('b'), gondola.resultOf('p')]);
  });

  afterAll(() => gondola.close());

  async function check(records: readonly (object | string)[], kind?: string, tenant = 'acme') {
    const body = {
      ...(kind !== undefined && { kind }),
      records: records.map((each) => (typeof each === 'string' ? each : JSON.stringify(each))),
    };
    const response = await asOperator(`${gondola.installation.running.url}/api/preflight?tenant=${tenant}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    return { status: response.status, records: ((await response.json()) as { records: Checked[] }).records };
  }

  it('shows for each record the outcome that it would have, with all its problems (rule 20)', async () => {
    const {
      unitOfMeasurement: _unit,
      arithmeticFactor: _factor,
      ...sku
    } = fullSku({ externalReference: '9-a', ean: '7891000100104' });
    const { records } = await check([
      { ...fullProduct({ externalReference: '9' }), tittle: 'x', skus: [{ ...sku, unitOfMeasurement: 'CX' }] },
      '{"externalReference":',
      {
        ...fullProduct({ externalReference: '8' }),
        skus: [{ ...fullSku({ externalReference: '8-a' }), unitOfMeasurement: 'UN' }],
      },
    ]);
    expect(records.map(({ outcome }) => outcome)).toEqual(['invalid', 'unreadable', 'valid']);
    expect(records[0]?.errors).toMatchObject([
      { field: 'tittle', code: 'FIELD_UNKNOWN', hint: expect.stringContaining('"title"') },
      { skuExternalReference: '9-a', field: 'unitOfMeasurement', code: 'UNIT_UNKNOWN' },
    ]);
    expect(records[0]?.warnings.map(({ code }) => code)).toEqual(['CATEGORY_MISSING', 'GTIN_INVALID']);
    expect(records[1]?.errors).toMatchObject([{ code: 'NOT_JSON' }]);
  });

  it('uses the known state: applied values, brands, and SKUs of other products (rules 24, 28, 29)', async () => {
    const { records } = await check([
      { externalReference: '1', punctuation: 10 },
      { externalReference: '1', punctuation: 11, brandExternalReference: 'serra' },
      { externalReference: '1', punctuation: 11, brandExternalReference: 'nova', categoryExternalReference: 'frios' },
      { ...fullProduct({ externalReference: '2' }), skus: [fullSku({ externalReference: '1-a' })] },
    ]);
    expect(records.map(({ outcome }) => outcome)).toEqual(['unchanged', 'valid', 'valid', 'invalid']);
    expect(records[1]?.waitsFor).toEqual([]);
    expect(records[2]?.waitsFor).toEqual([
      { kind: 'brand', externalReference: 'nova' },
      { kind: 'category', externalReference: 'frios' },
    ]);
    expect(records[3]?.errors).toMatchObject([{ code: 'REFERENCE_IMMUTABLE', hint: '1' }]);
  });

  it('judges each record by those before it, and by the names and ids that were used (rules 19, 28, 29)', async () => {
    const renamed = { externalReference: '1', skus: [fullSku({ externalReference: '1-b' })] };
    const used = { externalReference: '1', punctuation: 3, recordId: 'p' };
    const first = productWithSku('5', { sourceVersion: 2, recordId: 'n' });
    const { records } = await check([
      renamed,
      used,
      first,
      first,
      productWithSku('6'),
      { externalReference: '5', punctuation: 10 },
      { externalReference: '5', punctuation: 11, sourceVersion: 1 },
    ]);
    const codes = records.map(({ outcome, errors }) => [outcome, ...errors.map(({ code }) => code)].join(' '));
    expect(codes).toEqual([
      'invalid REFERENCE_IMMUTABLE',
      'invalid DUPLICATE_COMMAND',
      'valid',
      'repeated',
      'invalid REFERENCE_IMMUTABLE',
      'unchanged',
      'invalid STALE_VERSION',
    ]);
  });

  it('checks every kind of record, in the tenant’s language (rules 20, 30)', async () => {
    const category = { externalReference: 'queijos', name: 'Queijos', parentExternalReference: 'frios' };
    expect((await check([category], 'category')).records).toMatchObject([
      { outcome: 'valid', waitsFor: [{ kind: 'category', externalReference: 'frios' }] },
    ]);
    expect((await check([{ externalReference: 'x' }], 'brand')).records).toMatchObject([{ outcome: 'invalid' }]);
    const price = { externalReference: 'none', data: { price: 1 } };
    expect((await check([price, { ...price, op: 'delete' }], 'price')).records).toMatchObject([
      { outcome: 'valid', waitsFor: [{ kind: 'sku', externalReference: 'none' }] },
      { outcome: 'invalid', errors: [{ code: 'COMMAND_UNKNOWN' }] },
    ]);
    expect((await check([{ externalReference: 'x' }], 'price', 'bairro')).records[0]?.errors[0]).toMatchObject({
      message: expect.stringContaining('is required'),
    });
  });

  it('stores and sends nothing', async () => {
    await check([fullProduct({ externalReference: 'unseen' })]);
    expect(await gondola.query("SELECT 1 FROM lanes WHERE identity = 'unseen'")).toEqual([]);
    expect(gondola.shop('acme').batchesOf('unseen')).toEqual([]);
    expect(gondola.shop('acme').reads).not.toContain('unseen');
  });

  it('refuses what is no request for it', async () => {
    expect((await check([])).status).toBe(400);
    expect((await check(['{}'], 'sku')).status).toBe(400);
    expect((await check(['{}'], 'price', 'nobody')).status).toBe(404);
  });
});
