import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { RunningApp } from '@gondola/service-kit/create-app';
import { fullProduct, fullSku } from '../src/testing/products.ts';
import { TestInstallation } from './support/catalog-app.ts';

const brand = (externalReference: string, more: object = {}) => ({
  externalReference,
  name: `Marca ${externalReference}`,
  title: `Marca ${externalReference}`,
  description: 'Queijos da serra',
  punctuation: 10,
  ...more,
});
const category = (externalReference: string, more: object = {}) => ({
  externalReference,
  name: externalReference,
  ...more,
});
const product = (externalReference: string, more: object = {}) => ({
  ...fullProduct({ externalReference, skus: [fullSku({ externalReference: `${externalReference}-1` })] }),
  ...more,
});
const operation = (number: number): string => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
const ERROR = {
  statusCode: 422,
  message: '{"title":"Marca inválida"}',
  validationErrors: [{ id: 1, key: 'Title', validation: 'must be unique' }],
};

describe('brands, categories and those that refer to them, on real Kafka and PostgreSQL', () => {
  let gondola: TestInstallation;
  let app: RunningApp;

  beforeAll(async () => {
    const deadlines = { settleMs: 150, referencesMs: 60_000 };
    gondola = await TestInstallation.create('cp-references', [
      { id: 'acme', deadlines },
      { id: 'hasty', deadlines: { settleMs: 150, referencesMs: 400 } },
      { id: 'assuming', deadlines, catalog: { assumeExists: { brands: true, categories: ['FRIOS'] } } },
    ]);
    app = await gondola.startApp();
    await gondola.readTopics();
  });

  afterAll(() => gondola.close());

  const send = (topic: 'brands' | 'categories' | 'products', value: object, tenant = 'acme') =>
    gondola.produceTo(`erp.catalog.${topic}.v1`, { value, headers: { ce_tenant: tenant } });
  const outcomeOf = async (commandId: string, count = 1) => (await gondola.resultOf(commandId, count)).value;
  const exists = async (reference: string) =>
    ((await (await fetch(`${app.url}/api/categories/${reference}?tenant=acme`)).json()) as { exists: boolean }).exists;
  const fail = (parts: { operationId: string; kind: 'Brand' | 'Category'; reference?: string; eventType?: string }) =>
    gondola.notify({
      tenant: 'acme',
      operationId: parts.operationId,
      relatedEntity: parts.kind,
      eventType: parts.eventType ?? `${parts.kind}_CreationFailed`,
      data: parts.reference === undefined ? {} : { externalReference: parts.reference },
      error: ERROR,
    });

  it('a brand is applied on evidence presumed when it was accepted and nobody said no within the settle time (rule 24)', async () => {
    const asked = Date.now();
    await send('brands', brand('b1', { recordId: 'b1' }));
    const { key, headers, value } = await gondola.resultOf('b1');
    expect(Date.now() - asked).toBeGreaterThanOrEqual(150);
    expect(key).toBe('acme:result:erp.catalog.brands.v1:b1:applied');
    expect(value).toMatchObject({
      command: 'upsert',
      entity: { kind: 'brand', externalReference: 'b1' },
      outcome: 'applied',
      evidence: 'presumed',
      attempts: 1,
      operationIds: [gondola.shop().referencesOf('b1')[0]?.operationId],
    });
    expect(value).not.toHaveProperty('skus');
    expect(headers).toMatchObject({ ce_subject: 'brand/b1', ce_partitionkey: 'acme/brand/b1', ce_commandid: 'b1' });
  });

  it('a brand is sent whole, the change laid over what is known; what changes nothing is unchanged (rules 21, 28)', async () => {
    await send('brands', brand('b2', { recordId: 'a-b2', sourceVersion: 5 }));
    await send('brands', { externalReference: 'b2', recordId: 'b-b2', punctuation: '20', similarTerms: null });
    expect(await outcomeOf('b-b2')).toMatchObject({ outcome: 'applied' });
    expect(gondola.shop().lastOf('b2')).toEqual(brand('b2', { punctuation: 20, similarTerms: null }));
    await send('brands', { externalReference: 'b2', recordId: 'c-b2', title: 'Marca b2' });
    expect(await outcomeOf('c-b2')).toMatchObject({ outcome: 'unchanged', attempts: 0 });
    await send('brands', { externalReference: 'b2', recordId: 'd-b2', sourceVersion: 4, title: 'Velha' });
    expect(await outcomeOf('d-b2')).toMatchObject({ outcome: 'invalid', reason: { code: 'STALE_VERSION' } });
    await send('brands', { externalReference: 'b2', recordId: 'e-b2', op: 'deactivate' });
    expect(await outcomeOf('e-b2')).toMatchObject({ outcome: 'invalid', reason: { code: 'COMMAND_UNKNOWN' } });
    const { [`title`]: _, ...lacking } = brand('b3', { recordId: 'b3' }) as Record<string, unknown>;
    await send('brands', lacking);
    expect(await outcomeOf('b3')).toMatchObject({
      outcome: 'invalid',
      errors: [{ field: 'title', code: 'FIELD_REQUIRED' }],
    });
  });

  it('a brand that the platform rejects is refused by property, also where that was told before the answer (rules 24, 25)', async () => {
    const shop = gondola.shop();
    shop.before = async ({ path, body }) => {
      if (!path.endsWith('Brands') || !body.includes('"b4"')) return undefined;
      await fail({ operationId: operation(4), kind: 'Brand', reference: 'b4' });
      return { status: 200, json: { operationId: operation(4) } };
    };
    await send('brands', brand('b4', { recordId: 'b4' }));
    expect(await outcomeOf('b4')).toMatchObject({
      outcome: 'refused',
      evidence: 'event',
      reason: { code: 'PLATFORM_REFUSED' },
      errors: [{ field: 'title', code: 'PLATFORM_REFUSED', hint: 'must be unique' }],
      platform: { statusCode: 422 },
    });
    shop.before = () => undefined;
  });

  it('a failure of the operation on the topic of orders, naming nobody, refuses the one that was in it (rule 6)', async () => {
    await send('brands', brand('b5', { recordId: 'b5' }));
    await gondola.until(() => gondola.shop().referencesOf('b5').length === 1);
    const { operationId } = gondola.shop().referencesOf('b5')[0]!;
    await fail({ operationId, kind: 'Brand', eventType: 'Operation_Failed' });
    expect(await outcomeOf('b5')).toMatchObject({ outcome: 'refused', evidence: 'event', attempts: 1 });
  });

  it('a failure of a batch that names nobody has its records sent alone, until the culprit is (rule 25)', async () => {
    const shop = gondola.shop();
    // One call is held back, so that the two that come meanwhile go together.
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    shop.before = async ({ path, body }) => {
      if (path.endsWith('Brands') && body.includes('"first"')) await held;
      return undefined;
    };
    await send('brands', brand('first', { recordId: 'first' }));
    await gondola.produceTo(
      'erp.catalog.brands.v1',
      ...['good', 'bad'].map((each) => ({
        key: 'same',
        value: brand(each, { recordId: each }),
        headers: { ce_tenant: 'acme' },
      })),
    );
    await gondola.until(() => shop.referencesOf('good').length === 1 && shop.referencesOf('bad').length === 1);
    release();
    shop.before = () => undefined;
    const tell = async (index: number) => {
      await gondola.until(() => shop.referencesOf('bad').length > index);
      const { operationId } = shop.referencesOf('bad')[index]!;
      await fail({ operationId, kind: 'Brand', eventType: 'Operation_Failed' });
    };
    const [together] = shop.referencesOf('bad');
    await tell(0);
    if (together!.items.length > 1) {
      await tell(1);
      if (shop.referencesOf('bad')[1]!.items.length > 1) await tell(2);
    }
    expect(await outcomeOf('bad')).toMatchObject({ outcome: 'refused' });
    expect(await outcomeOf('good')).toMatchObject({ outcome: 'applied' });
  });

  it('a failure after presumed brings one correction, and the brand is as it was before (rule 24)', async () => {
    await send('brands', brand('b6', { recordId: 'a-b6' }));
    await send('brands', { externalReference: 'b6', recordId: 'b-b6', title: 'Outra' });
    const applied = await outcomeOf('b-b6');
    const operationId = gondola.shop().referencesOf('b6').at(-1)!.operationId;
    await fail({ operationId, kind: 'Brand', reference: 'b6' });
    expect(await outcomeOf('b-b6', 2)).toMatchObject({
      id: 'acme:result:erp.catalog.brands.v1:b-b6:corrected',
      outcome: 'corrected',
      correctedOutcome: 'refused',
      corrects: applied['id'],
      evidence: 'event',
    });
    await fail({ operationId, kind: 'Brand', reference: 'b6', eventType: 'Brand_UpdateFailed' });
    await send('brands', { externalReference: 'b6', recordId: 'c-b6', title: 'Marca b6' });
    expect(await outcomeOf('c-b6')).toMatchObject({ outcome: 'unchanged' });
    expect(gondola.results('b-b6')).toHaveLength(2);
  });

  it('a lost answer is sent again, and ends unconfirmed only if no answer comes at all (rule 16)', async () => {
    const shop = gondola.shop();
    let posts = 0;
    shop.before = ({ path, body }) => {
      if (!path.endsWith('Brands') || !body.includes('"b7"')) return undefined;
      posts += 1;
      return posts === 1 ? 'drop' : undefined;
    };
    await send('brands', brand('b7', { recordId: 'b7' }));
    expect(await outcomeOf('b7')).toMatchObject({ outcome: 'applied', evidence: 'presumed', attempts: 2 });
    shop.before = () => undefined;
  });

  it('a product waits for its brand and category, says for which once, and again when that changes; then it goes (rule 24)', async () => {
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
    const shown = await (await fetch(`${app.url}/api/products/w1?tenant=acme`)).json();
    expect(shown).toMatchObject({ open: [{ waitingFor: second.value['for'], attempts: 0, deadlineAt: null }] });
    expect(gondola.shop().batchesOf('w1')).toEqual([]);
    await send('brands', brand('w-brand', { recordId: 'w-brand' }));
    expect(await outcomeOf('w1', 3)).toMatchObject({ outcome: 'applied', evidence: 'event' });
    expect(gondola.results('w1')).toHaveLength(3);
    await send('products', { externalReference: 'w1', recordId: 'w1-again', name: 'Queijo novo', ...refers });
    expect(await outcomeOf('w1-again')).toMatchObject({ outcome: 'applied' });
  });

  it('what waits in vain is invalid at the deadline, naming what is missing; what is assumed is not waited for (rule 24)', async () => {
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
  });

  it('a child waits for its parent, which is always sent with it later (rule 24)', async () => {
    await send('categories', category('queijos', { recordId: 'queijos', parentExternalReference: 'frios' }));
    expect(await outcomeOf('queijos')).toMatchObject({
      outcome: 'waiting',
      for: [{ kind: 'category', externalReference: 'frios' }],
    });
    await send('categories', category('frios', { recordId: 'frios' }));
    expect(await outcomeOf('queijos', 2)).toMatchObject({ outcome: 'applied', evidence: 'presumed' });
    await send('categories', { externalReference: 'queijos', recordId: 'queijos-2', position: 3 });
    expect(await outcomeOf('queijos-2')).toMatchObject({ outcome: 'applied' });
    expect(gondola.shop().lastOf('queijos')).toEqual({
      externalReference: 'queijos',
      name: 'queijos',
      parentExternalReference: 'frios',
      position: 3,
    });
  });

  it('a tree goes as one, and each of its categories is known afterwards with its parent (rule 24)', async () => {
    const tree = category('mercado', {
      children: [category('carnes', { children: [category('aves')] }), category('peixes')],
    });
    await send('categories', { ...tree, recordId: 'mercado' });
    expect(await outcomeOf('mercado')).toMatchObject({ outcome: 'applied', evidence: 'presumed', attempts: 1 });
    expect(gondola.shop().referencesOf('aves')).toEqual([]);
    await send('categories', { externalReference: 'aves', recordId: 'aves', title: 'Aves' });
    expect(await outcomeOf('aves')).toMatchObject({ outcome: 'applied' });
    expect(gondola.shop().lastOf('aves')).toMatchObject({ parentExternalReference: 'carnes', name: 'aves' });
    const shown = await (await fetch(`${app.url}/api/categories/peixes?tenant=acme`)).json();
    expect(shown).toMatchObject({ exists: true, parent: 'mercado', record: { name: 'peixes' }, open: [] });
    await send('products', product('t1', { recordId: 't1', categoryExternalReference: 'peixes' }));
    expect(await outcomeOf('t1')).toMatchObject({ outcome: 'applied' });
  });

  it('of a tree that is refused in part, the result names what was, and the rest is known', async () => {
    const tree = category('loja', { children: [category('ruim'), category('boa')] });
    await send('categories', { ...tree, recordId: 'loja' });
    await gondola.until(() => gondola.shop().referencesOf('loja').length === 1);
    const { operationId } = gondola.shop().referencesOf('loja')[0]!;
    await fail({ operationId, kind: 'Category', reference: 'ruim' });
    expect(await outcomeOf('loja')).toMatchObject({
      outcome: 'refused',
      errors: [{ field: 'children[0].title', code: 'PLATFORM_REFUSED' }],
    });
    expect([await exists('loja'), await exists('ruim'), await exists('boa')]).toEqual([true, false, true]);
  });

  it('a cycle is invalid, also between two that wait for each other (rule 24)', async () => {
    await send('categories', category('self', { recordId: 'self', parentExternalReference: 'self' }));
    expect(await outcomeOf('self')).toMatchObject({ outcome: 'invalid', reason: { code: 'REFERENCE_CYCLE' } });
    await send('categories', category('ovo', { recordId: 'ovo', parentExternalReference: 'galinha' }));
    expect(await outcomeOf('ovo')).toMatchObject({ outcome: 'waiting' });
    await send('categories', category('galinha', { recordId: 'galinha', parentExternalReference: 'ovo' }));
    expect(await outcomeOf('galinha')).toMatchObject({ outcome: 'invalid', reason: { code: 'REFERENCE_CYCLE' } });
    await send('categories', category('galinha', { recordId: 'galinha-2' }));
    expect(await outcomeOf('ovo', 2)).toMatchObject({ outcome: 'applied' });
  });

  it('a category is taken off the menu, never deleted; one that is not known cannot be (rule 29)', async () => {
    await send('categories', category('some', { recordId: 'some', title: 'Some' }));
    await outcomeOf('some');
    await gondola.produceTo('erp.catalog.categories.v1', { key: 'some', value: null, headers: { ce_tenant: 'acme' } });
    await gondola.until(() => gondola.shop().referencesOf('some').length === 2);
    expect(gondola.shop().lastOf('some')).toMatchObject({ name: 'some', title: 'Some', showInStoreFront: false });
    await send('categories', { externalReference: 'some', op: 'activate', recordId: 'some-2' });
    expect(await outcomeOf('some-2')).toMatchObject({ outcome: 'applied', command: 'activate' });
    expect(gondola.shop().lastOf('some')).toMatchObject({ showInStoreFront: true });
    await send('categories', { externalReference: 'none', op: 'delete', recordId: 'none' });
    expect(await outcomeOf('none')).toMatchObject({ outcome: 'invalid', reason: { code: 'REFERENCE_MISSING' } });
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

  it('a brand that is no more is deleted already: a refusal that says so is as asked (rule 16)', async () => {
    await send('brands', { externalReference: 'gone', op: 'delete', recordId: 'gone' });
    await gondola.until(() => gondola.shop().referencesOf('gone').length === 1);
    await gondola.notify({
      tenant: 'acme',
      operationId: gondola.shop().referencesOf('gone')[0]!.operationId,
      relatedEntity: 'Brand',
      eventType: 'Operation_Failed',
      data: { externalReference: 'gone' },
      error: { statusCode: 404, message: '' },
    });
    expect(await outcomeOf('gone')).toMatchObject({ outcome: 'applied', evidence: 'already-in-state' });
  });

  it('two records that cover one category go one after the other, each over what the other left (mechanism 2)', async () => {
    const shop = gondola.shop();
    await send('categories', { ...category('raiz', { children: [category('folha')] }), recordId: 'raiz' });
    await outcomeOf('raiz');
    await gondola.produceTo(
      'erp.catalog.categories.v1',
      { value: { externalReference: 'folha', title: 'Folha', recordId: 'folha' }, headers: { ce_tenant: 'acme' } },
      {
        value: { ...category('raiz', { children: [category('folha', { position: 9 })] }), recordId: 'raiz-2' },
        headers: { ce_tenant: 'acme' },
      },
    );
    expect(await outcomeOf('folha')).toMatchObject({ outcome: 'applied' });
    expect(await outcomeOf('raiz-2')).toMatchObject({ outcome: 'applied' });
    const shown = await (await fetch(`${app.url}/api/categories/folha?tenant=acme`)).json();
    expect(shown).toMatchObject({ record: { title: 'Folha', position: 9 }, parent: 'raiz' });
    expect(shop.lastOf('raiz')).toMatchObject({ children: [{ position: 9 }] });
  });

  it('the overview counts what is open', async () => {
    const counts = (await (await fetch(`${app.url}/api/counts`)).json()) as { tenant: string; kind: string }[];
    expect(counts.find(({ tenant, kind }) => tenant === 'assuming' && kind === 'product')).toMatchObject({
      open: 1,
      sent: 0,
      waiting: 1,
    });
  });
});
