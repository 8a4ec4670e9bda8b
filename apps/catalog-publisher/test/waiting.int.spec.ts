import { seeded } from '@gondola/local-stack/testing/seeded';
import { sized } from '@gondola/local-stack/testing/sized';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { asOperator } from '@gondola/local-stack/testing/as-operator';
import { waitFor } from '@gondola/local-stack/wait-for';
import type { RunningApp } from '@gondola/service-kit/run/create-app';
import { CatalogInstallation } from './support/catalog-app.ts';
import { brand, category, product, type TestEntity } from './support/references.ts';
import { silent } from './support/shop.ts';

const REFERENCES = sized(4, 40);
const PRODUCTS = sized(25, 1_000);

type Sent = readonly [topic: 'brands' | 'categories' | 'products', record: TestEntity];

describe('a product whose brand or category is not known, on real Kafka and PostgreSQL', () => {
  let gondola: CatalogInstallation;
  let app: RunningApp;

  beforeAll(async () => {
    const deadlines = { settleMs: 80, referencesMs: 3_600_000 };
    gondola = await CatalogInstallation.create('cp-waiting', [
      { id: 'acme', deadlines },
      { id: 'hasty', deadlines: { settleMs: 80, referencesMs: 300 } },
      { id: 'assuming', deadlines, catalog: { assumeExists: { brands: true, categories: ['FRIOS'] } } },
    ]);
    app = await gondola.startApp();
    await gondola.readTopics();
  });

  afterAll(() => gondola.close());

  const send = (topic: 'brands' | 'categories' | 'products', value: object, tenant = 'acme') =>
    gondola.produceTo(`erp.catalog.${topic}.v1`, { value, headers: { ce_tenant: tenant } });
  const outcomeOf = async (commandId: string, count = 1) => (await gondola.resultOf(commandId, count)).value;

  /** Lets the deadline of a product's sent record pass. */
  const endUnconfirmed = (reference: string, commandId: string) =>
    gondola.until(async () => {
      await gondola.query(
        `UPDATE commands SET deadline_at = now() - interval '1 s'
         WHERE command_id = '${commandId}' AND state = 'open' AND deadline_at > now()`,
      );
      await gondola.query(`UPDATE lanes SET due_at = now() WHERE kind = 'product' AND identity = '${reference}'`);
      return gondola.results(commandId).some(({ value }) => value['outcome'] === 'unconfirmed');
    });

  it('a product waits for its brand and category, publishes once which are missing, and again if that changes; then it is sent (rule 24)', async () => {
    const refers = { brandExternalReference: 'w-brand', categoryExternalReference: 'w-cat' };
    await send('products', product('w1', { recordId: 'w1', ...refers }));
    const first = await gondola.resultOf('w1');
    expect(first.key).toBe('acme:result:erp.catalog.products.v1:w1:waiting');
    expect(first.value).toMatchObject({
      outcome: 'waiting',
      final: false,
      finishedAt: null,
      for: [
        { kind: 'brand', externalReference: 'w-brand' },
        { kind: 'category', externalReference: 'w-cat' },
      ],
    });
    await send('categories', category('w-cat', { recordId: 'w-cat' }));
    const second = await gondola.resultOf('w1', 2);
    expect(second.key).toBe('acme:result:erp.catalog.products.v1:w1:waiting:2');
    expect(second.value['for']).toEqual([{ kind: 'brand', externalReference: 'w-brand' }]);
    const shown = await (await asOperator(`${app.url}/api/products/w1?tenant=acme`)).json();
    expect(shown).toMatchObject({ open: [{ waitingFor: second.value['for'], attempts: 0, deadlineAt: null }] });
    expect(gondola.shop().batchesOf('w1')).toEqual([]);
    await send('brands', brand('w-brand', { recordId: 'w-brand' }));
    expect(await outcomeOf('w1', 3)).toMatchObject({ outcome: 'applied', evidence: 'event' });
    expect(gondola.results('w1')).toHaveLength(3);
    await send('products', { externalReference: 'w1', recordId: 'w1-again', name: 'Queijo novo', ...refers });
    expect(await outcomeOf('w1-again')).toMatchObject({ outcome: 'applied' });
  });

  it('a record is invalid at the deadline and names the missing references; assumed ones are not waited for; the overview counts waiting records (rule 24)', async () => {
    const refers = { brandExternalReference: 'nobody', categoryExternalReference: 'FRIOS' };
    await send('products', product('v1', { recordId: 'v1', ...refers }), 'hasty');
    expect(await outcomeOf('v1', 2)).toMatchObject({
      outcome: 'invalid',
      attempts: 0,
      reason: { code: 'REFERENCE_MISSING' },
      errors: [
        { field: 'brandExternalReference', code: 'REFERENCE_MISSING', hint: 'nobody' },
        { field: 'categoryExternalReference', code: 'REFERENCE_MISSING', hint: 'FRIOS' },
      ],
      skus: [{ externalReference: 'v1-1', outcome: 'invalid' }],
    });
    await send('products', product('v2', { recordId: 'v2', ...refers }), 'assuming');
    expect(await outcomeOf('v2')).toMatchObject({ outcome: 'applied' });
    await send('products', product('v3', { recordId: 'v3', categoryExternalReference: 'PADARIA' }), 'assuming');
    expect(await outcomeOf('v3')).toMatchObject({ outcome: 'waiting', for: [{ externalReference: 'PADARIA' }] });
    const counts = await (await asOperator(`${app.url}/api/counts?tenant=assuming`)).json();
    expect(counts).toEqual([{ tenant: 'assuming', kind: 'product', open: 1, sent: 0, waiting: 1 }]);
  });

  it('a brand is deleted by DELETE, but not while products name it, unless forced (rule 29)', async () => {
    await send('brands', brand('d1', { recordId: 'd1' }));
    await send('products', product('d-p', { recordId: 'd-p', brandExternalReference: 'd1' }));
    await gondola.until(() => gondola.results('d-p').some(({ value }) => value['outcome'] === 'applied'));
    await send('brands', { externalReference: 'd1', op: 'delete', recordId: 'd1-no' });
    expect(await outcomeOf('d1-no')).toMatchObject({ outcome: 'invalid', reason: { code: 'REFERENCE_IN_USE' } });
    await send('brands', { externalReference: 'd1', op: 'delete', force: true, recordId: 'd1-yes' });
    expect(await outcomeOf('d1-yes')).toMatchObject({ outcome: 'applied', evidence: 'presumed', command: 'delete' });
    expect(gondola.shop().referencesOf('d1').at(-1)).toMatchObject({ method: 'DELETE', items: ['d1'] });
    await send('brands', { externalReference: 'd1', op: 'delete', recordId: 'd1-again' });
    expect(await outcomeOf('d1-again')).toMatchObject({ outcome: 'unchanged' });
    await send('products', product('d-q', { recordId: 'd-q', brandExternalReference: 'd1' }));
    expect(await outcomeOf('d-q')).toMatchObject({ outcome: 'waiting' });
  });

  it('a brand that a product may still have is not deleted after its record ended unconfirmed (rule 29)', async () => {
    const brands = ['u1', 'u2'];
    for (const each of brands) await send('brands', brand(each, { recordId: each }));
    await send('products', product('u-p', { recordId: 'u-p', brandExternalReference: 'u1' }));
    await gondola.until(() => gondola.results('u-p').some(({ value }) => value['outcome'] === 'applied'));
    gondola.shop().fates.set('u-p', silent);
    await send('products', { externalReference: 'u-p', recordId: 'u-q', brandExternalReference: 'u2' });
    await gondola.until(() => gondola.shop().batchesOf('u-p').length === 2);
    await endUnconfirmed('u-p', 'u-q');
    for (const each of brands) {
      await send('brands', { externalReference: each, op: 'delete', recordId: `${each}-no` });
      expect(await outcomeOf(`${each}-no`)).toMatchObject({ reason: { code: 'REFERENCE_IN_USE' } });
    }
  });

  it('a brand that a product may have whose creation ended unconfirmed is not deleted after an invalid record of it (rule 29)', async () => {
    await send('brands', brand('n1', { recordId: 'n1' }));
    gondola.shop().fates.set('n-p', silent);
    await send('products', product('n-p', { recordId: 'n-p', brandExternalReference: 'n1' }));
    await gondola.until(() => gondola.shop().batchesOf('n-p').length === 1);
    await endUnconfirmed('n-p', 'n-p');
    const invalid = { externalReference: 'n-p', recordId: 'n-q', colour: 'azul' };
    await gondola.produceTo('erp.catalog.products.v1', { value: invalid, headers: { ce_tenant: 'acme' }, isBad: true });
    expect(await outcomeOf('n-q')).toMatchObject({ outcome: 'invalid' });
    await send('brands', { externalReference: 'n1', op: 'delete', recordId: 'n1-no' });
    expect(await outcomeOf('n1-no')).toMatchObject({ reason: { code: 'REFERENCE_IN_USE' } });
  });

  it('a brand that a product gets between the check and the attempt of its removal is not deleted (rule 29)', async () => {
    await send('brands', brand('l1', { recordId: 'l1' }));
    expect(await outcomeOf('l1')).toMatchObject({ outcome: 'applied' });
    const held = await gondola.hold('LOCK TABLE catalog_references IN SHARE MODE');
    await send('brands', { externalReference: 'l1', op: 'delete', recordId: 'l1-no' });
    await gondola.until(() => held.isWaitedFor('INSERT INTO catalog_references'));
    await gondola.query(
      `INSERT INTO product_references (tenant, lane_id, kind, external_reference) VALUES ('acme', 0, 'brand', 'l1')`,
    );
    await held.release();
    expect(await outcomeOf('l1-no')).toMatchObject({ attempts: 0, reason: { code: 'REFERENCE_IN_USE' } });
  });

  it('any order in which products, brands and categories come ends with all of them in the shop, on two replicas (rule 24)', async () => {
    await gondola.startApp();
    const random = seeded(20_261_120);
    const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
    const brands = Array.from({ length: REFERENCES }, (_, index) => `rb${index}`);
    const categories = Array.from({ length: REFERENCES }, (_, index) => `rc${index}`);
    const records: readonly Sent[] = [
      ...brands.map((each): Sent => ['brands', brand(each, { recordId: each })]),
      // Each below one that comes before it by number, so that there is no cycle.
      ...categories.map((each, index): Sent => {
        const parent = index === 0 ? {} : { parentExternalReference: categories[Math.floor(random() * index)]! };
        return ['categories', category(each, { recordId: each, ...parent })];
      }),
      ...Array.from({ length: PRODUCTS }, (_, index): Sent => {
        const refers = { brandExternalReference: pick(brands), categoryExternalReference: pick(categories) };
        return ['products', product(`rp${index}`, { recordId: `rp${index}`, ...refers })];
      }),
    ];
    const shuffled = records.map((record) => ({ record, at: random() })).toSorted((one, other) => one.at - other.at);
    for (const { record } of shuffled) await send(...record);
    for (const [, { externalReference: id }] of records) {
      // The first may be the last that is done.
      await waitFor(() => gondola.results(id).some(({ value }) => value['outcome'] === 'applied'), {
        describe: `${id} to be in the shop`,
      });
      const outcomes = gondola.results(id).map(({ value }) => value['outcome']);
      expect(outcomes.slice(0, -1).every((outcome) => outcome === 'waiting')).toBe(true);
      const awaited = gondola
        .results(id)
        .slice(0, -1)
        .map(({ value }) => JSON.stringify(value['for']));
      expect(new Set(awaited).size).toBe(awaited.length);
    }
    const rows = await gondola.query("SELECT 1 FROM reference_waits WHERE waiting_reference ~ '^r[bcp][0-9]+$'");
    expect(rows).toEqual([]);
  });
});
