import { asOperator } from '@gondola/local-stack/testing/as-operator';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CatalogInstallation } from './support/catalog-app.ts';
import { fullProduct, fullSku, POLICY } from './support/product-samples.ts';
import { guidOf, readModelOf } from './support/read-models.ts';

interface Page {
  readonly products: readonly {
    readonly externalReference: string | null;
    readonly state: string;
    readonly differences: readonly object[];
    readonly skusToPublish: readonly string[];
    readonly adopted: boolean;
  }[];
  readonly next: string | null;
  readonly remaining: number;
  readonly stopped: { readonly cause: string; readonly retryAfterMs: number } | null;
}

const skuOf = (reference: string) => fullSku({ externalReference: `${reference}-a`, reference: `${reference}-a` });
const productOf = (reference: string, more: object = {}) => ({
  ...fullProduct({ externalReference: reference }),
  skus: [skuOf(reference)],
  ...more,
});
/** As the shop has a product that was sent like that. */
const inShop = (reference: string, more: object = {}) => {
  const { commercialPolicyId: _, skus: __, ...same } = fullProduct({ externalReference: reference });
  return readModelOf(reference, [skuOf(reference)], { ...same, commercialPoliticId: POLICY, ...more });
};

describe('comparing with the shop', () => {
  let gondola: CatalogInstallation;

  beforeAll(async () => {
    const tenants = ['acme', 'filled', 'again', 'away', 'known', 'many'].map((id) => ({
      id,
      deadlines: { settleMs: 50 },
    }));
    gondola = await CatalogInstallation.create('cp-comparison', tenants, { COMPARE_READS_PER_SECOND: '1000' });
    await gondola.startApp();
    await gondola.readTopics();
  });

  afterAll(() => gondola.close());

  async function compare(tenant: string, body: object = {}): Promise<{ status: number; page: Page }> {
    const response = await asOperator(`${gondola.installation.running.url}/api/comparisons?tenant=${tenant}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    return { status: response.status, page: (await response.json()) as Page };
  }

  async function productShown(tenant: string, reference: string): Promise<{ readonly exists: boolean }> {
    const response = await asOperator(`${gondola.installation.running.url}/api/products/${reference}?tenant=${tenant}`);
    return (await response.json()) as { readonly exists: boolean };
  }

  /** A page ends when its time is up: the rest of the records is asked for again. */
  async function compareAll(tenant: string, records: readonly string[]): Promise<Pick<Page, 'products' | 'stopped'>> {
    const { products, stopped } = (await compare(tenant, { records })).page;
    if (stopped !== null || products.length === records.length) return { products, stopped };
    const rest = await compareAll(tenant, records.slice(products.length));
    return { products: [...products, ...rest.products], stopped: rest.stopped };
  }

  it('lists what can be read and is otherwise than the records have it, under the ERP’s names (rule 22)', async () => {
    const { readModels } = gondola.shop('acme');
    readModels.set('1', inShop('1'));
    readModels.set('2', inShop('2', { name: 'Outro nome', commercialPoliticId: guidOf('p'), skus: [] }));
    const records = [
      { ...productOf('1'), brandExternalReference: null, punctuation: '10.0' },
      productOf('2'),
      productOf('3'),
      { externalReference: '1', op: 'deactivate' },
    ].map((each) => JSON.stringify(each));
    const page = await compareAll('acme', [...records, '{"name":']);
    expect(page.stopped).toBeNull();
    expect((await compare('acme', { records: records.slice(0, 1) })).page.next).toBeNull();
    expect(page.products.map(({ externalReference, state }) => [externalReference, state])).toEqual([
      ['1', 'same'],
      ['2', 'differs'],
      ['3', 'absent'],
      ['1', 'differs'],
      [null, 'unreadable'],
    ]);
    expect(page.products[1]?.differences).toEqual([
      { field: 'commercialPolicyId', expected: POLICY, found: guidOf('p') },
      { field: 'name', expected: 'Queijo Minas Frescal', found: 'Outro nome' },
      { skuExternalReference: '2-a', field: 'externalReference', expected: '2-a', found: null },
    ]);
    expect(page.products[3]?.differences).toEqual([{ field: 'active', expected: false, found: true }]);
    expect(page.products[0]).toMatchObject({ skusToPublish: ['1-a'], adopted: false });
    expect(gondola.skus('1-a')).toEqual([]);
  });

  it('fills the SKU directory of a shop that was filled before, once, and prices find their SKUs', async () => {
    const { readModels } = gondola.shop('filled');
    readModels.set('10', inShop('10'));
    const price = { externalReference: '10-a', data: { price: 1 }, recordId: 'price' };
    await gondola.produceTo('erp.catalog.prices.v1', { value: price, headers: { ce_tenant: 'filled' } });
    expect((await gondola.resultOf('price')).value).toMatchObject({ outcome: 'waiting' });
    const records = [JSON.stringify(productOf('10'))];
    expect((await compare('filled', { records, adopt: true })).page.products).toMatchObject([
      { state: 'same', skusToPublish: ['10-a'], adopted: true },
    ]);
    const published = await gondola.skuOf('10-a');
    expect(JSON.parse(published.value!.toString())).toMatchObject({
      tenant: 'filled',
      skuId: guidOf('10-a'),
      productExternalReference: '10',
      productId: guidOf('10'),
      active: true,
    });
    expect((await gondola.resultOf('price', 2)).value).toMatchObject({ outcome: 'applied' });
    expect((await compare('filled', { records, adopt: true })).page.products).toMatchObject([
      { state: 'same', skusToPublish: [], adopted: false },
    ]);
    expect(gondola.skus('10-a')).toHaveLength(1);
  });

  it('adopts what the shop has by then, also while it is being read for the adoption before', async () => {
    const shop = gondola.shop('again');
    const records = ['{"externalReference":"12"}'];
    const held = Promise.withResolvers<void>();
    let readings = 0;
    shop.before = async () => {
      readings += 1;
      if (readings !== 2) return undefined;
      await held.promise;
      return { status: 200, json: inShop('12') };
    };
    shop.readModels.set('12', inShop('12'));
    await compare('again', { records, adopt: true });
    await gondola.until(() => readings === 2);
    const newer = { ...skuOf('12'), name: 'Nome de depois' };
    shop.readModels.set('12', readModelOf('12', [newer]));
    await compare('again', { records, adopt: true });
    held.resolve();
    const published = await gondola.skuOf('12-a', 2);
    expect(JSON.parse(published.value!.toString())).toMatchObject({ name: 'Nome de depois' });
    expect(await gondola.query("SELECT 1 FROM products WHERE external_reference = '12' AND adoption IS NULL")).toEqual([
      { '?column?': 1 },
    ]);
  });

  it('makes an adopted product known: a record that changes it gets no defaults and is not looked up', async () => {
    const shop = gondola.shop('filled');
    const readings = () => shop.reads.filter((each) => each === '11').length;
    let readBeforeBatch = -1;
    shop.before = ({ method }) => {
      if (method === 'POST') readBeforeBatch = readings();
      return undefined;
    };
    shop.readModels.set('11', inShop('11'));
    await compare('filled', { records: ['{"externalReference":"11"}'], adopt: true });
    await gondola.skuOf('11-a');
    const read = readings();
    await gondola.produce({
      value: { externalReference: '11', name: 'Queijo novo', recordId: 'change' },
      headers: { ce_tenant: 'filled' },
    });
    expect((await gondola.resultOf('change')).value).toMatchObject({ outcome: 'applied' });
    expect(shop.batchesOf('11')[0]?.products).toEqual([{ externalReference: '11', name: 'Queijo novo' }]);
    expect(readBeforeBatch).toBe(read);
  });

  it('without records compares all that Gondola knows, page by page, in the order of the references', async () => {
    const shop = gondola.shop('known');
    const references = Array.from({ length: 53 }, (_, index) => `k${String(index).padStart(2, '0')}`);
    for (const reference of references) shop.readModels.set(reference, inShop(reference));
    await gondola.produce(
      ...references.map((reference) => ({
        value: productOf(reference, { recordId: reference }),
        headers: { ce_tenant: 'known' },
      })),
    );
    for (const reference of references) await gondola.skuOf(`${reference}-a`);
    shop.readModels.set('k51', inShop('k51', { title: 'Outro' }));
    shop.readModels.delete('k52');
    const seen: string[] = [];
    const states: string[] = [];
    let after: string | undefined;
    do {
      const { page } = await compare('known', { after });
      seen.push(...page.products.map(({ externalReference }) => externalReference!));
      states.push(...page.products.map(({ state }) => state));
      expect(page.remaining).toBe(references.length - seen.length);
      after = page.next ?? undefined;
    } while (after !== undefined);
    expect(seen).toEqual(references);
    expect(states.slice(0, 51).every((state) => state === 'same')).toBe(true);
    expect(states.slice(51)).toEqual(['differs', 'absent']);
    // A product that is gone is stored, and still listed: the shop should have it.
    await gondola.until(async () => !(await productShown('known', 'k52')).exists);
    expect((await compare('known', { after: 'k51' })).page.products).toMatchObject([{ state: 'absent' }]);
    await gondola.produce({ value: productOf('k52', { recordId: 'again' }), headers: { ce_tenant: 'known' } });
    expect((await gondola.resultOf('again')).value).toMatchObject({ outcome: 'applied', attempts: 1 });
  });

  it('counts the products behind a page only so far, however many are known', async () => {
    await gondola.query(
      `INSERT INTO products (lane_id, tenant, external_reference, known)
       SELECT -n, 'many', 'm' || lpad(n::text, 5, '0'), '{"applied":{"product":{},"skus":{}}}' FROM generate_series(1, 1100) AS n`,
      [],
    );
    const { page } = await compare('many', { after: 'm00001' });
    expect(page).toMatchObject({ next: expect.any(String), remaining: 1000 });
    const { page: last } = await compare('many', { after: 'm01090' });
    expect(last).toMatchObject({ next: null, remaining: 0 });
  });

  it('stops if the platform is unreachable, and answers when to continue', async () => {
    const shop = gondola.shop('away');
    shop.readModels.set('20', inShop('20'));
    shop.before = ({ path }) => (path.endsWith('/21') ? { status: 503 } : undefined);
    const records = ['20', '21'].map((reference) => JSON.stringify(productOf(reference)));
    const page = await compareAll('away', records);
    expect(page.products).toMatchObject([{ externalReference: '20', state: 'same' }]);
    expect(page.stopped).toMatchObject({ retryAfterMs: expect.any(Number) });
  });

  it('refuses what is no request for it', async () => {
    expect((await compare('acme', { records: [] })).status).toBe(400);
    expect((await compare('acme', { adopt: 'yes' })).status).toBe(400);
    expect((await compare('nobody', { records: ['{}'] })).status).toBe(404);
  });
});
