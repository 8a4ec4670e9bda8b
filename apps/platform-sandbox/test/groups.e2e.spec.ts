import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { brandItem, productItem, skuItem } from './support/catalog-items.ts';
import { Shop, type Merchant } from './support/shop.ts';

type Item = Record<string, unknown>;

const COUNT = 200;
describe('products that wait together', () => {
  let shop: Shop;

  beforeAll(async () => {
    shop = await Shop.open();
  });
  afterAll(() => shop.close());

  function statesOf(operationId: string): string[] {
    const operations = [...shop.sandbox.core.operations.values()];
    return operations.filter((one) => one.operationId === operationId).map(({ state }) => state);
  }

  /**
   * Notifications of each item, in the order of the items and without values that differ between runs; and the
   * resulting shop.
   */
  async function outcome(merchant: Merchant, references: readonly string[]): Promise<unknown> {
    await shop.idle();
    const notified = shop.envelopesOf(merchant).map(({ eventType, data }) => {
      const { product, skus } = data as { product: Item & { error: Item | null }; skus: Item & { failedSKUs: Item[] } };
      const failedSKUs = skus.failedSKUs.map(({ externalReference, error }) => [externalReference, problemsOf(error)]);
      return JSON.stringify([eventType, { ...product, error: problemsOf(product.error) }, { ...skus, failedSKUs }]);
    });
    const models = [];
    for (const reference of references) {
      const path = `/v1/batch/Products/${reference}`;
      const { status, json } = await shop.call('GET', path, { headers: merchant.headers });
      models.push(status === 200 ? withoutIds(json) : status);
    }
    return { notified: notified.toSorted(), models };
  }

  it('are applied once each, with one notification', async () => {
    const merchant = await shop.merchant();
    const items = Array.from({ length: COUNT }, (_, n) =>
      one(`p${n}`, { skus: [skuItem({ externalReference: `p${n}-1` })] }),
    );
    const operationId = await shop.load(merchant, items);
    await shop.idle();
    expect(new Set(statesOf(operationId))).toEqual(new Set(['applied']));
    const notified = shop
      .envelopesOf(merchant, 'ProductWithSKUs_Created')
      .map(({ data }) => String((data.product as Item)['externalReference']));
    expect(notified.toSorted()).toEqual(Array.from({ length: COUNT }, (_, n) => `p${n}`).toSorted());
  });

  it('see the effects of those before them, as if each had come alone', async () => {
    const items: Item[] = [
      one('a', { skus: [skuItem({ externalReference: 's1' }), skuItem({ externalReference: 's2', ean: undefined })] }),
      { externalReference: 'a', name: 'Queijo Prato', slug: 'a-moved' },
      one('b', { slug: 'a', skus: [skuItem({ externalReference: 's1' }), skuItem({ externalReference: 's3' })] }),
      one('c', { slug: 'a' }),
      { externalReference: 'c', punctuation: 1 },
      one('d', { brandExternalReference: 'queijaria', categoryExternalReference: 'nothing' }),
      { externalReference: 'd', skus: [skuItem({ externalReference: 's4' })] },
      { externalReference: 'd', skus: [skuItem({ externalReference: 's5' })], active: false },
      { externalReference: 'b', slug: 'a-moved' },
      one('e', { name: 'x' }),
      { name: 'no reference' },
      one('e'),
    ];
    const references = ['a', 'b', 'c', 'd', 'e'];
    const [together, alone] = [await shop.merchant(), await shop.merchant()];
    for (const merchant of [together, alone]) await shop.accepted(merchant, 'POST', '/v1/batch/Brands', [brandItem()]);
    await shop.idle();
    await shop.load(together, items);
    for (const item of items) {
      await shop.load(alone, [item]);
      await shop.idle();
    }
    expect(await outcome(together, references)).toEqual(await outcome(alone, references));
  });

  it('are applied although one of them fails in another way than a refusal, and only that one crashes', async () => {
    const merchant = await shop.merchant();
    const { products } = shop.sandbox;
    const save = products.save.bind(products);
    const failing = jest.spyOn(products, 'save').mockImplementation((account, product) => {
      save(account, product);
      if (product.externalReference === 'odd') throw new Error('odd');
    });
    const operationId = await shop.load(merchant, [one('f'), one('odd'), one('g')]);
    await shop.idle();
    failing.mockRestore();
    const read = await shop.call('GET', '/v1/batch/Products/odd', { headers: merchant.headers });
    expect(read.status).toBe(404);
    expect(statesOf(operationId)).toEqual(['applied', 'crashed', 'applied']);
    expect(shop.envelopesOf(merchant)).toHaveLength(2);
  });

  it('are applied if they exchange slugs in a ring', async () => {
    const merchant = await shop.merchant();
    await shop.load(merchant, [one('k', { slug: 'x' }), one('l', { slug: 'w' })]);
    await shop.idle();
    const slugs = [
      ['k', 'y'],
      ['l', 'x'],
      ['k', 'w'],
    ];
    const operationId = await shop.load(
      merchant,
      slugs.map(([externalReference, slug]) => ({ externalReference, slug })),
    );
    await shop.idle();
    expect(statesOf(operationId)).toEqual(['applied', 'applied', 'applied']);
    expect(shop.envelopesOf(merchant, 'ProductWithSKUs_Updated')).toHaveLength(3);
    const read = await shop.call('GET', '/v1/batch/Products/k', { headers: merchant.headers });
    expect(read.json).toMatchObject({ slug: 'w' });
  });
});

function one(reference: string, overrides: Item = {}): Item {
  return productItem({ externalReference: reference, slug: reference, ...overrides });
}

function problemsOf(error: unknown): unknown {
  return (error as { validationErrors: unknown } | null)?.validationErrors ?? null;
}

function withoutIds(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutIds);
  if (typeof value !== 'object' || value === null) return value;
  const left = Object.entries(value).filter(([key]) => !/(^id|Id|At)$/.test(key));
  return Object.fromEntries(left.map(([key, field]) => [key, withoutIds(field)]));
}
