import { sized } from '@gondola/local-stack/testing/sized';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { asOperator } from '@gondola/local-stack/testing/as-operator';
import { LaneWorkers } from '@gondola/lanes/lanes/lane-workers';
import type { RunningApp } from '@gondola/service-kit/run/create-app';
import { recordHash16 } from '@gondola/shared/topics/dedup-keys';
import { fullProduct, fullSku, rejectedReport } from './support/product-samples.ts';
import { CatalogInstallation } from './support/catalog-app.ts';
import { silent } from './support/shop.ts';

const MANY = sized(150, 2_000);
const product = (externalReference: string, more: { recordId: string; [field: string]: unknown }) => ({
  ...fullProduct({
    externalReference,
    slug: `slug-${externalReference}`,
    skus: [fullSku({ externalReference: `${externalReference}-1` })],
  }),
  ...more,
});

const hasPosted = (lines: readonly string[]) => lines.some((line) => line.includes('"route":"postProducts"'));

describe('the records of a product, on real Kafka and PostgreSQL, with two replicas', () => {
  const logLines: string[] = [];
  const otherLines: string[] = [];
  let gondola: CatalogInstallation;
  let app: RunningApp;
  let other: RunningApp;

  beforeAll(async () => {
    gondola = await CatalogInstallation.create('cp-product-lanes', [{ id: 'acme' }]);
    app = await gondola.startApp(logLines);
    other = await gondola.startApp(otherLines);
    await gondola.readTopics();
  });

  afterAll(() => gondola.close());

  const send = (value: object, headers: Record<string, string> = { ce_tenant: 'acme' }) =>
    gondola.produce({ value, headers });
  const shownOf = async (reference: string) => {
    const shown = await asOperator(`${app.url}/api/products/${reference}?tenant=acme`);
    return (await shown.json()) as { open: unknown[] };
  };

  it('that comes again with equal content is nothing new; with other content it is invalid beside the first (rule 19)', async () => {
    const first = product('107', { recordId: 'r-107' });
    await send(first);
    const { value } = await gondola.resultOf('r-107');
    const again = { ...first, requestedAt: '2026-11-20T10:00:00Z' };
    await gondola.produce({ value: again, headers: { ce_tenant: 'acme' }, isBad: true });
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

  it('are posted together for many products, and one after the other for one product, never two at once (mechanism 2)', async () => {
    const shop = gondola.shop();
    const records = Array.from({ length: MANY }, (_, index) => product(`m${index}`, { recordId: `m-${index}` }));
    const again = records.slice(0, 20).map((each, index) => ({ ...each, recordId: `n-${index}`, name: 'Depois' }));
    const before = shop.batches.length;
    // While no worker runs, records gather and go together.
    const workers = [app, other].map((replica) => replica.app.get(LaneWorkers, { strict: false }));
    await Promise.all(workers.map((each) => each.stop()));
    await gondola.produce(...[...records, ...again].map((value) => ({ value, headers: { ce_tenant: 'acme' } })));
    const stored = "SELECT 1 FROM commands WHERE command_id ~ '^[mn]-[0-9]+$'";
    await gondola.until(async () => (await gondola.query(stored)).length === records.length + again.length);
    await Promise.all(workers.map((each) => each.start()));
    for (const { recordId } of [...records, ...again]) {
      expect((await gondola.resultOf(recordId)).value).toMatchObject({ outcome: 'applied' });
    }
    const batches = shop.batches.slice(before);
    for (const { products } of batches) {
      expect(new Set(products.map(({ externalReference }) => externalReference)).size).toBe(products.length);
    }
    expect(batches.length).toBeLessThan(MANY / 4);
    // Whichever replica comes first takes what there is; more comes until each of them has posted.
    for (let more = 0; !hasPosted(logLines) || !hasPosted(otherLines); more += 1) {
      await send(product(`more-${more}`, { recordId: `more-${more}` }));
      await gondola.resultOf(`more-${more}`);
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
    // It may be of another partition than the one that passed it.
    await gondola.until(async () => (await shownOf('110')).open.length === 2);
    expect(await shownOf('110')).toMatchObject({
      exists: false,
      open: [
        { commandId: 'a-110', attempts: 1 },
        { commandId: 'b-110', attempts: 0, deadlineAt: null },
      ],
    });
    gondola.shop().fates.delete('110');
    const [batch] = gondola.shop().batchesOf('110');
    await gondola.shop().report(batch!.operationId, rejectedReport('Name', '110'));
    expect((await gondola.resultOf('a-110')).value).toMatchObject({ outcome: 'refused' });
    expect((await gondola.resultOf('b-110')).value).toMatchObject({ outcome: 'applied' });
  });
});
