import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CatalogInstallation } from './support/catalog-app.ts';
import { brand, category, product, type TestEntity } from './support/references.ts';

type Topic = 'brands' | 'categories' | 'products';

const ROUTES: Readonly<Record<Topic, string>> = { brands: 'Brands', categories: 'Categories', products: 'Products' };

/** A first record whose call is lost once, and a newer one that the lost call would overwrite. */
interface Overtaking {
  readonly topic: Topic;
  readonly first: TestEntity;
  readonly newer: TestEntity;
}

const TREE = category('mercado', { children: [category('carnes')] });
const CASES: Readonly<Record<string, Overtaking>> = {
  'a product': { topic: 'products', first: product('1', { title: 'Antigo' }), newer: product('1', { title: 'Novo' }) },
  'a brand': { topic: 'brands', first: brand('b', { title: 'Antiga' }), newer: brand('b', { title: 'Nova' }) },
  'a category': { topic: 'categories', first: category('c', { position: 1 }), newer: category('c', { position: 2 }) },
  'a category of a tree': { topic: 'categories', first: TREE, newer: category('carnes', { title: 'Carnes' }) },
};

describe('a call that was lost, on real Kafka and PostgreSQL', () => {
  let gondola: CatalogInstallation;

  beforeAll(async () => {
    gondola = await CatalogInstallation.create('cp-late', [{ id: 'acme', deadlines: { settleMs: 50 } }]);
    await gondola.startApp();
    await gondola.readTopics();
  });

  afterAll(() => gondola.close());

  const send = (topic: Topic, entity: TestEntity, recordId: string) =>
    gondola.produceTo(`erp.catalog.${topic}.v1`, { value: { ...entity, recordId }, headers: { ce_tenant: 'acme' } });
  const outcomeOf = async (commandId: string) => (await gondola.resultOf(commandId)).value;

  it.each(Object.entries(CASES))(
    'of %s keeps a newer record from being sent while it may still be carried out (rule 16)',
    async (name, { topic, first, newer }) => {
      const shop = gondola.shop();
      const isItsRoute = (path: string): boolean => path.endsWith(ROUTES[topic]);
      let calls = 0;
      shop.before = ({ method, path }) => {
        if (method !== 'POST' || !isItsRoute(path)) return undefined;
        calls += 1;
        return calls === 1 ? 'drop' : undefined;
      };
      await send(topic, first, `${name}: first`);
      expect(await outcomeOf(`${name}: first`)).toMatchObject({ outcome: 'applied', attempts: 2 });
      await send(topic, newer, `${name}: newer`);
      // Another entity of the kind passes it.
      const other = topic === 'products' ? product(`${name} 2`) : category(`${name} 2`);
      await send(topic === 'products' ? topic : 'categories', other, `${name}: other`);
      expect(await outcomeOf(`${name}: other`)).toMatchObject({ outcome: 'applied' });
      expect(gondola.results(`${name}: newer`)).toEqual([]);
      const posts = calls;
      await gondola.landLostCalls();
      expect(await outcomeOf(`${name}: newer`)).toMatchObject({ outcome: 'applied', attempts: 1 });
      expect(calls).toBe(posts + 1);
    },
  );
});
