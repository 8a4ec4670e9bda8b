import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CatalogInstallation } from './support/catalog-app.ts';
import { fullProduct, fullSku, POLICY } from './support/product-samples.ts';
import { guidOf, readModelOf } from './support/read-models.ts';

const LIVE = ['erp.catalog.results.v1', 'catalog.skus.v1'] as const;
const SHADOW = ['shadow.erp.catalog.results.v1', 'shadow.catalog.skus.v1'] as const;

interface LeftOut {
  readonly route: string;
  readonly entity: string;
  readonly command_id: string;
  readonly body: string;
}

const ofTenant = (tenant: string) => ({ headers: { ce_tenant: tenant } });

describe('the catalog of a tenant in shadow, beside one that is live', () => {
  let gondola: CatalogInstallation;

  beforeAll(async () => {
    const deadlines = { settleMs: 100, commandMs: 2_000 };
    const tenants = [{ id: 'acme', mode: 'shadow', deadlines } as const, { id: 'live', deadlines }];
    gondola = await CatalogInstallation.create('cp-shadow', tenants, { LOST_ANSWER_MS: '100' });
    await gondola.startApp();
    await gondola.installation.readTopics(...LIVE, ...SHADOW);
  });

  afterAll(() => gondola.close());

  const leftOut = () =>
    gondola.installation.query<LeftOut & { [column: string]: unknown }>(
      'SELECT route, entity, command_id, body FROM shadow_calls ORDER BY route, entity',
    );
  const resultOf = async (commandId: string) =>
    (await gondola.installation.resultOf('shadow.erp.catalog.results.v1', commandId)).value;

  it('sends no record, and takes what the other connector wrote for its own (rules 25, 27)', async () => {
    const shop = gondola.shop('acme');
    const sku = fullSku({ externalReference: '1-a' });
    await gondola.produceTo('erp.catalog.brands.v1', {
      value: { externalReference: 'b', recordId: 'r-b', name: 'B', title: 'B', description: 'B', punctuation: 1 },
      ...ofTenant('acme'),
    });
    expect(await resultOf('r-b')).toMatchObject({ outcome: 'applied', evidence: 'presumed' });
    const { commercialPolicyId: commercialPoliticId, skus: _, ...product } = fullProduct({ externalReference: '1' });
    shop.readModels.set('1', readModelOf('1', [sku], { ...product, commercialPoliticId }));
    await gondola.produce({
      value: { ...fullProduct({ externalReference: '1' }), recordId: 'r-1', skus: [sku] },
      ...ofTenant('acme'),
    });
    const prices = [
      { externalReference: '1-a', policy: POLICY, data: { price: '18.90' }, recordId: 'r-p' },
      { externalReference: '1-a', policy: POLICY, data: { price: '16.90' }, recordId: 'r-q' },
    ];
    expect(await resultOf('r-1')).toMatchObject({ outcome: 'applied', evidence: 'read-back' });
    for (const value of prices) {
      await gondola.produceTo('erp.catalog.prices.v1', { value, ...ofTenant('acme') });
      expect(await resultOf(value.recordId)).toMatchObject({ outcome: 'applied', evidence: 'presumed' });
    }
    const calls = await leftOut();
    expect(calls.map(({ route, command_id: command }) => `${route} ${command}`)).toEqual([
      'postBrands r-b',
      'postPrices r-p',
      'postPrices r-q',
      'postProducts r-1',
    ]);
    expect(calls.map(({ body }) => JSON.parse(body) as unknown)).toMatchObject([
      { externalReference: 'b' },
      { price: '18.90' },
      { price: '16.90' },
      { externalReference: '1' },
    ]);
    expect([...shop.batches, ...shop.references]).toEqual([]);
    for (const topic of LIVE) expect(gondola.installation.records(topic)).toEqual([]);
  });

  it('changes nothing about the tenant that is live', async () => {
    await gondola.produceTo('erp.catalog.brands.v1', {
      value: { externalReference: 'b', recordId: 'l-b', name: 'B', title: 'B', description: 'B', punctuation: 1 },
      ...ofTenant('live'),
    });
    await gondola.installation.resultOf('erp.catalog.results.v1', 'l-b');
    expect(gondola.shop('live').references).toHaveLength(1);
    expect((await leftOut()).some(({ command_id: command }) => command === 'l-b')).toBe(false);
  });
});

describe('the comparison of a catalog in shadow', () => {
  const SETTLE_MS = 2_000;
  let gondola: CatalogInstallation;

  beforeAll(async () => {
    const deadlines = { settleMs: 100, commandMs: SETTLE_MS };
    gondola = await CatalogInstallation.create('cp-compared', [{ id: 'acme', mode: 'shadow', deadlines }], {
      LOST_ANSWER_MS: '100',
    });
    await gondola.startApp();
    await gondola.installation.readTopics(...SHADOW);
  });

  afterAll(() => gondola.close());

  /** The other connector sent a value, which the platform took. */
  const taken = (operationId: string, sku: string, price: string) =>
    gondola.notify('acme', {
      operationId,
      relatedEntity: 'SKUPricing',
      eventType: 'SKUPricing_Updated',
      data: { skuId: guidOf(sku), commercialPolicyId: POLICY, price },
    });
  const differences = async (): Promise<Record<string, unknown>[]> => {
    const { body } = await gondola.installation.get('/api/shadow/differences?tenant=acme');
    return (body as { entries: Record<string, unknown>[] }).entries;
  };
  const kinds = async (): Promise<string[]> =>
    (await differences()).map(({ entity, kind, route }) => `${String(entity)} ${String(kind)} ${String(route)}`);

  it('lays products beside the read model, and prices beside notifications, once they had their time', async () => {
    const skus = ['same', 'lost', 'wrong', 'late'];
    const { commercialPolicyId: commercialPoliticId, skus: _, ...product } = fullProduct({ externalReference: '1' });
    const known = skus.map((each) => fullSku({ externalReference: each }));
    gondola.shop().readModels.set('1', readModelOf('1', known, { ...product, commercialPoliticId }));
    await gondola.produce({ value: { ...fullProduct({ externalReference: '1' }), recordId: 'r-1', skus: known } });
    await gondola.installation.resultOf('shadow.erp.catalog.results.v1', 'r-1');
    // The other connector wrote another unit.
    const wrongUnit = { ...fullSku({ externalReference: '2-a' }), unitOfMeasurement: 'Un' };
    gondola
      .shop()
      .readModels.set('2', readModelOf('2', [wrongUnit], { ...product, externalReference: '2', commercialPoliticId }));
    const skusOf2 = [fullSku({ externalReference: '2-a' })];
    await gondola.produce({ value: { ...fullProduct({ externalReference: '2' }), recordId: 'r-2', skus: skusOf2 } });
    await gondola.produceTo(
      'erp.catalog.prices.v1',
      ...skus.map((externalReference) => {
        return {
          value: { externalReference, policy: POLICY, data: { price: '18.90' }, recordId: `p-${externalReference}` },
        };
      }),
    );
    await taken('o-1', 'same', '18.90');
    await taken('o-2', 'wrong', '19.90');
    await gondola.installation.until(async () => (await kinds()).length >= 4);
    expect((await kinds()).toSorted()).toEqual([
      '2 another-value postProducts',
      `late/policy=${POLICY} only-gondola postPrices`,
      `lost/policy=${POLICY} only-gondola postPrices`,
      `wrong/policy=${POLICY} another-value postPrices`,
    ]);
    const unit = (await differences()).find(({ entity }) => entity === '2');
    expect(JSON.parse(String(unit!['shop']))).toMatchObject([
      { field: 'unitOfMeasurement', expected: 'Kg', found: 'Un' },
    ]);
    await taken('o-3', 'late', '18.90');
    await gondola.installation.until(async () => (await kinds()).some((kind) => kind.includes(' late postPrices')));
    expect(await kinds()).toHaveLength(4);
    expect([...gondola.shop().batches, ...gondola.shop().references]).toEqual([]);
  });

  it('finds a price that no record of the ERP names', async () => {
    await taken('o-4', 'same', '5.00');
    // A repeat of what the shop had is none.
    await taken('o-5', 'late', '18.90');
    await gondola.installation.until(async () => (await kinds()).some((kind) => kind.endsWith('only-old price')));
    expect((await kinds()).filter((kind) => kind.endsWith('only-old price'))).toHaveLength(1);
  });
});
