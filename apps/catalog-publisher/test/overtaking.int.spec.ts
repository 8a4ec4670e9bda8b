import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CatalogInstallation } from './support/catalog-app.ts';
import { brand, category, product } from './support/references.ts';

type Topic = 'brands' | 'categories' | 'products';

const below = (reference: string, parent: string, more: object) => ({
  ...category(reference, { parentExternalReference: parent }),
  ...more,
});

describe('a record that waits for a reference, and later ones of its entity, on real Kafka and PostgreSQL', () => {
  let gondola: CatalogInstallation;

  beforeAll(async () => {
    const deadlines = { settleMs: 80, referencesMs: 3_600_000 };
    gondola = await CatalogInstallation.create('cp-overtaking', [
      { id: 'acme', deadlines },
      { id: 'hasty', deadlines: { ...deadlines, referencesMs: 1_500 } },
    ]);
    await gondola.startApp();
    await gondola.readTopics();
    await send('brands', brand('right', { recordId: 'right' }));
    await send('categories', category('there', { recordId: 'there' }));
    for (const id of ['right', 'there']) await gondola.resultOf(id);
  });

  afterAll(() => gondola.close());

  const send = (topic: Topic, value: object, tenant = 'acme') =>
    gondola.produceTo(`erp.catalog.${topic}.v1`, { value, headers: { ce_tenant: tenant } });
  const outcomeOf = async (commandId: string, count = 1) => (await gondola.resultOf(commandId, count)).value;
  const bodies = (reference: string, tenant = 'acme') =>
    gondola
      .shop(tenant)
      .batchesOf(reference)
      .flatMap(({ products }) => products.filter(({ externalReference }) => externalReference === reference));
  const waits = async (commandId: string) => expect(await outcomeOf(commandId)).toMatchObject({ outcome: 'waiting' });

  it('one that has all that it has goes, and it is superseded (rule 24)', async () => {
    await send('products', product('a', { recordId: 'a1', brandExternalReference: 'wrogn', name: 'Velho nome' }));
    await waits('a1');
    await send('products', product('a', { recordId: 'a2', brandExternalReference: 'right', name: 'Novo nome' }));
    expect(await outcomeOf('a2')).toMatchObject({ outcome: 'applied' });
    expect(await outcomeOf('a1', 2)).toMatchObject({
      outcome: 'superseded',
      attempts: 0,
      skus: [{ outcome: 'superseded' }],
    });
    expect(bodies('a')).toHaveLength(1);
  });

  it('one that only corrects the reference lets it go with the right one, and nothing of it is lost (rule 24)', async () => {
    await send('products', product('b', { recordId: 'b1', brandExternalReference: 'wrogn', title: 'Título' }));
    await waits('b1');
    await send('products', { externalReference: 'b', recordId: 'b2', brandExternalReference: 'right' });
    expect(await outcomeOf('b2')).toMatchObject({ outcome: 'unchanged' });
    expect(await outcomeOf('b1', 2)).toMatchObject({ outcome: 'applied' });
    expect(bodies('b')).toMatchObject([{ brandExternalReference: 'right', title: 'Título' }]);
  });

  it('one that need not wait passes it, and the waiting one brings back no value that the other has set (rule 24)', async () => {
    await send('products', product('c', { recordId: 'c0' }));
    await gondola.until(() => gondola.results('c0').length > 0);
    const late = { externalReference: 'c', brandExternalReference: 'late', name: 'Nome antigo', title: 'Título de c1' };
    await send('products', { ...late, recordId: 'c1', sourceVersion: 5 });
    await waits('c1');
    await send('products', { externalReference: 'c', recordId: 'c2', name: 'Nome novo', sourceVersion: 6 });
    expect(await outcomeOf('c2')).toMatchObject({ outcome: 'applied' });
    await send('products', { externalReference: 'c', recordId: 'c3', op: 'delete' });
    expect(await outcomeOf('c3')).toMatchObject({ outcome: 'applied' });
    await send('brands', brand('late', { recordId: 'late' }));
    expect(await outcomeOf('c1', 2)).toMatchObject({ outcome: 'applied' });
    expect(bodies('c').at(-1)).toMatchObject({
      brandExternalReference: 'late',
      name: 'Nome novo',
      title: 'Título de c1',
      active: false,
    });
    await send('products', { externalReference: 'c', recordId: 'c5', name: 'Outro nome', sourceVersion: 5 });
    expect(await outcomeOf('c5')).toMatchObject({ outcome: 'invalid', reason: { code: 'STALE_VERSION' } });
  });

  it('a deletion ends the record that creates the product, and its parts, and a whole one creates it anew (rules 24, 29)', async () => {
    await send('products', product('d', { recordId: 'd1', brandExternalReference: 'later' }));
    await waits('d1');
    await send('products', { externalReference: 'd', recordId: 'd2', name: 'Nome parcial' });
    await send('products', { externalReference: 'd', recordId: 'd3', op: 'deactivate' });
    await send('products', { externalReference: 'd', recordId: 'd4', op: 'delete' });
    expect(await outcomeOf('d1', 2)).toMatchObject({ outcome: 'superseded' });
    expect(await outcomeOf('d2')).toMatchObject({ outcome: 'superseded' });
    expect(await outcomeOf('d3')).toMatchObject({ outcome: 'superseded' });
    expect(await outcomeOf('d4')).toMatchObject({ outcome: 'unchanged' });
    await send('products', product('d', { recordId: 'd5', brandExternalReference: 'later', name: 'Nome novo' }));
    await waits('d5');
    await send('brands', brand('later', { recordId: 'later' }));
    expect(await outcomeOf('d5', 2)).toMatchObject({ outcome: 'applied' });
    expect(bodies('d')).toMatchObject([{ name: 'Nome novo' }]);
    expect(bodies('d')[0]).not.toHaveProperty('active', false);
  });

  it('a record that hides the product stays behind the one that creates it (rules 24, 29)', async () => {
    await send('products', product('i', { recordId: 'i1', brandExternalReference: 'late-i' }));
    await waits('i1');
    await send('products', { externalReference: 'i', recordId: 'i2', op: 'deactivate' });
    await send('products', product('i', { recordId: 'i3', brandExternalReference: 'late-i', name: 'Nome novo' }));
    await send('brands', brand('late-i', { recordId: 'late-i' }));
    expect(await outcomeOf('i1', 2)).toMatchObject({ outcome: 'applied' });
    expect(await outcomeOf('i2')).toMatchObject({ outcome: 'applied' });
    await gondola.until(() => gondola.results('i3').some(({ value }) => value['final'] === true));
    expect(gondola.results('i3').at(-1)!.value).toMatchObject({
      outcome: 'applied',
      warnings: [{ code: 'STAYS_HIDDEN' }],
    });
  });

  it('one that needs what it creates stays behind it; one that is wrong in any case, or waits for another, does not (rule 24)', async () => {
    await send('products', product('e', { recordId: 'e1', brandExternalReference: 'soon' }));
    await waits('e1');
    await send('products', { externalReference: 'e', recordId: 'e2', name: 'Nome parcial' });
    await gondola.produceTo('erp.catalog.products.v1', {
      value: { externalReference: 'e', recordId: 'e3', colour: 'azul' },
      headers: { ce_tenant: 'acme' },
      isBad: true,
    });
    await send('products', { externalReference: 'e', recordId: 'e4', categoryExternalReference: 'soon' });
    expect(await outcomeOf('e3')).toMatchObject({ outcome: 'invalid', errors: [{ code: 'FIELD_UNKNOWN' }] });
    expect(gondola.results('e2')).toEqual([]);
    await send('brands', brand('soon', { recordId: 'soon-b' }));
    expect(await outcomeOf('e1', 2)).toMatchObject({ outcome: 'applied' });
    expect(await outcomeOf('e2')).toMatchObject({ outcome: 'applied' });
    await waits('e4');
    await send('categories', category('soon', { recordId: 'soon-c' }));
    expect(await outcomeOf('e4', 2)).toMatchObject({ outcome: 'applied' });
    expect(bodies('e').map(({ name }) => name)).toEqual([expect.any(String), 'Nome parcial', undefined]);
  });

  it('one that waited for its whole time ends by itself, and what passed it stays (rule 24)', async () => {
    await send('products', product('f', { recordId: 'f0' }), 'hasty');
    await gondola.until(() => gondola.results('f0').length > 0);
    await send(
      'products',
      { externalReference: 'f', recordId: 'f1', brandExternalReference: 'never', name: 'Nome um' },
      'hasty',
    );
    await waits('f1');
    await send('products', { externalReference: 'f', recordId: 'f2', name: 'Nome dois' }, 'hasty');
    expect(await outcomeOf('f2')).toMatchObject({ outcome: 'applied' });
    expect(await outcomeOf('f1', 2)).toMatchObject({ outcome: 'invalid', reason: { code: 'REFERENCE_MISSING' } });
    expect(bodies('f', 'hasty').at(-1)).toMatchObject({ name: 'Nome dois' });
  });

  it('a category goes with the parent that a later record names, or gives way to it, or is passed (rule 24)', async () => {
    const posted = (reference: string) => gondola.shop().referencesOf(reference);
    await send('categories', below('g', 'wrogn', { recordId: 'g1', position: 1 }));
    await waits('g1');
    await send('categories', below('g', 'there', { recordId: 'g2', position: 2 }));
    expect(await outcomeOf('g2')).toMatchObject({ outcome: 'applied' });
    expect(await outcomeOf('g1', 2)).toMatchObject({ outcome: 'superseded' });

    await send('categories', below('h', 'wrogn', { recordId: 'h1', position: 3 }));
    await waits('h1');
    await send('categories', { externalReference: 'h', parentExternalReference: 'there', recordId: 'h2' });
    expect(await outcomeOf('h2')).toMatchObject({ outcome: 'unchanged' });
    expect(await outcomeOf('h1', 2)).toMatchObject({ outcome: 'applied' });
    expect(posted('h')).toMatchObject([{ items: [{ parentExternalReference: 'there', position: 3 }] }]);

    await send('categories', { ...below('g', 'coming', {}), position: 4, title: 'Título', recordId: 'g3' });
    await waits('g3');
    await send('categories', { externalReference: 'g', op: 'deactivate', position: 5, recordId: 'g4' });
    expect(await outcomeOf('g4')).toMatchObject({ outcome: 'applied' });
    expect(gondola.shop().lastOf('g')).toMatchObject({ parentExternalReference: 'there', showInStoreFront: false });
    await send('categories', category('coming', { recordId: 'coming' }));
    expect(await outcomeOf('g3', 2)).toMatchObject({ outcome: 'applied' });
    expect(gondola.shop().lastOf('g')).toMatchObject({
      parentExternalReference: 'coming',
      title: 'Título',
      position: 5,
      showInStoreFront: false,
    });
  });

  it('a part of a category that is not there yet goes after the record that creates it (rules 21, 24)', async () => {
    await send('categories', below('k', 'late', { recordId: 'k1' }));
    await waits('k1');
    await send('categories', { externalReference: 'k', position: 6, recordId: 'k2' });
    await send('categories', category('marker', { recordId: 'marker' }));
    await outcomeOf('marker');
    await send('categories', category('late', { recordId: 'late' }));
    expect(await outcomeOf('k2')).toMatchObject({ outcome: 'applied' });
    const [first, second, ...more] = gondola.shop().referencesOf('k');
    expect(first).toMatchObject({ items: [{ parentExternalReference: 'late', name: 'k' }] });
    expect(second).toMatchObject({ items: [{ parentExternalReference: 'late', name: 'k', position: 6 }] });
    expect(more).toEqual([]);
  });

  it('one is not superseded by a whole one behind a part, which would be without what it is a part of (rule 24)', async () => {
    const whole = product('n', { brandExternalReference: 'later-b' });
    await send('products', { ...whole, recordId: 'n1' });
    await waits('n1');
    await send('products', { externalReference: 'n', punctuation: 3, recordId: 'n2' });
    await send('products', { ...whole, recordId: 'n3' });
    await send('categories', below('q', 'later-c', { recordId: 'q1' }));
    await waits('q1');
    await send('categories', { externalReference: 'q', position: 6, recordId: 'q2' });
    await send('categories', below('q', 'later-c', { recordId: 'q3' }));
    await send('brands', brand('later-b', { recordId: 'later-b' }));
    await send('categories', category('later-c', { recordId: 'later-c' }));
    const ends = () =>
      gondola.results().filter(({ value }) => value['final'] === true && /^[nq]\d$/.test(String(value['commandId'])));
    await gondola.installation.untilCount('their outcomes', () => [...ends()], 6);
    expect(Object.fromEntries(ends().map(({ value }) => [value['commandId'], value['outcome']]))).toEqual({
      n1: 'applied',
      n2: 'applied',
      n3: 'applied',
      q1: 'applied',
      q2: 'applied',
      q3: 'unchanged',
    });
    expect(gondola.shop().lastOf('q')).toMatchObject({ name: 'q', position: 6 });
  });
});
