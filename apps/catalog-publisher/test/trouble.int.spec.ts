import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { RunningApp } from '@gondola/service-kit/run/create-app';
import { fullProduct, fullSku, POLICY, rejectedReport, successReport } from './support/product-samples.ts';
import { CatalogInstallation } from './support/catalog-app.ts';
import { asOperator } from '@gondola/local-stack/testing/as-operator';
import type { PlatformRequest } from '@gondola/local-stack/testing/scripted-platform';
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
/** Default deadline of records. */
const DEADLINE_MS = 900_000;
const MAX_ATTEMPTS = 3;
const isPost = ({ method }: PlatformRequest): boolean => method === 'POST';

describe('trouble with the platform', () => {
  let gondola: CatalogInstallation;
  let app: RunningApp;

  const send = (tenant: string, ...records: object[]) =>
    gondola.produce(...records.map((value) => ({ value, headers: { ce_tenant: tenant } })));

  beforeAll(async () => {
    // Each has a pause of its own.
    const tenants = ['acme', 'quiet', 'locked', 'other', 'slow', 'poisoned'].map((id) => ({ id }));
    gondola = await CatalogInstallation.create('cp-trouble', tenants);
    app = await gondola.startApp();
    await gondola.readTopics();
  });

  afterEach(() => {
    for (const tenant of ['acme', 'locked', 'other']) gondola.shop(tenant).before = () => undefined;
  });

  afterAll(() => gondola.close());

  /** Lets a time pass for the open record of a product that was sent. */
  const pass = async (tenant: string, reference: string, ms: number) => {
    const its = "lanes.tenant = $1 AND lanes.kind = 'product' AND lanes.identity = $2";
    await gondola.query(
      `UPDATE commands SET deadline_at = deadline_at - $3 * interval '1 millisecond' FROM lanes
       WHERE lanes.id = lane_id AND ${its} AND state = 'open' AND first_sent_at IS NOT NULL`,
      [tenant, reference, ms],
    );
    await gondola.query(`UPDATE lanes SET due_at = now() WHERE ${its}`, [tenant, reference]);
  };
  /** Lets the deadline pass behind as many posts as it has room for; it is shared equally between them. */
  const passInSilence = async (reference: string) => {
    const before = gondola.shop('quiet').batchesOf(reference).length;
    for (let posts = 1; posts <= MAX_ATTEMPTS; posts += 1) {
      await gondola.until(() => gondola.shop('quiet').batchesOf(reference).length === before + posts);
      await pass('quiet', reference, DEADLINE_MS / MAX_ATTEMPTS);
    }
  };

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
    // Now and then a call probes whether it is still locked out, and is taken back.
    await gondola.until(async () => {
      const [open] = ((await shown()) as { open: { blocked: string | null; attempts: number; deadlineAt: unknown }[] })
        .open;
      const isBlocked = open?.blocked === 'credentials' || open?.blocked === 'paused';
      return isBlocked && open.attempts === 0 && open.deadlineAt === null;
    });
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

  it('that loses the answers of two records in a row ends the second by a read, not by the late report of the first (rules 16, 27)', async () => {
    const shop = gondola.shop();
    const losing = async (title: string, also: () => Promise<void>) => {
      shop.before = async (request) => {
        if (!isPost(request)) return undefined;
        shop.readModels.set('304', readModel('304', { title }));
        await also();
        return 'drop';
      };
      await send('acme', product('304', { title, recordId: `r-304 ${title}` }));
      return (await gondola.resultOf(`r-304 ${title}`)).value;
    };
    const byRead = { outcome: 'applied', evidence: 'read-back', attempts: 1 };
    expect(await losing('Primeiro', async () => {})).toMatchObject(byRead);
    await gondola.landLostCalls();
    const late = () => shop.report('00000000-0000-4000-8000-000000000304', rejectedReport('Slug', '304'));
    expect(await losing('Segundo', late)).toMatchObject(byRead);
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
    const shop = gondola.shop('poisoned');
    shop.before = (request) => (isPost(request) && request.body.includes('"poison"') ? { status: 500 } : undefined);
    await send('poisoned', ...POISONED.map((each) => product(each, { recordId: `r-${each}` })));
    for (const reference of POISONED.slice(1)) {
      expect((await gondola.resultOf(`r-${reference}`)).value).toMatchObject({ outcome: 'applied' });
    }
    await gondola.until(() => gondola.platform.requests.some(({ body }) => body.includes('"poison"')));
    await pass('poisoned', 'poison', DEADLINE_MS);
    expect((await gondola.resultOf('r-poison')).value).toMatchObject({ outcome: 'unconfirmed' });
  });

  it('that ends in silence makes Gondola read the product, send the record again, and conclude it unconfirmed at the deadline (rules 5, 27)', async () => {
    const shop = gondola.shop('quiet');
    shop.fates.set('400', silent);
    await send('quiet', product('400', { recordId: 'r-400' }));
    await passInSilence('400');
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
    shop.fates.set('401', silent);
    await send('quiet', product('401', { recordId: 'r-401' }));
    await passInSilence('401');
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
    shop.fates.set('402', silent);
    shop.readModels.set('402', readModel('402'));
    await send('quiet', product('402', { recordId: 'r-402' }));
    await gondola.until(() => shop.batchesOf('402').length === 1);
    await pass('quiet', '402', DEADLINE_MS / MAX_ATTEMPTS);
    expect((await gondola.resultOf('r-402')).value).toMatchObject({ outcome: 'applied', evidence: 'read-back' });
    await send('quiet', { externalReference: '402', ...BADGE, recordId: 'b-402' });
    await passInSilence('402');
    expect((await gondola.resultOf('b-402')).value).toMatchObject({ outcome: 'unconfirmed', attempts: 3 });
    shop.fates.set('402', enters);
    await send('quiet', { externalReference: '402', ...BADGE, recordId: 'c-402' });
    expect((await gondola.resultOf('c-402')).value).toMatchObject({ outcome: 'applied' });
  });

  it('that ends in silence for a product which a read finds gone has the next record that names a known value create it, not end unchanged (rule 28)', async () => {
    const shop = gondola.shop('quiet');
    await send('quiet', product('403', { recordId: 'r-403' }));
    expect((await gondola.resultOf('r-403')).value).toMatchObject({ outcome: 'applied' });
    const { name } = product('403');
    await send('quiet', { externalReference: '403', name, recordId: 'u-403' });
    expect((await gondola.resultOf('u-403')).value).toMatchObject({ outcome: 'unchanged' });
    shop.fates.set('403', silent);
    await send('quiet', { externalReference: '403', title: 'Outro', recordId: 't-403' });
    await passInSilence('403');
    expect((await gondola.resultOf('t-403')).value).toMatchObject({ outcome: 'unconfirmed' });
    await send('quiet', { externalReference: '403', name, recordId: 'n-403' });
    expect((await gondola.resultOf('n-403')).value).toMatchObject({
      outcome: 'invalid',
      reason: { code: 'FIELD_REQUIRED' },
    });
  });

  it('with the reading of one product delays no other product (guarantee 5)', async () => {
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    let isHeld = false;
    gondola.shop('slow').before = async ({ method, path }) => {
      if (method !== 'GET' || !path.endsWith('/hung')) return undefined;
      isHeld = true;
      await held;
      return undefined;
    };
    const change = { externalReference: 'hung', name: 'Queijo Minas novo', recordId: 'r-hung' };
    await send('slow', change, product('500', { recordId: 'r-500' }));
    await gondola.until(() => isHeld);
    expect((await gondola.resultOf('r-500')).value).toMatchObject({ outcome: 'applied' });
    expect(gondola.results('r-hung')).toEqual([]);
    release();
    expect((await gondola.resultOf('r-hung')).value).toMatchObject({
      outcome: 'invalid',
      reason: { code: 'FIELD_REQUIRED' },
    });
  });
});
