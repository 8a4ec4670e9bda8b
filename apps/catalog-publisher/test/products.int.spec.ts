import { openApiGaps } from '@gondola/service-kit/testing/openapi-gaps';
import type { OpenAPIObject } from '@nestjs/swagger';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { asOperator } from '@gondola/local-stack/testing/as-operator';
import type { RunningApp } from '@gondola/service-kit/run/create-app';
import { fullProduct, fullSku, partialReport, rejectedReport } from './support/product-samples.ts';
import { CatalogInstallation } from './support/catalog-app.ts';

const product = (externalReference: string, more: { recordId: string; [field: string]: unknown }) => ({
  ...fullProduct({
    externalReference,
    slug: `slug-${externalReference}`,
    skus: [fullSku({ externalReference: `${externalReference}-1` })],
  }),
  ...more,
});

describe('a product record, on real Kafka and PostgreSQL', () => {
  let gondola: CatalogInstallation;
  let app: RunningApp;
  const logLines: string[] = [];

  beforeAll(async () => {
    const catalog = { defaults: { product: { punctuation: 7 } } };
    gondola = await CatalogInstallation.create('cp-products', [
      { id: 'acme' },
      { id: 'lacking', catalog, language: 'en' },
    ]);
    app = await gondola.startApp(logLines);
    await gondola.readTopics();
  });

  afterAll(() => gondola.close());

  const send = (value: object, headers: Record<string, string> = { ce_tenant: 'acme' }) =>
    gondola.produce({ value, headers });
  /** Sends a record of one product, and waits for its result. */
  const resultOf = async (recordId: string, record: object) => {
    await send({ ...record, externalReference: '107', recordId });
    return (await gondola.resultOf(recordId)).value;
  };

  it('ends applied by the event, in exactly the contract’s words (contract, Results)', async () => {
    await send(product('100', { recordId: 'r-100', ean: '7891000100104' }));
    const { key, headers, value } = await gondola.resultOf('r-100');
    expect(key).toBe('acme:result:erp.catalog.products.v1:r-100:applied');
    const batch = gondola.shop().batchesOf('100')[0]!;
    const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect(value).toEqual({
      id: key,
      type: 'gondola.result.v1',
      tenant: 'acme',
      time,
      commandId: 'r-100',
      parentCommandId: null,
      command: 'upsert',
      entity: { kind: 'product', externalReference: '100' },
      outcome: 'applied',
      final: true,
      revision: null,
      reason: null,
      errors: [],
      warnings: [
        { field: 'ean', code: 'GTIN_INVALID', message: expect.any(String) },
        { field: 'categoryExternalReference', code: 'CATEGORY_MISSING', message: expect.any(String) },
      ],
      data: null,
      evidence: 'event',
      operationIds: [batch.operationId],
      attempts: 1,
      receivedAt: time,
      finishedAt: value['time'],
      platform: null,
      skus: [{ externalReference: '100-1', outcome: 'applied', errors: [] }],
    });
    expect(headers).toEqual({
      'content-type': 'application/json',
      ce_specversion: '1.0',
      ce_id: key,
      ce_source: '/gondola/catalog-publisher',
      ce_type: 'gondola.result.v1',
      ce_subject: 'product/100',
      ce_time: value['time'],
      ce_tenant: 'acme',
      ce_partitionkey: 'acme/product/100',
      ce_commandid: 'r-100',
      traceparent: expect.stringMatching(/^00-[0-9a-f]{32}-[0-9a-f]{16}-0[01]$/),
    });
  });

  it('is posted with the ERP’s own digits and the tenant’s account, in the trace it came with (rules 21, 36)', async () => {
    const text = JSON.stringify(product('101', { recordId: 'r-101' })).replace('"weightReal":1', '"weightReal":1.10');
    const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
    const headers = { ce_tenant: 'acme', traceparent: `00-${traceId}-00f067aa0ba902b7-01` };
    await gondola.produce({ key: '101', value: text, headers });
    const published = await gondola.resultOf('r-101');
    const request = gondola.platform.requests.find(({ body }) => body.includes('"101"'))!;
    expect(request).toMatchObject({ contractAccountId: '11111111-1111-4111-8111-111111111110' });
    expect(request.body).toContain('"weightReal":1.10');
    expect(request.body).not.toContain('recordId');
    expect(request.traceparent).toContain(traceId);
    expect(published.headers['traceparent']).toBe(headers.traceparent);
  });

  it('ends by a report that came before the answer (rule 25)', async () => {
    const shop = gondola.shop();
    shop.outcomeFirst = true;
    await send(product('102', { recordId: 'r-102' }));
    expect((await gondola.resultOf('r-102')).value).toMatchObject({
      outcome: 'applied',
      evidence: 'event',
      attempts: 1,
    });
    shop.outcomeFirst = false;
    expect(shop.batchesOf('102')).toHaveLength(1);
  });

  it('that entered in part is refused by SKU and property, in the ERP’s names (rule 26)', async () => {
    gondola.shop().fates.set('103', () => partialReport('103', '103-1', '103-2'));
    const skus = ['103-1', '103-2'].map((externalReference) => fullSku({ externalReference }));
    await send(product('103', { recordId: 'r-103', skus }));
    const { value } = await gondola.resultOf('r-103');
    const error = { skuExternalReference: '103-2', field: 'ean', code: 'PLATFORM_REFUSED', hint: 'already in use' };
    expect(value).toMatchObject({
      outcome: 'refused',
      evidence: 'event',
      reason: { code: 'PLATFORM_REFUSED' },
      errors: [error],
      skus: [
        { externalReference: '103-1', outcome: 'applied', errors: [] },
        { externalReference: '103-2', outcome: 'refused', errors: [error] },
      ],
      platform: { statusCode: 400 },
    });
  });

  it('whose slug is taken is refused with that reason, and its SKUs with it (rule 26)', async () => {
    gondola.shop().fates.set('104', () => rejectedReport('Slug', '104'));
    await send(product('104', { recordId: 'r-104' }));
    expect((await gondola.resultOf('r-104')).value).toMatchObject({
      outcome: 'refused',
      errors: [{ field: 'slug', code: 'SLUG_TAKEN', message: expect.stringContaining('slug') }],
      skus: [{ externalReference: '104-1', outcome: 'refused' }],
    });
    // An operator who looks it up sees that too.
    const shown = await asOperator(`${app.url}/api/products/104?tenant=acme`);
    expect(await shown.json()).toMatchObject({
      exists: false,
      open: [],
      lastEnd: {
        commandId: 'r-104',
        command: 'upsert',
        outcome: 'refused',
        reason: { code: 'PLATFORM_REFUSED' },
        errors: [{ field: 'slug', code: 'SLUG_TAKEN' }],
        finishedAt: expect.any(String),
      },
    });
  });

  it('that Gondola stops is invalid with every reason, and nothing is sent (rule 20)', async () => {
    const sku = fullSku({ externalReference: '105-1', unitOfMeasurement: 'UN1' });
    const value = product('105', { recordId: 'r-105', skus: [sku], preco: '9.90' });
    await gondola.produce({ value, headers: { ce_tenant: 'acme' }, isBad: true });
    expect((await gondola.resultOf('r-105')).value).toMatchObject({
      outcome: 'invalid',
      evidence: 'none',
      attempts: 0,
      errors: [
        { field: 'preco', code: 'FIELD_UNKNOWN', hint: expect.stringContaining('erp.catalog.prices.v1') },
        { skuExternalReference: '105-1', field: 'unitOfMeasurement', code: 'UNIT_UNKNOWN' },
      ],
    });
    expect(gondola.shop().batchesOf('105')).toEqual([]);
  });

  it('that cannot be read is a dead letter, byte for byte, and no result (contract, Dead letters)', async () => {
    const value = '{"externalReference": 12, "name": "ação" ';
    await gondola.produce({ key: 'k-1', value, headers: { ce_tenant: 'acme', 'x-erp': 'ç' }, isBad: true });
    await gondola.produce({ key: null, value: { externalReference: '1' }, headers: { ce_tenant: 'nobody' } });
    const letters = await gondola.deadLetters(2);
    const [letter] = letters.filter(({ key }) => key === 'k-1');
    expect(letter?.value).toEqual(Buffer.from(value));
    expect(letter?.headers).toMatchObject({ ce_reasoncode: 'NOT_JSON', ce_tenant: 'acme', 'orig_x-erp': 'ç' });
    const traceparent = expect.stringMatching(/^00-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/);
    expect(letters.find(({ key }) => key === null)?.headers).toMatchObject({
      ce_reasoncode: 'TENANT_UNKNOWN',
      traceparent,
    });
  });

  it('that is a tombstone deactivates the product by active: false (rule 29)', async () => {
    await send(product('106', { recordId: 'r-106' }));
    await gondola.resultOf('r-106');
    await gondola.produce({ key: '106', value: null, headers: { ce_tenant: 'acme' } });
    const batch = (): unknown =>
      gondola
        .shop()
        .batchesOf('106')[1]
        ?.products.find(({ externalReference }) => externalReference === '106');
    const tombstone = () => gondola.results().find(({ value }) => value['command'] === 'delete');
    await gondola.until(() => tombstone() !== undefined);
    expect(batch()).toEqual({ externalReference: '106', active: false });
    expect(tombstone()?.value).toMatchObject({
      outcome: 'applied',
      commandId: expect.stringMatching(/erp\.catalog\.products\.v1\/\d+\/\d+$/),
      entity: { externalReference: '106' },
    });
  });

  it('that comes whole after a deletion is in the shop again, and a part of it says that it is not (rule 29)', async () => {
    const whole = product('107', { recordId: '' });
    await resultOf('r-107', whole);
    await resultOf('d-107', { op: 'delete' });
    const part = await resultOf('part-107', { punctuation: 12 });
    expect(part).toMatchObject({ outcome: 'applied', warnings: [{ field: 'active', code: 'STAYS_HIDDEN' }] });
    const back = await resultOf('again-107', whole);
    expect(back['warnings']).toContainEqual(expect.objectContaining({ field: 'active', code: 'BROUGHT_BACK' }));
    expect(gondola.shop().batchesOf('107').at(-1)?.products).toContainEqual(
      expect.objectContaining({ externalReference: '107', active: true }),
    );
    const same = await resultOf('same-107', whole);
    expect(same).toMatchObject({ outcome: 'unchanged', warnings: [] });
    await resultOf('off-107', { op: 'deactivate' });
    const still = await resultOf('still-107', whole);
    expect(still).toMatchObject({ outcome: 'unchanged', warnings: [{ code: 'STAYS_HIDDEN' }] });
  });

  it('lacking what the tenant’s file supplies is read first, and the result names what was filled in (rule 23)', async () => {
    const { punctuation: _, ...lacking } = product('109', { recordId: 'r-109' });
    await send(lacking, { ce_tenant: 'lacking' });
    const { value } = await gondola.resultOf('r-109');
    expect(value).toMatchObject({
      tenant: 'lacking',
      outcome: 'applied',
      warnings: [
        { field: 'punctuation', code: 'DEFAULT_APPLIED', message: expect.stringContaining('Filled') },
        { code: 'CATEGORY_MISSING' },
      ],
    });
    const shop = gondola.shop('lacking');
    expect(shop.reads[0]).toBe('109');
    expect(shop.batchesOf('109')[0]?.products).toMatchObject([{ punctuation: 7 }]);
  });

  it('may name itself and its SKUs by integers, which are sent as the text of their digits (contract, Values)', async () => {
    await send({
      ...fullProduct(),
      externalReference: 4712,
      recordId: 4712,
      skus: [{ ...fullSku(), externalReference: 47121 }],
    });
    expect((await gondola.resultOf('4712')).value).toMatchObject({
      outcome: 'applied',
      entity: { kind: 'product', externalReference: '4712' },
      skus: [{ externalReference: '47121', outcome: 'applied' }],
    });
    expect(gondola.shop().batchesOf('4712')[0]?.products).toMatchObject([
      { externalReference: '4712', skus: [{ externalReference: '47121' }] },
    ]);
  });

  it('shows operators its routes, and asks whose product it is where there are several tenants', async () => {
    await send(product('130', { recordId: 'r-130' }));
    await gondola.resultOf('r-130');
    const document = (await (await asOperator(`${app.url}/api/openapi.json`)).json()) as OpenAPIObject;
    expect(openApiGaps(document)).toEqual([]);
    const shown = { get: { responses: { 200: {}, 400: {}, 404: {} } } };
    expect(document.paths).toMatchObject({
      '/api/products/{externalReference}': shown,
      '/api/brands/{externalReference}': shown,
      '/api/categories/{externalReference}': shown,
      '/api/counts': { get: { responses: { 200: {}, 400: {} } } },
      '/api/dead-letters': {},
    });
    expect((await asOperator(`${app.url}/api/products/100`)).status).toBe(400);
    expect((await asOperator(`${app.url}/api/products/nobody?tenant=acme`)).status).toBe(404);
    // Counted behind the commit, which another process may publish first.
    const metrics = async () => (await fetch(`${app.url}/metrics`)).text();
    const applied = /gondola_catalog_results_total\{kind="product",outcome="applied",evidence="event"\} \d+/;
    await gondola.until(async () => applied.test(await metrics()));
  });

  it('leaves one line in the log for each end, and none of its content', async () => {
    await send(product('131', { recordId: 'r-131' }));
    await gondola.resultOf('r-131');
    const lines = () =>
      logLines
        .map((line) => JSON.parse(line) as Record<string, unknown>)
        .filter(({ commandId }) => commandId === 'r-131');
    await gondola.until(() => lines().length > 0);
    expect(lines()).toMatchObject([{ msg: 'A command ended', outcome: 'applied', externalReference: '131' }]);
    const text = logLines.join('');
    for (const content of ['Queijo', '7891000100103', 'not-a-secret-in-a-test', 'already in use', 'slug-10']) {
      expect(text).not.toContain(content);
    }
  });
});
