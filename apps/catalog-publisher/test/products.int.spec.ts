import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { RunningApp } from '@gondola/service-kit/create-app';
import { recordHash16 } from '@gondola/shared/dedup-keys';
import { fullProduct, fullSku, partialReport, rejectedReport } from '../src/testing/products.ts';
import { TestInstallation } from './support/catalog-app.ts';
import { silent } from './support/shop.ts';

const LONG = process.env['GONDOLA_LONG'] !== undefined;
const MANY = LONG ? 2_000 : 150;
const product = (externalReference: string, more: { recordId: string; [field: string]: unknown }) => ({
  ...fullProduct({
    externalReference,
    slug: `slug-${externalReference}`,
    skus: [fullSku({ externalReference: `${externalReference}-1` })],
  }),
  ...more,
});

describe('a product record, on real Kafka and PostgreSQL, with two replicas', () => {
  let gondola: TestInstallation;
  let app: RunningApp;
  const logLines: string[] = [];
  const otherLines: string[] = [];

  beforeAll(async () => {
    const catalog = { defaults: { product: { punctuation: 7 } } };
    gondola = await TestInstallation.create('cp-products', [
      { id: 'acme' },
      { id: 'lacking', catalog, language: 'en' },
    ]);
    app = await gondola.startApp(logLines);
    await gondola.startApp(otherLines);
    await gondola.readTopics();
  });

  afterAll(() => gondola.close());

  const send = (value: object, headers: Record<string, string> = { ce_tenant: 'acme' }) =>
    gondola.produce({ value, headers });

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
      warnings: [{ field: 'ean', code: 'GTIN_INVALID', message: expect.any(String) }],
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
    const told = await gondola.resultOf('r-101');
    const request = gondola.platform.requests.find(({ body }) => body.includes('"101"'))!;
    expect(request).toMatchObject({ contractAccountId: '11111111-1111-4111-8111-111111111110' });
    expect(request.body).toContain('"weightReal":1.10');
    expect(request.body).not.toContain('recordId');
    expect(request.traceparent).toContain(traceId);
    expect(told.headers['traceparent']).toContain(traceId);
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
  });

  it('that Gondola stops is invalid with every reason, and nothing is sent (rule 20)', async () => {
    const sku = fullSku({ externalReference: '105-1', unitOfMeasurement: 'UN1' });
    await send(product('105', { recordId: 'r-105', skus: [sku], preco: '9.90' }));
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
    await gondola.produce({ key: 'k-1', value, headers: { ce_tenant: 'acme', 'x-erp': 'ç' } });
    await gondola.produce({ key: null, value: { externalReference: '1' }, headers: { ce_tenant: 'nobody' } });
    const letters = await gondola.deadLetters(2);
    const [letter] = letters.filter(({ key }) => key === 'k-1');
    expect(letter?.value).toEqual(Buffer.from(value));
    expect(letter?.headers).toMatchObject({ ce_reasoncode: 'NOT_JSON', ce_tenant: 'acme', 'orig_x-erp': 'ç' });
    expect(letters.find(({ key }) => key === null)?.headers).toMatchObject({ ce_reasoncode: 'TENANT_UNKNOWN' });
  });

  it('that is a tombstone takes the product out by active: false (rule 29)', async () => {
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

  it('that comes again with equal content is nothing new; with other content it is invalid beside the first (rule 19)', async () => {
    const first = product('107', { recordId: 'r-107' });
    await send(first);
    const { value } = await gondola.resultOf('r-107');
    await send({ ...first, requestedAt: '2026-11-20T10:00:00Z' });
    const other = { ...first, name: 'Outro nome' };
    await send(other);
    const conflict = await gondola.resultOf('r-107', 2);
    const hash = recordHash16(Buffer.from(JSON.stringify(other)));
    expect(conflict.key).toBe(`acme:result:erp.catalog.products.v1:r-107:invalid:${hash}`);
    expect(conflict.value).toMatchObject({
      outcome: 'invalid',
      reason: { code: 'DUPLICATE_COMMAND' },
      conflictsWith: value['id'],
      skus: [],
    });
    expect(gondola.results('r-107')).toHaveLength(2);
    expect(gondola.shop().batchesOf('107')).toHaveLength(1);
  });

  it('that changes nothing is unchanged, unless forced; a lower version is stale, also than that of what was unchanged (rule 28)', async () => {
    await send(product('108', { recordId: 'a-108', sourceVersion: 12 }));
    await send(product('108', { recordId: 'b-108', sourceVersion: 13 }));
    expect((await gondola.resultOf('b-108')).value).toMatchObject({
      outcome: 'unchanged',
      evidence: 'already-in-state',
      attempts: 0,
      skus: [{ outcome: 'unchanged' }],
    });
    await send({ externalReference: '108', name: 'Mais velho', recordId: 'c-108', sourceVersion: 12 });
    expect((await gondola.resultOf('c-108')).value).toMatchObject({
      outcome: 'invalid',
      reason: { code: 'STALE_VERSION', message: expect.stringMatching(/12.*13/) },
    });
    await send({ externalReference: '108', name: 'Queijo Minas Frescal', recordId: 'd-108', force: true });
    expect((await gondola.resultOf('d-108')).value).toMatchObject({ outcome: 'applied' });
    expect(gondola.shop().batchesOf('108')).toHaveLength(2);
  });

  it('lacking what the tenant’s file supplies is read first, and the result names what was filled in (rule 23)', async () => {
    const { punctuation: _, ...lacking } = product('109', { recordId: 'r-109' });
    await send(lacking, { ce_tenant: 'lacking' });
    const { value } = await gondola.resultOf('r-109');
    expect(value).toMatchObject({
      tenant: 'lacking',
      outcome: 'applied',
      warnings: [{ field: 'punctuation', code: 'DEFAULT_APPLIED', message: expect.stringContaining('filled') }],
    });
    const shop = gondola.shop('lacking');
    expect(shop.reads[0]).toBe('109');
    expect(shop.batchesOf('109')[0]?.products).toMatchObject([{ punctuation: 7 }]);
  });

  it('of many is posted with others, never two of one product at once, and those of one go one after the other (mechanism 2)', async () => {
    const shop = gondola.shop();
    const records = Array.from({ length: MANY }, (_, index) => product(`m${index}`, { recordId: `m-${index}` }));
    const again = records.slice(0, 20).map((each, index) => ({ ...each, recordId: `n-${index}`, name: 'Depois' }));
    const before = shop.batches.length;
    await gondola.produce(...[...records, ...again].map((value) => ({ value, headers: { ce_tenant: 'acme' } })));
    for (const { recordId } of [...records, ...again]) {
      expect((await gondola.resultOf(recordId)).value).toMatchObject({ outcome: 'applied' });
    }
    const batches = shop.batches.slice(before);
    for (const { products } of batches) {
      expect(new Set(products.map(({ externalReference }) => externalReference)).size).toBe(products.length);
    }
    expect(batches.length).toBeLessThan(MANY / 4);
    for (const lines of [logLines, otherLines]) {
      expect(lines.some((line) => line.includes('"route":"postProducts"'))).toBe(true);
    }
    for (let index = 0; index < again.length; index += 1) {
      const names = shop
        .batchesOf(`m${index}`)
        .map(({ products }) => products.find(({ externalReference }) => externalReference === `m${index}`)?.['name']);
      expect(names).toEqual(['Queijo Minas Frescal', 'Depois']);
    }
  });

  it('waits behind the open one of its product, while those of others pass it (guarantee 5)', async () => {
    gondola.shop().fates.set('110', silent);
    await send(product('110', { recordId: 'a-110' }));
    await gondola.until(() => gondola.shop().batchesOf('110').length === 1);
    await send(product('110', { recordId: 'b-110', name: 'Depois' }));
    await send(product('111', { recordId: 'r-111' }));
    await gondola.resultOf('r-111');
    expect(gondola.results('a-110')).toEqual([]);
    const shown = await fetch(`${app.url}/api/products/110?tenant=acme`);
    expect(await shown.json()).toMatchObject({
      exists: false,
      open: [
        { commandId: 'a-110', attempts: 1 },
        { commandId: 'b-110', attempts: 0, deadlineAt: null },
      ],
    });
    gondola.shop().fates.delete('110');
    const [batch] = gondola.shop().batchesOf('110');
    await gondola.shop().tell(batch!.operationId, rejectedReport('Name', '110'));
    expect((await gondola.resultOf('a-110')).value).toMatchObject({ outcome: 'refused' });
    expect((await gondola.resultOf('b-110')).value).toMatchObject({ outcome: 'applied' });
  });

  it('shows operators its routes, and asks whose product it is where there are several tenants', async () => {
    const openApi = (await (await fetch(`${app.url}/api/openapi.json`)).json()) as { paths: object };
    expect(Object.keys(openApi.paths)).toEqual(
      expect.arrayContaining(['/api/products/{externalReference}', '/api/dead-letters']),
    );
    expect((await fetch(`${app.url}/api/products/100`)).status).toBe(400);
    expect((await fetch(`${app.url}/api/products/nobody?tenant=acme`)).status).toBe(404);
    const metrics = await (await fetch(`${app.url}/metrics`)).text();
    expect(metrics).toMatch(/gondola_catalog_results_total\{kind="product",outcome="applied",evidence="event"\} \d+/);
  });

  it('leaves one line in the log for each end, and none of its content', () => {
    const lines = [...logLines, ...otherLines].map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(lines.filter(({ commandId }) => commandId === 'r-100')).toMatchObject([
      { msg: 'Catalogue record answered', outcome: 'applied', externalReference: '100' },
    ]);
    const text = [...logLines, ...otherLines].join('');
    for (const content of ['Queijo', '7891000100103', 'not-a-secret-in-a-test', 'already in use', 'slug-10']) {
      expect(text).not.toContain(content);
    }
  });
});
