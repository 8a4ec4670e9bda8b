import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CatalogInstallation } from './support/catalog-app.ts';
import { brand, category, product } from './support/references.ts';

type Topic = 'brands' | 'categories' | 'products';

const move = (externalReference: string, parentExternalReference: string | null, recordId: string) => ({
  externalReference,
  parentExternalReference,
  recordId,
});

const removal = (externalReference: string) => ({
  externalReference,
  op: 'delete',
  recordId: `${externalReference}-gone`,
});

const moved = (externalReference: string) => ({
  externalReference,
  brandExternalReference: 'h',
  recordId: `${externalReference}-h`,
});

describe('a record that would be refused for the sake of others, while records of theirs are open', () => {
  let gondola: CatalogInstallation;

  beforeAll(async () => {
    gondola = await CatalogInstallation.create('cp-open-others', [
      { id: 'acme', deadlines: { settleMs: 400, referencesMs: 3_600_000 } },
    ]);
    await gondola.startApp();
    await gondola.readTopics();
  });

  afterAll(() => gondola.close());

  const send = (topic: Topic, ...values: object[]) =>
    gondola.produceTo(`erp.catalog.${topic}.v1`, ...values.map((value) => ({ value, key: 'same' })));
  const outcomeOf = async (commandId: string, count = 1) => (await gondola.resultOf(commandId, count)).value;
  const exist = async (topic: Topic, ...records: { externalReference: string }[]) => {
    await send(topic, ...records.map((each) => ({ ...each, recordId: `new-${each.externalReference}` })));
    for (const { externalReference } of records) {
      await gondola.until(() =>
        gondola.results(`new-${externalReference}`).some(({ value }) => value['outcome'] === 'applied'),
      );
    }
  };

  it('moves of categories that are valid one after the other are applied when they are sent at once (rule 24)', async () => {
    await exist(
      'categories',
      category('a'),
      category('b', { parentExternalReference: 'a' }),
      category('c', { parentExternalReference: 'b' }),
    );
    await send('categories', move('c', null, 'c-up'), move('b', 'c', 'b-down'), move('a', 'b', 'a-down'));
    for (const id of ['c-up', 'b-down', 'a-down']) expect(await outcomeOf(id)).toMatchObject({ outcome: 'applied' });
    expect(gondola.shop().lastOf('a')).toMatchObject({ parentExternalReference: 'b' });
  });

  it('of two moves that make a cycle the first is applied, and the second is invalid (rule 24)', async () => {
    await exist('categories', category('d'), category('e'));
    await send('categories', move('d', 'e', 'd-down'), move('e', 'd', 'e-down'));
    expect(await outcomeOf('d-down')).toMatchObject({ outcome: 'applied' });
    expect(await outcomeOf('e-down')).toMatchObject({ outcome: 'invalid', errors: [{ code: 'REFERENCE_CYCLE' }] });
  });

  it('a brand is removed behind the move of its last product, and stays while a product without a move has it (rule 29)', async () => {
    await exist('brands', brand('f'), brand('g'), brand('h'));
    await exist(
      'products',
      product('p', { brandExternalReference: 'f' }),
      product('q', { brandExternalReference: 'g' }),
      product('r', { brandExternalReference: 'g' }),
    );
    await send('products', moved('p'), moved('q'));
    await send('brands', removal('f'), removal('g'));
    expect(await outcomeOf('f-gone')).toMatchObject({ outcome: 'applied' });
    expect(await outcomeOf('g-gone')).toMatchObject({ outcome: 'invalid', reason: { code: 'REFERENCE_IN_USE' } });
    for (const id of ['p-h', 'q-h']) expect(await outcomeOf(id)).toMatchObject({ outcome: 'applied' });
  });

  it('a removal whose products’ move the shop refuses is invalid then (rule 29)', async () => {
    await exist('brands', brand('i'), brand('j'));
    await exist('products', product('s', { brandExternalReference: 'i' }));
    gondola.shop().fates.set('s', () => ({
      product: { externalReference: 's', processed: false, error: { statusCode: 422, message: '{}' } },
      skus: { total: 0, successful: 0, failed: 0, successfulSKUs: [], failedSKUs: [] },
    }));
    await send('products', { externalReference: 's', brandExternalReference: 'j', recordId: 's-j' });
    await send('brands', { externalReference: 'i', op: 'delete', recordId: 'i-gone' });
    expect(await outcomeOf('i-gone')).toMatchObject({ outcome: 'invalid', reason: { code: 'REFERENCE_IN_USE' } });
    expect(await outcomeOf('s-j')).toMatchObject({ outcome: 'refused' });
  });
});
