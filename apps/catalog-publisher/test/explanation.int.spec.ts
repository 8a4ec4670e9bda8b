import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CatalogInstallation } from './support/catalog-app.ts';
import { fullProduct, fullSku } from './support/product-samples.ts';
import { readModelOf } from './support/read-models.ts';
import { category } from './support/references.ts';

interface Explained {
  readonly inShop: boolean | null;
  readonly summary: string;
  readonly steps: readonly { readonly step: string; readonly state: string; readonly who: string | null }[];
}

/** The first thing that is missing. */
const firstOf = ({ steps }: Explained) => steps.find(({ state }) => state === 'missing' || state === 'waiting');

describe('GET /api/products/{reference}/explanation', () => {
  let gondola: CatalogInstallation;

  beforeAll(async () => {
    gondola = await CatalogInstallation.create('cp-explain', [{ id: 'acme', deadlines: { settleMs: 50 } }]);
    await gondola.startApp();
    await gondola.readTopics();
  });

  afterAll(() => gondola.close());

  const explain = async (reference: string, query = '') => {
    const { status, body } = await gondola.installation.get(
      `/api/products/${encodeURIComponent(reference)}/explanation${query}`,
    );
    expect(status).toBe(200);
    return body as Explained;
  };

  const categoryOfAdopted = async () => (await explain('adopted')).steps.find(({ step }) => step === 'category');

  it('follows a product from its first record to the shelf, and names what is missing first', async () => {
    expect(firstOf(await explain('p/1'))).toMatchObject({ step: 'received', who: 'erp' });

    const product = fullProduct({ externalReference: 'p/1', categoryExternalReference: 'queijos' });
    const sku = fullSku({ externalReference: 'p-1' });
    await gondola.produce({ value: { ...product, skus: [sku], recordId: 'r-1' } });
    expect((await gondola.resultOf('r-1')).value).toMatchObject({ outcome: 'waiting' });
    const waits = await explain('p/1', '?language=en');
    expect(firstOf(waits)).toMatchObject({ step: 'references', state: 'waiting', who: 'erp' });
    expect(waits.summary).toContain('category/queijos');

    gondola.shop().readModels.set('p/1', readModelOf('p/1', [sku], { hasImage: true, displayInSite: true }));
    await gondola.produceTo('erp.catalog.categories.v1', { value: category('queijos', { recordId: 'c-1' }) });
    await gondola.resultOf('r-1', 2);
    await gondola.skuOf('p-1');
    expect(await explain('p/1')).toMatchObject({
      inShop: null,
      summary: expect.stringContaining('O Gondola não publicou preço de: p-1'),
    });

    await gondola.produceTo('erp.catalog.prices.v1', {
      value: { externalReference: 'p-1', data: { price: 1 }, recordId: 'v-1' },
    });
    await gondola.produceTo('erp.catalog.stock.v1', {
      value: { externalReference: 'p-1', data: { quantity: 1 }, recordId: 'v-2' },
    });
    await Promise.all([gondola.resultOf('v-1'), gondola.resultOf('v-2')]);
    expect(await explain('p/1')).toMatchObject({
      inShop: true,
      summary: 'Pelo que se sabe, o produto está na loja.',
    });

    const hidden = { externalReference: 'queijos', showInStoreFront: false, recordId: 'c-2' };
    await gondola.produceTo('erp.catalog.categories.v1', { value: hidden });
    await gondola.resultOf('c-2');
    const offMenu = await explain('p/1');
    expect(firstOf(offMenu)).toMatchObject({ step: 'category', who: 'erp' });
    expect(offMenu.inShop).toBe(true);
  });

  it('names the category that the shop has, whoever sent it, and none that it cannot know', async () => {
    const shop = { id: 'c', name: 'Vinhos', externalReference: 'vinhos' };
    gondola.shop().readModels.set('adopted', readModelOf('adopted', [fullSku()], { category: shop }));
    expect(await categoryOfAdopted()).toMatchObject({ state: 'unknown' });
    gondola.shop().readModels.set('adopted', readModelOf('adopted', [fullSku()], { category: null }));
    expect(await categoryOfAdopted()).toMatchObject({ state: 'missing' });
    const { category: _, ...unsaid } = readModelOf('adopted', [fullSku()], { category: null }) as Record<
      string,
      unknown
    >;
    gondola.shop().readModels.set('adopted', unsaid);
    expect(await categoryOfAdopted()).toMatchObject({ state: 'unknown' });
  });

  it('has beside it the prices and stock of the product, and every record with its outcome, in pages', async () => {
    const { body: product } = await gondola.installation.get('/api/products/p%2F1');
    const ofSku = { skuExternalReference: 'p-1', warehouse: null, policy: null, appliedAt: expect.any(String) };
    expect((product as { values: unknown[] }).values).toHaveLength(2);
    expect(product).toMatchObject({
      values: expect.arrayContaining([
        expect.objectContaining({ kind: 'price', ...ofSku, applied: expect.objectContaining({ price: 1 }) }),
        expect.objectContaining({ kind: 'stock', ...ofSku, applied: expect.objectContaining({ quantity: 1 }) }),
      ]),
    });
    const page = async (query: string) => {
      const { body } = await gondola.installation.get(`/api/products/p%2F1/records?${query}`);
      return body as { entries: readonly { id: string; commandId: string }[]; next: string | null };
    };
    const all = await page('');
    expect(all).toMatchObject({
      entries: expect.arrayContaining([
        expect.objectContaining({ commandId: 'r-1', kind: 'product', externalReference: 'p/1', outcome: 'applied' }),
        expect.objectContaining({ commandId: 'v-1', kind: 'price', externalReference: 'p-1', outcome: 'applied' }),
        expect.objectContaining({ commandId: 'v-2', kind: 'stock', externalReference: 'p-1', outcome: 'applied' }),
      ]),
      next: null,
    });
    expect(all.entries.map(({ commandId }) => commandId)).toHaveLength(3);
    const first = await page('limit=2');
    expect(first.next).toBe(first.entries[1]!.id);
    expect((await page(`limit=2&before=${first.next}`)).entries).toEqual([all.entries[2]]);
    expect((await gondola.installation.get('/api/products/unheard-of/records')).status).toBe(404);
    expect((await gondola.installation.get('/api/products/p%2F1/records?limit=x')).status).toBe(400);
  });

  it('names what it cannot check if the platform does not answer, and explains an invalid request', async () => {
    gondola.shop().before = ({ method }) => (method === 'GET' ? { status: 500 } : undefined);
    const explained = await explain('unread');
    expect(explained.steps.find(({ step }) => step === 'inShop')).toMatchObject({ state: 'unknown', who: null });
    gondola.shop().before = () => undefined;
    expect((await gondola.installation.get('/api/products/1/explanation?language=fr')).status).toBe(400);
    expect((await gondola.installation.get('/api/products/1/explanation?tenant=nobody')).status).toBe(404);
  });
});
