import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { RunningApp } from '@gondola/service-kit/run/create-app';
import { fullProduct, fullSku, POLICY, rejectedReport, successReport } from './support/product-samples.ts';
import { CatalogInstallation } from './support/catalog-app.ts';
import { asOperator } from '@gondola/local-stack/testing/as-operator';
import type { PlatformRequest } from '@gondola/local-stack/testing/platform-request';
import { enters, type Product, silent } from './support/shop.ts';

const product = (externalReference: string, more: object = {}): Product => ({
  ...fullProduct({ externalReference, skus: [fullSku({ externalReference: `${externalReference}-1` })] }),
  ...more,
  externalReference,
});

/** The read model of a product that was posted (docs/platform.md, "Product read model"). */
function readModel(externalReference: string, more: object = {}): object {
  const { commercialPolicyId: _, ...same } = fullProduct({ externalReference });
  const { unitOfMeasurement: unitOfMeasure, ...sku } = fullSku({
    externalReference: `${externalReference}-1`,
    id: 's',
  });
  return { ...same, id: 'p', commercialPoliticId: POLICY, skus: [{ ...sku, unitOfMeasure }], ...more };
}

const BADGE = { skus: [{ externalReference: '402-1', exhibitionBadge1: 'novo' }] };
const POISONED = ['poison', 'p1', 'p2', 'p3'];
const isPost = ({ method }: PlatformRequest): boolean => method === 'POST';

describe('trouble with the platform', () => {
  let gondola: CatalogInstallation;
  let app: RunningApp;

  const send = (tenant: string, ...records: object[]) =>
    gondola.produce(...records.map((value) => ({ value, headers: { ce_tenant: tenant } })));

  beforeAll(async () => {
    // Each has a pause of its own; "quiet" and "poisoned" have deadlines that a test can wait for, and which a busy
    // machine does not miss.
    const tenants = [
      { id: 'acme' },
      { id: 'quiet', deadlines: { commandMs: 12_000 } },
      { id: 'locked' },
      { id: 'other' },
      { id: 'slow' },
      { id: 'poisoned', deadlines: { commandMs: 15_000 } },
    ];
    gondola = await CatalogInstallation.create('cp-trouble', tenants, {
      PLATFORM_TIMEOUT_MS: '3000',
      LANE_LEASE_MS: '4500',
    });
    app = await gondola.startApp();
    await gondola.readTopics();
    // Their silence takes its time, which the other tests use.
    const quiet = gondola.shop('quiet');
    for (const reference of ['400', '401', '402']) quiet.fates.set(reference, silent);
    quiet.readModels.set('402', readModel('402'));
    await send('quiet', ...['400', '401', '402'].map((each) => product(each, { recordId: `r-${each}` })));
    await send('quiet', { externalReference: '402', ...BADGE, recordId: 'b-402' });
    let readings = 0;
    gondola.shop('slow').before = ({ method, path }) =>
      method === 'GET' && path.endsWith('/hung') && readings++ === 0 ? 'hang' : undefined;
    const change = { externalReference: 'hung', name: 'Queijo Minas novo', recordId: 'r-hung' };
    await send('slow', change, product('500', { recordId: 'r-500' }));
    const poisoned = gondola.shop('poisoned');
    poisoned.before = (request) => (isPost(request) && request.body.includes('"poison"') ? { status: 500 } : undefined);
    await send('poisoned', ...POISONED.map((each) => product(each, { recordId: `r-${each}` })));
  });

  afterEach(() => {
    for (const tenant of ['acme', 'locked', 'other']) gondola.shop(tenant).before = () => undefined;
  });

  afterAll(() => gondola.close());

  const shown = async () => (await asOperator(`${app.url}/api/products/200?tenant=locked`)).json();

  it('over one product halves its batch until it stands alone, and the others enter (rule 25)', async () => {
    const shop = gondola.shop();
    shop.before = (request) =>
      isPost(request) && request.body.includes('"culprit"') ? { status: 422, json: { title: 'no' } } : undefined;
    const references = Array.from({ length: 16 }, (_, index) => (index === 5 ? 'culprit' : `half-${index}`));
    await send('acme', ...references.map((reference) => product(reference, { recordId: reference })));
    for (const reference of references) await gondola.resultOf(reference);
    const outcome = (reference: string) => gondola.results(reference)[0]?.value;
    expect(outcome('culprit')).toMatchObject({
      outcome: 'refused',
      evidence: 'none',
      attempts: 1,
      platform: { statusCode: 422, message: '{"title":"no"}' },
      skus: [{ outcome: 'refused' }],
    });
    for (const reference of references.filter((each) => each !== 'culprit')) {
      expect(outcome(reference)).toMatchObject({ outcome: 'applied', attempts: 1 });
      expect(shop.batchesOf(reference)).toHaveLength(1);
    }
  });

  it('with the credentials stops only that tenant, refuses nothing, counts as no attempt, and ends with the right credentials (rule 17)', async () => {
    let isLocked = true;
    gondola.shop('locked').before = () => (isLocked ? { status: 401 } : undefined);
    await send('locked', product('200', { recordId: 'r-200' }), product('201', { recordId: 'r-201' }));
    await gondola.until(() =>
      gondola.platform.requests.some(({ contractAccountId }) => contractAccountId?.endsWith('2')),
    );
    await send('other', product('200', { recordId: 'r-200' }));
    await gondola.until(() => gondola.results('r-200').some(({ value }) => value['tenant'] === 'other'));
    await gondola.until(async () => {
      const { open } = (await shown()) as { open: { blocked: string | null }[] };
      return open[0]?.blocked === 'credentials' || open[0]?.blocked === 'paused';
    });
    expect(await shown()).toMatchObject({ open: [{ attempts: 0, deadlineAt: null }] });
    isLocked = false;
    const published = await gondola.resultOf('r-200', 2);
    expect(published.value).toMatchObject({ tenant: 'locked', outcome: 'applied', attempts: 1 });
    expect((await gondola.resultOf('r-201')).value).toMatchObject({ outcome: 'applied', attempts: 1 });
  });

  it('that loses an answer leaves the outcome to a report that came since (rules 16, 25)', async () => {
    const shop = gondola.shop();
    shop.before = async (request) => {
      if (!isPost(request)) return undefined;
      shop.before = () => undefined;
      await shop.report('00000000-0000-4000-8000-000000000300', successReport('300', ['300-1']));
      return 'drop';
    };
    await send('acme', product('300', { recordId: 'r-300' }));
    expect((await gondola.resultOf('r-300')).value).toMatchObject({
      outcome: 'applied',
      evidence: 'event',
      attempts: 1,
    });
    expect(shop.batchesOf('300')).toEqual([]);
  });

  it('that loses an answer makes Gondola read the product, and the record is applied if the product matches it (rules 16, 27)', async () => {
    const shop = gondola.shop();
    shop.before = (request) => {
      if (!isPost(request)) return undefined;
      shop.readModels.set('301', readModel('301'));
      return 'drop';
    };
    await send('acme', product('301', { recordId: 'r-301' }));
    expect((await gondola.resultOf('r-301')).value).toMatchObject({
      outcome: 'applied',
      evidence: 'read-back',
      attempts: 1,
      operationIds: [],
    });
  });

  it('that loses an answer makes Gondola send the record again, in a smaller batch, if the product does not match it (rule 16)', async () => {
    const shop = gondola.shop();
    let posts = 0;
    shop.before = (request) => {
      if (!isPost(request)) return undefined;
      posts += 1;
      return posts === 1 ? { status: 500 } : undefined;
    };
    const references = Array.from({ length: 12 }, (_, index) => `s${index}`);
    await send('acme', ...references.map((reference) => product(reference, { recordId: `r-${reference}` })));
    for (const reference of references) {
      expect((await gondola.resultOf(`r-${reference}`)).value).toMatchObject({ outcome: 'applied', evidence: 'event' });
    }
    const again = references.filter((reference) => gondola.results(`r-${reference}`)[0]?.value['attempts'] === 2);
    expect(again.length).toBeGreaterThan(0);
    for (const { products } of again.flatMap((reference) => shop.batchesOf(reference))) {
      expect(products.length).toBeLessThanOrEqual(10);
    }
  });

  it('over one product, each time it is posted, ends that one unconfirmed and lets the others of its batch in (guarantee 5)', async () => {
    for (const reference of POISONED.slice(1)) {
      expect((await gondola.resultOf(`r-${reference}`)).value).toMatchObject({ outcome: 'applied' });
    }
    expect((await gondola.resultOf('r-poison')).value).toMatchObject({ outcome: 'unconfirmed' });
  });

  it('that ends in silence makes Gondola read the product, send the record again, and conclude it unconfirmed at the deadline (rules 5, 27)', async () => {
    const shop = gondola.shop('quiet');
    const { value } = await gondola.resultOf('r-400');
    expect(value).toMatchObject({
      outcome: 'unconfirmed',
      evidence: 'none',
      reason: { code: 'PLATFORM_SILENT' },
      attempts: 3,
      skus: [{ externalReference: '400-1', outcome: 'unconfirmed' }],
    });
    expect(value['operationIds']).toEqual(shop.batchesOf('400').map(({ operationId }) => operationId));
    expect(shop.reads.filter((reference) => reference === '400').length).toBeGreaterThanOrEqual(3);
  });

  it('that is broken by a late report brings one correction (guarantee 3)', async () => {
    const shop = gondola.shop('quiet');
    const { value } = await gondola.resultOf('r-401');
    const [first, second] = shop.batchesOf('401');
    await shop.report(first!.operationId, rejectedReport('Name', '401'));
    const corrected = await gondola.resultOf('r-401', 2);
    expect(corrected.key).toBe('quiet:result:erp.catalog.products.v1:r-401:corrected');
    expect(corrected.value).toMatchObject({
      outcome: 'corrected',
      final: true,
      correctedOutcome: 'refused',
      corrects: value['id'],
      commandId: 'r-401',
      evidence: 'event',
      errors: [{ field: 'name' }],
    });
    await shop.report(second!.operationId, successReport('401', ['401-1']));
    shop.fates.set('401', enters);
    await send('quiet', product('401', { recordId: 's-401' }));
    expect((await gondola.resultOf('s-401')).value).toMatchObject({ outcome: 'applied', evidence: 'event' });
    expect(gondola.results('r-401')).toHaveLength(2);
  });

  it('that ends in silence leaves the record applied if the product matches it, but not if the changed value cannot be read (rule 27)', async () => {
    const shop = gondola.shop('quiet');
    expect((await gondola.resultOf('r-402')).value).toMatchObject({ outcome: 'applied', evidence: 'read-back' });
    expect((await gondola.resultOf('b-402')).value).toMatchObject({ outcome: 'unconfirmed', attempts: 3 });
    shop.fates.set('402', enters);
    await send('quiet', { externalReference: '402', ...BADGE, recordId: 'c-402' });
    expect((await gondola.resultOf('c-402')).value).toMatchObject({ outcome: 'applied' });
  });

  it('with the reading of one product delays no other product (guarantee 5)', async () => {
    await gondola.resultOf('r-500');
    expect((await gondola.resultOf('r-hung')).value).toMatchObject({
      outcome: 'invalid',
      reason: { code: 'FIELD_REQUIRED' },
    });
    const order = gondola.results().map(({ value }) => value['commandId']);
    expect(order.indexOf('r-500')).toBeLessThan(order.indexOf('r-hung'));
  });
});
