import type { PlatformRequest } from '@gondola/local-stack/testing/scripted-platform';
import type { Reply } from '@gondola/local-stack/testing/test-server';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { LaneWorkers } from '@gondola/lanes/lanes/lane-workers';
import type { RunningApp } from '@gondola/service-kit/run/create-app';
import { CatalogInstallation } from './support/catalog-app.ts';
import { fullProduct, fullSku, POLICY, successReport } from './support/product-samples.ts';
import { guidOf, readModelOf } from './support/read-models.ts';
import { enters, type Product } from './support/shop.ts';

const TENANTS = ['acme', 'small', 'busy', 'slow', 'quick', 'priced', 'patched', 'alone'] as const;
const SKUS = ['a', 'b', 'c', 'd'];
/** Calls that the platform of a tenant takes at once, by default. */
const CONCURRENCY = 4;
/** Attempts that are stored and not answered yet. */
const PENDING = `
  SELECT count(*)::integer AS pending FROM commands
  WHERE state = 'open' AND tenant = 'alone' AND progress::jsonb #>> '{attempts,-1,answer,kind}' = 'pending'`;

const product = (externalReference: string, more: object = {}): Product => ({
  ...fullProduct({ externalReference, skus: [fullSku({ externalReference: `${externalReference}-1` })] }),
  ...more,
  externalReference,
});
const isPost = ({ method }: PlatformRequest) => method === 'POST';

describe('sending', () => {
  let gondola: CatalogInstallation;
  let app: RunningApp;

  const send = (tenant: string, ...records: object[]) =>
    gondola.produce(...records.map((value) => ({ value, headers: { ce_tenant: tenant } })));
  const outcomeOf = async (commandId: string) => (await gondola.resultOf(commandId)).value;

  const anomalies = async () => {
    const metrics = await (await fetch(`${app.url}/metrics`)).text();
    return Number(/gondola_catalog_report_anomalies_total\{kind="product"\} (\d+)/.exec(metrics)?.[1] ?? 0);
  };

  beforeAll(async () => {
    gondola = await CatalogInstallation.create(
      'cp-sending',
      TENANTS.map((id) => ({ id, deadlines: { settleMs: 300 } })),
    );
    app = await gondola.startApp();
    await gondola.readTopics();
  });

  afterEach(() => {
    for (const tenant of TENANTS) gondola.shop(tenant).before = () => undefined;
  });

  afterAll(() => gondola.close());

  it('a batch that is too large for the platform (413) is halved until it fits, and one that never does is refused (rule 25)', async () => {
    const shop = gondola.shop('small');
    const most = JSON.stringify([product('s0'), product('s1'), product('s2')]).length;
    shop.before = (request) => (isPost(request) && request.body.length > most ? { status: 413 } : undefined);
    const references = Array.from({ length: 12 }, (_, index) => `s${index}`);
    const huge = product('huge', { longDescription: 'longa '.repeat(1_000), recordId: 'r-huge' });
    await send('small', ...references.map((reference) => product(reference, { recordId: `r-${reference}` })), huge);
    for (const reference of references) {
      expect(await outcomeOf(`r-${reference}`)).toMatchObject({ outcome: 'applied', attempts: 1 });
      expect(shop.batchesOf(reference)).toHaveLength(1);
    }
    expect(await outcomeOf('r-huge')).toMatchObject({ outcome: 'refused', platform: { statusCode: 413 } });
  });

  it('a 429 counts as no attempt: the tenant waits as long as Retry-After demands, and nothing is refused (rule 17)', async () => {
    const shop = gondola.shop('busy');
    let refusals = 0;
    shop.before = (request) => {
      if (!isPost(request) || refusals === 2) return undefined;
      refusals += 1;
      return { status: 429, headers: { 'retry-after': '1' } };
    };
    await send('busy', product('429', { recordId: 'r-429' }));
    expect(await outcomeOf('r-429')).toMatchObject({ outcome: 'applied', attempts: 1 });
    expect(refusals).toBe(2);
  });

  it('to the slow platform of one tenant delays no other tenant (guarantee 5)', async () => {
    const held: ((reply: Reply | undefined) => void)[] = [];
    gondola.shop('slow').before = (request) =>
      isPost(request) ? new Promise((resolve) => held.push(resolve)) : undefined;
    const many = Array.from({ length: 300 }, (_, index) => product(`w${index}`, { recordId: `w-${index}` }));
    await send('slow', ...many);
    await gondola.until(() => held.length > 0);
    const few = ['q0', 'q1', 'q2'];
    await send('quick', ...few.map((reference) => product(reference, { recordId: reference })));
    for (const reference of few) expect(await outcomeOf(reference)).toMatchObject({ outcome: 'applied' });
    expect(gondola.results('w-0')).toEqual([]);
    gondola.shop('slow').before = () => undefined;
    for (const answer of held) answer(undefined);
    for (const { recordId } of many as unknown as { recordId: string }[]) await gondola.resultOf(recordId);
    expect(gondola.shop('slow').batches.flatMap(({ products }) => products)).toHaveLength(many.length);
  });

  it('two patches of one product that come together are two requests, each with exactly its keys (rule 21)', async () => {
    const shop = gondola.shop('patched');
    await send('patched', product('2p', { recordId: 'whole' }));
    await gondola.resultOf('whole');
    await send(
      'patched',
      { externalReference: '2p', name: 'Queijo novo', brandExternalReference: null, recordId: 'one' },
      {
        externalReference: '2p',
        punctuation: 20,
        skus: [{ externalReference: '2p-1', ean: '7891000053508' }],
        recordId: 'two',
      },
    );
    expect(await outcomeOf('one')).toMatchObject({ outcome: 'applied' });
    expect(await outcomeOf('two')).toMatchObject({ outcome: 'applied' });
    expect(
      shop
        .batchesOf('2p')
        .slice(1)
        .map(({ products }) => products),
    ).toEqual([
      [{ externalReference: '2p', name: 'Queijo novo', brandExternalReference: null }],
      [{ externalReference: '2p', punctuation: 20, skus: [{ externalReference: '2p-1', ean: '7891000053508' }] }],
    ]);
  });

  it('a report that does not add up ends the record by its fields, and is counted (rule 26)', async () => {
    const before = await anomalies();
    const shop = gondola.shop();
    shop.fates.set('odd', (sent) => {
      const report = successReport(sent.externalReference, ['odd-1']);
      return { ...report, skus: { ...report.skus, total: 7 }, summary: { ...report.summary, status: 'Failed' } };
    });
    shop.fates.set('even', enters);
    await send('acme', product('odd', { recordId: 'r-odd' }), product('even', { recordId: 'r-even' }));
    expect(await outcomeOf('r-odd')).toMatchObject({ outcome: 'applied', evidence: 'event' });
    await gondola.resultOf('r-even');
    await gondola.until(async () => (await anomalies()) === before + 1);
  });

  it('stores attempts of a step only for the batches that may be called at once (rule 15)', async () => {
    const many = Array.from({ length: 40 }, (_, index) => `w${index}`);
    const workers = app.app.get(LaneWorkers, { strict: false });
    await workers.stop();
    // Without an `id` each warehouse goes in a call of its own.
    await gondola.produceTo(
      'erp.catalog.warehouses.v1',
      ...many.map((externalReference) => ({
        value: { externalReference, data: { name: 'Loja' }, recordId: `r-${externalReference}` },
        headers: { ce_tenant: 'alone' },
      })),
    );
    await gondola.until(
      async () => (await gondola.query("SELECT 1 FROM lanes WHERE kind = 'warehouse'")).length === many.length,
    );
    const pending: number[] = [];
    gondola.shop('alone').before = async () => {
      const [row] = await gondola.query(PENDING);
      pending.push(Number(row!['pending']));
      return undefined;
    };
    await workers.start();
    for (const reference of many) expect(await outcomeOf(`r-${reference}`)).toMatchObject({ outcome: 'applied' });
    expect(pending).toHaveLength(many.length);
    expect(Math.max(...pending)).toBeLessThanOrEqual(CONCURRENCY);
  });

  it('of prices in one batch: a failure refuses the price that it names, and the others are applied (rule 30)', async () => {
    const shop = gondola.shop('priced');
    const skus = SKUS.map((each) => fullSku({ externalReference: each, reference: each }));
    shop.readModels.set('1', readModelOf('1', skus));
    await send('priced', { ...fullProduct({ externalReference: '1' }), skus, recordId: 'r-1' });
    for (const sku of SKUS) await gondola.skuOf(sku);
    // While no worker runs, prices gather and go together.
    const workers = app.app.get(LaneWorkers, { strict: false });
    await workers.stop();
    await gondola.produceTo(
      'erp.catalog.prices.v1',
      ...SKUS.map((sku) => ({
        value: { externalReference: sku, policy: POLICY, data: { price: '1.00' }, recordId: `p-${sku}` },
        headers: { ce_tenant: 'priced' },
      })),
    );
    await gondola.until(
      async () => (await gondola.query("SELECT 1 FROM lanes WHERE kind = 'price'")).length === SKUS.length,
    );
    await workers.start();
    const shared = () => shop.references.find(({ route, items }) => route === 'Pricing' && items.length > 1);
    await gondola.until(() => shared() !== undefined);
    const { operationId, items } = shared()!;
    const [first] = items as { skuId: string }[];
    const culprit = SKUS.find((sku) => guidOf(sku) === first!.skuId)!;
    await gondola.notify('priced', {
      operationId,
      relatedEntity: 'SKUPricing',
      eventType: 'SKUPricing_UpdateFailed',
      data: { skuId: first!.skuId, commercialPolicyId: POLICY },
      error: { statusCode: 422, message: '{}', validationErrors: [{ id: 1, key: 'price', validation: 'too low' }] },
    });
    // It may have settled before the failure came; then it is corrected.
    await gondola.until(() =>
      gondola
        .results(`p-${culprit}`)
        .some(({ value }) => (value['correctedOutcome'] ?? value['outcome']) === 'refused'),
    );
    for (const sku of SKUS.filter((each) => each !== culprit)) {
      expect(await outcomeOf(`p-${sku}`)).toMatchObject({ outcome: 'applied' });
      expect(gondola.results(`p-${sku}`)).toHaveLength(1);
    }
  });
});
