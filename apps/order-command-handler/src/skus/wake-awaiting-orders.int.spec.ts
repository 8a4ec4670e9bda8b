import { createTestSchema, testStack } from '@gondola/local-stack/test-stack';
import type { LaneSteps } from '@gondola/lanes/lanes/lane-workers';
import { Lanes } from '@gondola/lanes/lanes/lanes';
import { Database } from '@gondola/service-kit/database/database';
import type { SkuSnapshot } from '@gondola/shared/catalog/sku-snapshot';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { orderEntities, orderMigrations } from '../database.schema.ts';
import { ArrivedSkusRepository } from './arrived-skus.repository.ts';
import { WakeAwaitingOrders } from './wake-awaiting-orders.service.ts';

const ORDERS = 50_000;
/** The limit of the apps' statements. */
const QUERY_MS = 4_500;

const sku = (n: number): SkuSnapshot => {
  const about = { tenant: 'acme', skuExternalReference: `sku-${n}`, productExternalReference: `product-${n}` };
  return { ...about, skuId: `s-${n}`, productId: `p-${n}`, ean: '', reference: '', name: '' } as SkuSnapshot;
};

describe('newly known SKUs for which many orders wait', () => {
  let database: Database;
  let limited: Database;
  let lanes: Lanes;
  let awaiting: WakeAwaitingOrders;
  let step: LaneSteps['step'];
  let drop: () => Promise<void>;

  beforeAll(async () => {
    const schema = await createTestSchema('awaiting-orders');
    const options = { url: testStack().databaseUrl, schema: schema.schema };
    const schemaOptions = { ...options, entities: orderEntities, migrations: orderMigrations };
    database = new Database({ ...schemaOptions, queryTimeoutMs: 120_000 });
    limited = new Database({ ...schemaOptions, queryTimeoutMs: QUERY_MS });
    drop = () => schema.drop();
    await database.connect();
    await limited.connect();
    lanes = new Lanes(limited);
    const workers = { add: (steps: LaneSteps) => void ({ step } = steps), wake: () => {} };
    awaiting = new WakeAwaitingOrders(limited, new ArrivedSkusRepository(limited), lanes, workers);
    awaiting.onModuleInit();
    await database.query(
      `INSERT INTO lanes (tenant, kind, identity) SELECT 'acme', 'order', n::text FROM generate_series(1, $1::integer) AS n`,
      [ORDERS],
    );
    // Of 20 SKUs each order waits for, two are common to all, as those of a shop whose catalog is not loaded yet.
    await database.query(`
      INSERT INTO orders (lane_id, tenant, order_number, status, revision, published_status, published_parts, awaited_skus)
      SELECT id, tenant, identity, 300, 1, 300, '{}',
        ARRAY['id s-1', 'id s-2'] || ARRAY(SELECT 'id s-' || (identity::integer * 18 + k) FROM generate_series(1, 18) AS k)
      FROM lanes`);
    await database.query('ANALYZE orders');
  });

  afterAll(async () => {
    await limited.close();
    await database.close();
    await drop();
  });

  const due = async (): Promise<number> => {
    const text = `SELECT count(*)::integer AS n FROM lanes WHERE kind = 'order' AND due_at IS NOT NULL`;
    const { rows } = await database.query<{ n: number }>(text);
    return rows[0]!.n;
  };

  const steps = async (): Promise<number> => {
    for (let count = 0; ; count += 1) {
      const claimed = await lanes.claim({ tenant: 'acme', kind: 'awaiting-skus', limit: 1, leaseMs: 60_000 });
      if (claimed.length === 0) return count;
      await step(claimed, new AbortController().signal);
    }
  };

  it('wake only the orders that wait for them, in pages and not in the handler of their records (rule 11)', async () => {
    await awaiting.wake([sku(7 * 18 + 3), sku(9 * 18 + 3), sku(2_000_000)]);
    expect(await due()).toBe(0);
    await steps();
    expect(await due()).toBe(2);
    await awaiting.wake([sku(1), sku(2)]);
    expect(await due()).toBe(2);
    expect(await steps()).toBeGreaterThanOrEqual(ORDERS / 500);
    expect(await due()).toBe(ORDERS);
    expect((await database.query('SELECT 1 FROM arrived_skus')).rows).toEqual([]);
  });

  it('are looked for within the limit of a statement, a large batch at once (rule 11)', async () => {
    await database.query(
      `UPDATE orders SET awaited_skus = awaited_skus || ('ean ' || lane_id) WHERE lane_id % 1000 = 0`,
    );
    // Each look-up would read the list of entries that are not sorted in yet.
    const pending = `SELECT gin_clean_pending_list('orders_awaiting_skus')::integer AS pages`;
    expect((await database.query(pending)).rows).toEqual([{ pages: 0 }]);
    const skus = Array.from({ length: 2_000 }, (_, n) => sku(3_000_000 + n));
    await awaiting.wake(skus.map((each, n) => ({ ...each, ean: `ean-${n}`, reference: `reference-${n}` })));
    expect((await database.query('SELECT 1 FROM arrived_skus')).rows).toEqual([]);
  });

  it('are found by an index, however many orders wait for others (rule 11)', async () => {
    const text = `EXPLAIN (FORMAT JSON) SELECT 1 FROM orders WHERE awaited_skus IS NOT NULL AND awaited_skus @> ARRAY['id s-129']`;
    const { rows } = await database.query<{ 'QUERY PLAN': unknown }>(text);
    expect(JSON.stringify(rows[0]!['QUERY PLAN'])).toContain('orders_awaiting_skus');
  });
});
