import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { showDemo } from '../src/demo.ts';
import { Store } from '../src/store/store.service.ts';
import { Shop } from './support/shop.ts';

const TABLES = ['tenants', 'brands', 'categories', 'products', 'records', 'files', 'orders'] as const;
type Sizes = Readonly<Record<(typeof TABLES)[number], number>>;

describe('a shop that is seeded', () => {
  let shop: Shop;
  let folder: string;

  beforeEach(async () => {
    shop = await Shop.open();
    folder = await mkdtemp(join(tmpdir(), 'sandbox-seeded-'));
  });
  afterEach(async () => {
    await shop.close();
    await rm(folder, { recursive: true });
  });

  /** Different sizes of the tables after a kill at any point, the smallest first. */
  async function sizesAfterKills(): Promise<Sizes[]> {
    await shop.stop();
    const lines = (await readFile(join(shop.dataDir, 'journal.0'), 'utf8')).split(/(?<=\n)/);
    const sizes = new Map<string, Sizes>();
    for (let kept = 0; kept <= lines.length; kept += 1) {
      await writeFile(join(folder, 'journal.0'), lines.slice(0, kept).join(''));
      const store = new Store({ folder, version: '1.2.3', journalMaxBytes: 1_000_000 });
      const tables = TABLES.map((name) => [name, store.table(name)] as const);
      await store.open();
      const found = Object.fromEntries(tables.map(([name, table]) => [name, table.size])) as Sizes;
      await store.close();
      sizes.set(JSON.stringify(found), found);
    }
    return [...sizes.values()];
  }

  it('is whole or not there after a kill at any point', async () => {
    await shop.admin('POST', '/seed', { products: 150, pictures: 9, orders: 30 });
    expect(await sizesAfterKills()).toEqual([
      { tenants: 0, brands: 0, categories: 0, products: 0, records: 0, files: 0, orders: 0 },
      { tenants: 1, brands: 8, categories: 12, products: 150, records: 300, files: 9, orders: 30 },
    ]);
  });

  it('by --demo is whole or not there after a kill at any point', async () => {
    await showDemo(shop.sandbox);
    expect((await sizesAfterKills()).map(({ tenants, products, orders }) => [tenants, products, orders])).toEqual([
      [0, 0, 0],
      [1, 24, 4],
    ]);
  });

  it('has what it had before, if the seed fails', async () => {
    await shop.merchant();
    await shop.merchant();
    const body = { products: 5, pictures: 5, contractAccountId: '99999999-9999-4999-8999-999999999999' };
    expect((await shop.call('POST', '/admin/seed', { body })).status).toBe(400);
    expect(shop.sandbox.products.table.size).toBe(0);
    expect(await readdir(join(shop.dataDir, 'files'))).toEqual([]);
  });

  it('has each picture once, however often it is seeded', async () => {
    for (let time = 1; time <= 2; time += 1) await shop.admin('POST', '/seed', { products: 5, pictures: 5, orders: 0 });
    expect(shop.sandbox.files.table.size).toBe(5);
    expect(await readdir(join(shop.dataDir, 'files'))).toHaveLength(5);
  });

  it('of more than fits into one unit of work is whole in the end', async () => {
    await shop.admin('POST', '/seed', { products: 2_100, pictures: 2, orders: 1_050 });
    await shop.stop();
    await shop.start();
    expect(await shop.admin('GET', '/overview')).toMatchObject({ tenants: 1, products: 2_100, orders: 1_050 });
    expect(shop.sandbox.files.table.size).toBe(2);
  });
});
