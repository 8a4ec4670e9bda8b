import type { JsonRecord } from '@gondola/shared/json/json-digits';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CatalogInstallation } from './support/catalog-app.ts';
import { fullProduct, fullSku, rejectedReport } from './support/product-samples.ts';
import { category, failure } from './support/references.ts';

const PRODUCTS = 20_000;

const product = (externalReference: string, more: JsonRecord) =>
  fullProduct({
    externalReference,
    slug: `slug-${externalReference}`,
    skus: [fullSku({ externalReference: `${externalReference}-1`, ean: '7891000100103' })],
    ...more,
  });

describe('the lists of products and rejections, on real Kafka and PostgreSQL', () => {
  let gondola: CatalogInstallation;

  beforeAll(async () => {
    gondola = await CatalogInstallation.create('cp-lists', [
      { id: 'acme', deadlines: { settleMs: 50 }, language: 'en' },
    ]);
    await gondola.startApp();
    await gondola.readTopics();
  });

  afterAll(() => gondola.close());

  async function get<T>(path: string): Promise<T> {
    const { status, body } = await gondola.installation.get(`/api/${path}`);
    expect(status).toBe(200);
    return body as T;
  }

  interface Listed {
    readonly entries: readonly { readonly externalReference: string; readonly [field: string]: unknown }[];
    readonly next: string | null;
  }

  const referencesOf = async (path: string) =>
    (await get<Listed>(path)).entries.map(({ externalReference }) => externalReference);

  it('show a rejected record by its first error until a record of its entity is applied', async () => {
    await gondola.produce({
      value: product('r/1', { recordId: 'r-1', name: 'Queijo Coalho Açaí', title: 7 }),
      isBad: true,
    });
    await gondola.produce({ value: product('r/2', { recordId: 'r-2', punctuation: 'x', title: 7 }), isBad: true });
    await gondola.produceTo('erp.catalog.brands.v1', {
      value: { externalReference: 'b-1', name: 7, recordId: 'v-1' },
      isBad: true,
    });
    const outcomes = await Promise.all(['r-1', 'r-2', 'v-1'].map(async (id) => (await gondola.resultOf(id)).value));
    expect(outcomes).toMatchObject([{ outcome: 'invalid' }, { outcome: 'invalid' }, { outcome: 'invalid' }]);
    const listed = await get<Listed>('rejections');
    const [first] = listed.entries;
    expect(new Set(await referencesOf('rejections?kind=product'))).toEqual(new Set(['r/1', 'r/2']));
    expect(listed.entries).toHaveLength(3);
    expect(await referencesOf(`rejections?limit=2&before=${first!['id'] as string}`)).toHaveLength(2);
    const { groups } = await get<{ groups: readonly { field: string; count: number }[] }>('rejections/groups');
    const titles = groups.find(({ field }) => field === 'title');
    expect(titles).toMatchObject({
      count: expect.any(Number),
      isMore: false,
      example: { message: expect.any(String) },
    });
    expect(groups.reduce((sum, { count }) => sum + count, 0)).toBe(3);

    expect(await get<Listed>('products?search=ACAI')).toMatchObject({
      entries: [
        {
          externalReference: 'r/1',
          name: 'Queijo Coalho Açaí',
          exists: false,
          isOpen: false,
          rejection: { commandId: 'r-1', outcome: 'invalid', reason: expect.any(String) },
        },
      ],
    });
    await gondola.produce({ value: product('r/1', { recordId: 'r-3', name: 'Queijo Coalho Açaí' }) });
    expect((await gondola.resultOf('r-3')).value).toMatchObject({ outcome: 'applied' });
    expect(await referencesOf('rejections?kind=product')).toEqual(['r/2']);
    expect((await get<Listed>('products?search=r/1')).entries[0]).toMatchObject({ rejection: null });
  });

  it('show what the platform refused, also if it had been presumed', async () => {
    gondola.shop().fates.set('r/4', () => rejectedReport('Slug', 'r/4'));
    await gondola.produce({ value: product('r/4', { recordId: 'r-4' }) });
    const { value } = await gondola.resultOf('r-4');
    expect(value).toMatchObject({ outcome: 'refused' });
    const [listed] = (await get<Listed>('rejections?limit=1')).entries;
    expect(listed).toMatchObject({ externalReference: 'r/4', outcome: 'refused', commandId: 'r-4' });

    await gondola.produceTo('erp.catalog.categories.v1', { value: category('late', { recordId: 'c-1' }) });
    expect((await gondola.resultOf('c-1')).value).toMatchObject({ outcome: 'applied', evidence: 'presumed' });
    expect(await referencesOf('rejections?kind=category')).toEqual([]);
    const { operationId } = gondola.shop().referencesOf('late').at(-1)!;
    await gondola.notify('acme', failure({ operationId, kind: 'Category', reference: 'late' }));
    expect((await gondola.resultOf('c-1', 2)).value).toMatchObject({ outcome: 'corrected' });
    expect(await referencesOf('rejections?kind=category')).toEqual(['late']);
  });

  it('show a refusal whose field is longer than an index takes', async () => {
    // Ideographs of three bytes each, in an order that does not compress.
    const field = Array.from({ length: 1_000 }, (_, n) => String.fromCharCode(0x4e00 + ((n * 7_919) % 20_000))).join(
      '',
    );
    gondola.shop().fates.set('r/6', () => rejectedReport(field, 'r/6'));
    await gondola.produce({ value: product('r/6', { recordId: 'r-6' }) });
    expect((await gondola.resultOf('r-6')).value).toMatchObject({ outcome: 'refused' });
    const [listed] = (await get<Listed>('rejections?limit=1')).entries;
    expect(listed).toMatchObject({ externalReference: 'r/6', field: expect.stringMatching(/^\p{Script=Han}{10,}/u) });
  });

  it('find products by reference, words and EAN, page by page, by an index', async () => {
    await gondola.query(`INSERT INTO products (lane_id, tenant, external_reference, known, name, words)
      SELECT 1000000 + n, 'acme', 'many-' || lpad(n::text, 5, '0'), '{}', 'Produto ' || n, 'Produto ' || n || ' 789' || lpad(n::text, 10, '0')
      FROM generate_series(1, ${PRODUCTS}) AS n`);
    expect(await referencesOf('products?search=many-0001&limit=3')).toEqual(['many-00010', 'many-00011', 'many-00012']);
    expect(await referencesOf('products?search=produto%20123&limit=200')).toContain('many-12345');
    expect(await referencesOf('products?search=7890000012345')).toEqual(['many-12345']);
    expect(await referencesOf('products?search=many_0001%25')).toEqual([]);
    const first = await get<Listed>('products?limit=2');
    const second = await get<Listed>(`products?limit=2&after=${encodeURIComponent(first.next!)}`);
    expect([...first.entries, ...second.entries]).toEqual((await get<Listed>('products?limit=4')).entries);
    await gondola.query('ANALYZE products');
    const search = `SELECT 1 FROM products WHERE tenant = 'acme'
      AND (external_reference LIKE '78900000123%' OR folded @@ to_tsquery('simple', '78900000123:*')) ORDER BY external_reference LIMIT 50`;
    const plan = JSON.stringify(await gondola.query(`EXPLAIN ${search}`));
    expect(plan).toMatch(/products_(?:words|tenant_external_reference_key)/);
    expect(plan).not.toContain('Seq Scan');
  });
});
