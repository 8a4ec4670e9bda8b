import { testStack } from '@gondola/local-stack/test-stack';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { brandItem, productItem, skuItem } from './support/catalog-items.ts';
import { Shop, type Merchant } from './support/shop.ts';

type Item = Record<string, unknown>;

const COUNT = 200;
/**
 * Limit of the core's transactions for these products: each takes as many as it can, but some products arrive
 * later.
 */
const MOST_TRANSACTIONS = 20;

describe('products that wait together', () => {
  let shop: Shop;
  let client: Client;

  beforeAll(async () => {
    shop = await Shop.open();
    client = new Client({ connectionString: testStack().databaseUrl });
    await client.connect();
    await client.query(`SET search_path = ${shop.databaseSchema}`);
  });
  afterAll(async () => {
    await client.end();
    await shop.close();
  });

  async function statesOf(operationId: string): Promise<{ states: string[]; transactions: number }> {
    const { rows } = await client.query<{ state: string; ended_at: Date; xmin: string }>(
      'SELECT state, xmin FROM operations WHERE operation_id = $1 ORDER BY seq',
      [operationId],
    );
    return { states: rows.map(({ state }) => state), transactions: new Set(rows.map(({ xmin }) => xmin)).size };
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

  it('are applied in few transactions, each once with one notification', async () => {
    const merchant = await shop.merchant();
    const items = Array.from({ length: COUNT }, (_, n) =>
      one(`p${n}`, { skus: [skuItem({ externalReference: `p${n}-1` })] }),
    );
    const operationId = await shop.load(merchant, items);
    await shop.idle();
    const { states, transactions } = await statesOf(operationId);
    expect(new Set(states)).toEqual(new Set(['applied']));
    expect(transactions).toBeLessThan(MOST_TRANSACTIONS);
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

  it('are applied one by one if one of them fails in another way than a refusal, and only that one crashes', async () => {
    const merchant = await shop.merchant();
    await client.query(`ALTER TABLE products ADD CONSTRAINT not_odd CHECK (external_reference <> 'odd')`);
    const operationId = await shop.load(merchant, [one('f'), one('odd'), one('g')]);
    await shop.idle();
    expect((await statesOf(operationId)).states).toEqual(['applied', 'crashed', 'applied']);
    expect(shop.envelopesOf(merchant)).toHaveLength(2);
  });

  it('are applied one by one if they exchange slugs in a ring, which no single write can store', async () => {
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
    expect((await statesOf(operationId)).states).toEqual(['applied', 'applied', 'applied']);
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
