import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { asOperator } from '@gondola/local-stack/testing/as-operator';
import type { RunningApp } from '@gondola/service-kit/run/create-app';
import { CatalogInstallation } from './support/catalog-app.ts';
import { category, failure, type FailureParts, product } from './support/references.ts';

describe('a category record, on real Kafka and PostgreSQL', () => {
  let gondola: CatalogInstallation;
  let app: RunningApp;

  beforeAll(async () => {
    const deadlines = { settleMs: 80, referencesMs: 3_600_000 };
    gondola = await CatalogInstallation.create('cp-categories', [{ id: 'acme', deadlines }]);
    app = await gondola.startApp();
    await gondola.readTopics();
  });

  afterAll(() => gondola.close());

  const send = (topic: 'brands' | 'categories' | 'products', value: object, tenant = 'acme') =>
    gondola.produceTo(`erp.catalog.${topic}.v1`, { value, headers: { ce_tenant: tenant } });
  const outcomeOf = async (commandId: string, count = 1) => (await gondola.resultOf(commandId, count)).value;
  const fail = (parts: FailureParts) => gondola.notify(parts.tenant ?? 'acme', failure(parts));
  const exists = async (reference: string) =>
    ((await (await asOperator(`${app.url}/api/categories/${reference}?tenant=acme`)).json()) as { exists: boolean })
      .exists;

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

  it('a tree is sent whole, and each of its categories is known afterwards with its parent (rule 24)', async () => {
    const tree = category('mercado', {
      children: [category('carnes', { children: [category('aves')] }), category('peixes')],
    });
    await send('categories', { ...tree, recordId: 'mercado' });
    expect(await outcomeOf('mercado')).toMatchObject({ outcome: 'applied', evidence: 'presumed', attempts: 1 });
    expect(gondola.shop().referencesOf('aves')).toEqual([]);
    await send('categories', { externalReference: 'aves', recordId: 'aves', title: 'Aves' });
    expect(await outcomeOf('aves')).toMatchObject({ outcome: 'applied' });
    expect(gondola.shop().lastOf('aves')).toMatchObject({ parentExternalReference: 'carnes', name: 'aves' });
    const shown = await (await asOperator(`${app.url}/api/categories/peixes?tenant=acme`)).json();
    expect(shown).toMatchObject({ exists: true, parent: 'mercado', record: { name: 'peixes' }, open: [] });
    await send('products', product('t1', { recordId: 't1', categoryExternalReference: 'peixes' }));
    expect(await outcomeOf('t1')).toMatchObject({ outcome: 'applied' });
  });

  it('the result of a partly refused tree names the refused categories, and the others become known', async () => {
    const tree = category('loja', { children: [category('ruim'), category('boa')] });
    const operationId = '00000000-0000-4000-8000-000000000001';
    gondola.shop().before = async ({ path, body }) => {
      if (!path.endsWith('Categories') || !body.includes('"loja"')) return undefined;
      // Reported before the answer: it is known before anything can be presumed.
      await fail({ operationId, kind: 'Category', reference: 'ruim' });
      return { status: 200, json: { operationId } };
    };
    await send('categories', { ...tree, recordId: 'loja' });
    expect(await outcomeOf('loja')).toMatchObject({
      outcome: 'refused',
      errors: [{ field: 'children[0].title', code: 'PLATFORM_REFUSED' }],
    });
    gondola.shop().before = () => undefined;
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
    await send('categories', category('some', { recordId: 'some-1', title: 'Some' }));
    expect(await outcomeOf('some-1')).toMatchObject({ outcome: 'unchanged', warnings: [{ code: 'STAYS_HIDDEN' }] });
    await send('categories', { externalReference: 'some', op: 'activate', recordId: 'some-2' });
    expect(await outcomeOf('some-2')).toMatchObject({ outcome: 'applied', command: 'activate' });
    expect(gondola.shop().lastOf('some')).toMatchObject({ showInStoreFront: true });
    await send('categories', { externalReference: 'none', op: 'delete', recordId: 'none' });
    expect(await outcomeOf('none')).toMatchObject({ outcome: 'invalid', reason: { code: 'REFERENCE_MISSING' } });
  });

  it('two records with a common category are sent one after the other, each on top of the state that the other left (mechanism 2)', async () => {
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
    const shown = await (await asOperator(`${app.url}/api/categories/folha?tenant=acme`)).json();
    expect(shown).toMatchObject({ record: { title: 'Folha', position: 9 }, parent: 'raiz' });
    expect(shop.lastOf('raiz')).toMatchObject({ children: [{ position: 9 }] });
  });

  it('a late report about a tree leaves a child as a newer record of its own set it (rules 24, 28)', async () => {
    const operationId = '00000000-0000-4000-8000-000000000004';
    gondola.shop().before = ({ path, body }) =>
      path.endsWith('Categories') && body.includes('"tronco"') ? { status: 200, json: { operationId } } : undefined;
    await send('categories', { ...category('tronco', { children: [category('ramo')] }), recordId: 'tronco' });
    expect(await outcomeOf('tronco')).toMatchObject({ outcome: 'applied', evidence: 'presumed' });
    gondola.shop().before = () => undefined;
    await send('categories', { externalReference: 'ramo', title: 'Ramo', recordId: 'ramo' });
    expect(await outcomeOf('ramo')).toMatchObject({ outcome: 'applied' });
    await fail({ operationId, kind: 'Category', reference: 'ramo' });
    expect(await outcomeOf('tronco', 2)).toMatchObject({ outcome: 'corrected', correctedOutcome: 'refused' });
    expect(await exists('ramo')).toBe(true);
    await send('products', product('t2', { recordId: 't2', categoryExternalReference: 'ramo' }));
    expect(await outcomeOf('t2')).toMatchObject({ outcome: 'applied' });
  });
});
