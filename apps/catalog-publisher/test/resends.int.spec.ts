import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CatalogInstallation } from './support/catalog-app.ts';
import { countsOf, LoadsClient } from './support/loads.ts';
import { fullProduct, fullSku, rejectedReport, successReport } from './support/product-samples.ts';
import { readModelOf } from './support/read-models.ts';
import { brand } from './support/references.ts';
import { type Batch, silent } from './support/shop.ts';

const MANY = 130;

const product = (reference: string, more: object = {}) => ({
  ...fullProduct({ externalReference: reference, slug: reference }),
  skus: [fullSku({ externalReference: `${reference}-1`, reference })],
  recordId: `r-${reference}`,
  ...more,
});
const category = (externalReference: string, parentExternalReference?: string) => ({
  externalReference,
  name: externalReference,
  ...(parentExternalReference !== undefined && { parentExternalReference }),
  recordId: `r-${externalReference}`,
});

const OPEN = "SELECT 1 FROM commands WHERE command_id = $1 AND state = 'open'";

const ofTenant = (tenant: string) => (value: object) => ({ value, headers: { ce_tenant: tenant } });
const ofAcme = ofTenant('acme');

/** A product as each of these batches has it. */
const productIn = (batches: readonly Batch[], reference: string) =>
  batches.flatMap(({ products }) => products.filter(({ externalReference }) => externalReference === reference));

describe('a resend', () => {
  let gondola: CatalogInstallation;
  let client: LoadsClient;

  /** Ids of the records of a product that the ERP has final results of, oldest first. */
  const endsOf = (reference: string) =>
    gondola
      .results()
      .filter(({ headers, value }) => headers['ce_subject'] === `product/${reference}` && value['final'] === true)
      .map(({ value }) => value['commandId']);
  const isApplied = (id: string) =>
    gondola.results(id).some(({ value }) => (value['correctedOutcome'] ?? value['outcome']) === 'applied');
  const clientOf = (tenant: string) => new LoadsClient(() => gondola.installation.running.url, tenant);
  const done = async (loadId: string, of = client) => {
    await gondola.until(async () => (await of.load(loadId)).open === 0);
    return countsOf(await of.load(loadId));
  };

  beforeAll(async () => {
    gondola = await CatalogInstallation.create('cp-resends', [
      { id: 'acme', deadlines: { settleMs: 50 } },
      { id: 'brief', deadlines: { commandMs: 5_000 } },
    ]);
    await gondola.startApp();
    await gondola.startApp();
    await gondola.readTopics();
    client = clientOf('acme');
    await gondola.produceTo('erp.catalog.brands.v1', ofAcme(brand('serra', { recordId: 'r-serra' })));
    const tree = [category('frios'), category('queijos', 'frios'), category('frescos', 'queijos'), category('bebidas')];
    await gondola.produceTo('erp.catalog.categories.v1', ...tree.map(ofAcme));
    const products = [
      product('minas', { categoryExternalReference: 'frescos', brandExternalReference: 'serra' }),
      product('prato', { categoryExternalReference: 'queijos' }),
      product('suco', { categoryExternalReference: 'bebidas' }),
      ...Array.from({ length: MANY }, (_, index) => product(`p-${index}`)),
    ];
    await gondola.produce(...products.map(ofAcme));
    await gondola.until(() => [...tree, ...products].every(({ recordId }) => isApplied(recordId)));
  });

  afterAll(() => gondola.close());

  it('of a product has its known state at that time, and the ERP gets no result', async () => {
    await gondola.produce(ofAcme({ externalReference: 'minas', punctuation: 12, recordId: 'change' }));
    await gondola.resultOf('change');
    const before = gondola.shop().batchesOf('minas').length;
    const { status, body } = await client.resend({ product: 'minas' });
    expect([status, body.source, body.expected, body.total]).toEqual([202, 'resend', 1, 1]);
    expect(await done(body.loadId)).toEqual({ applied: 1 });
    const { recordId: _, ...whole } = product('minas', {
      categoryExternalReference: 'frescos',
      brandExternalReference: 'serra',
      punctuation: 12,
    });
    // Text in a numeric field is posted as a number of the same digits.
    const [sku] = whole.skus;
    const skus = [{ ...sku, arithmeticFactor: 0.1 }];
    expect(productIn(gondola.shop().batches, 'minas').slice(before)).toEqual([{ ...whole, skus }]);
    // Results of one product come in their order: what came of the resend would come before this one's.
    await gondola.produce(ofAcme({ externalReference: 'minas', punctuation: 12, recordId: 'behind' }));
    expect((await gondola.resultOf('behind')).value).toMatchObject({ outcome: 'unchanged' });
    expect(endsOf('minas')).toEqual(['r-minas', 'change', 'behind']);
  });

  it('of a category includes its subcategories and their products, each once, from the top', async () => {
    const shop = gondola.shop();
    const before = { references: shop.references.length, batches: shop.batches.length };
    const { body } = await client.resend({ category: 'frios' });
    expect(await done(body.loadId)).toEqual({ applied: 5 });
    const posted = shop.references.slice(before.references);
    expect(
      posted.map(({ items }) => items.map((item) => (item as { externalReference: string }).externalReference)),
    ).toEqual([['frios'], ['queijos'], ['frescos']]);
    expect(posted[1]?.items).toMatchObject([{ name: 'queijos', parentExternalReference: 'frios' }]);
    // In one batch or in two.
    const products = shop.batches.slice(before.batches).flatMap((batch) => batch.products);
    expect(products.map(({ externalReference }) => externalReference).toSorted()).toEqual(['minas', 'prato']);
    expect(gondola.results('r-queijos').filter(({ value }) => value['final'] === true)).toHaveLength(1);
  });

  it('lets new records pass, and queues at most a page at a time', async () => {
    const fates = gondola.shop();
    let isHeld = true;
    const held: (() => void)[] = [];
    fates.before = async ({ method, body }) => {
      if (method === 'POST' && isHeld && body.includes('"p-')) await new Promise<void>((go) => held.push(go));
      return undefined;
    };
    const { body } = await client.resend({ everything: true });
    expect(body.expected).toBe(MANY + 8);
    await gondola.until(() => held.length > 0);
    await gondola.produce(ofAcme(product('new')));
    gondola.shop().readModels.set('suco', readModelOf('suco', [fullSku({ externalReference: 'suco-1' })]));
    expect((await gondola.resultOf('r-new')).value).toMatchObject({ outcome: 'applied' });
    const open = await gondola.query(
      `SELECT count(*)::int AS open FROM commands WHERE queue = 'resend' AND state = 'open'`,
    );
    expect(open[0]?.['open']).toBeLessThanOrEqual(50);
    expect((await client.load(body.loadId)).total).toBe(MANY + 8);
    isHeld = false;
    for (const go of held) go();
    expect(await done(body.loadId)).toEqual({ applied: MANY + 8 });
    fates.before = () => undefined;
  });

  it('waits behind the records of its own product, and is not overtaken once it was sent', async () => {
    const shop = gondola.shop();
    shop.fates.set('suco', silent);
    const { body } = await client.resend({ product: 'suco' });
    const sent = shop.batchesOf('suco').length + 1;
    await gondola.until(() => shop.batchesOf('suco').length === sent);
    await gondola.produce(ofAcme({ externalReference: 'suco', punctuation: 44, recordId: 'newer' }));
    await gondola.until(async () => (await gondola.query(OPEN, ['newer'])).length === 1);
    const again = await client.resend({ product: 'suco' });
    await gondola.until(async () => (await gondola.query(OPEN, [`resend/${again.body.loadId}/suco`])).length === 1);
    expect(shop.batchesOf('suco')).toHaveLength(sent);
    shop.fates.delete('suco');
    await shop.report(shop.batchesOf('suco')[sent - 1]!.operationId, successReport('suco', ['suco-1']));
    expect((await gondola.resultOf('newer')).value).toMatchObject({ outcome: 'applied' });
    expect(await done(again.body.loadId)).toEqual({ applied: 1 });
    expect(
      productIn(shop.batches, 'suco')
        .slice(sent - 1)
        .map(({ punctuation }) => punctuation),
    ).toEqual([10, 44, 44]);
    expect(await done(body.loadId)).toEqual({ applied: 1 });
  });

  it('that the platform refuses is counted so and changes nothing that is known', async () => {
    gondola.shop().fates.set('p-0', () => rejectedReport('Slug', 'p-0'));
    const { body } = await client.resend({ product: 'p-0' });
    expect(await done(body.loadId)).toEqual({ refused: 1 });
    expect((await client.load(body.loadId)).notApplied).toMatchObject([{ identity: 'p-0', outcome: 'refused' }]);
    expect((await client.get('/api/products/p-0')).body).toMatchObject({
      lastEnd: { command: 'resend', outcome: 'refused' },
    });
    gondola.shop().fates.clear();
  });

  it('is counted as unconfirmed if the platform stays silent, and does not change the known state', async () => {
    const shop = gondola.shop('brief');
    const ofBrief = ofTenant('brief');
    await gondola.produce(ofBrief({ ...product('quieto'), recordId: 'first' }));
    await gondola.until(() => isApplied('first'));
    shop.fates.set('quieto', silent);
    // The shop still has it, with other values.
    shop.readModels.set('quieto', readModelOf('quieto', product('quieto').skus));
    const brief = clientOf('brief');
    const { body } = await brief.resend({ product: 'quieto' });
    expect(await done(body.loadId, brief)).toEqual({ unconfirmed: 1 });
    await shop.report(shop.batchesOf('quieto').at(-1)!.operationId, rejectedReport('Slug', 'quieto'));
    shop.fates.clear();
    // Its own report comes behind that of the resend.
    await gondola.produce(ofBrief(product('marco')));
    await gondola.until(() => isApplied('r-marco'));
    await gondola.produce(ofBrief({ ...product('quieto'), recordId: 'same' }));
    expect((await gondola.resultOf('same')).value).toMatchObject({ outcome: 'unchanged' });
    expect([...new Set(endsOf('quieto'))]).toEqual(['first', 'same']);
    expect(gondola.results().filter(({ value }) => String(value['command']) === 'resend')).toEqual([]);
  });

  it.each([{}, { product: 'minas', everything: true }, { product: 4 }, { everything: false }])(
    'is one thing that is asked for, and not %j',
    async (selection) => {
      expect((await client.resend(selection)).status).toBe(400);
    },
  );

  it('is nothing where nothing is known', async () => {
    expect((await client.resend({ product: 'nothing' })).status).toBe(404);
    expect((await client.resend({ category: 'nothing' })).status).toBe(404);
  });
});
