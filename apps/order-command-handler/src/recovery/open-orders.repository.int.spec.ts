import { createTestSchema, testStack } from '@gondola/local-stack/test-stack';
import { Commands } from '@gondola/lanes/commands/commands';
import { Database } from '@gondola/service-kit/database/database';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { orderEntities, orderMigrations } from '../database.schema.ts';
import { OpenOrdersRepository, type QuietOrder } from './open-orders.repository.ts';

const OPEN = 100_000;
const QUIET_MS = 600_000;
/** Pages of tables and indices that a statement may read: less than all orders have. */
const FEW_PAGES = 3_000;

let database: Database;
let openOrders: OpenOrdersRepository;
let statements: { readonly text: string; readonly values: unknown[] }[];
let drop: () => Promise<void>;

beforeAll(async () => {
  const schema = await createTestSchema('open-orders');
  const options = { url: testStack().databaseUrl, schema: schema.schema, queryTimeoutMs: 120_000 };
  database = new Database({ ...options, entities: orderEntities, migrations: orderMigrations });
  drop = () => schema.drop();
  await database.connect();
  statements = [];
  const noted = (text: string, values: unknown[]) => {
    statements.push({ text, values });
    return database.query(text, values);
  };
  openOrders = new OpenOrdersRepository(
    {
      query: noted,
      transaction: (work: (tx: object) => Promise<unknown>) => work({ query: noted }),
    } as unknown as Database,
    { lanesWithOpen: async () => new Set<string>() } as unknown as Commands,
  );
});

afterAll(async () => {
  await database.close();
  await drop();
});

beforeEach(async () => {
  statements.splice(0);
  await database.query('TRUNCATE lanes CASCADE');
});

/** Open orders that were heard of so long ago, with their reads and the seconds for which they are due. */
async function open(
  { count, from = 1, tenant = 'acme' }: { count: number; from?: number; tenant?: string },
  { looks, dueFor, silentFor }: { looks: string; dueFor: string; silentFor: string },
): Promise<void> {
  await database.query(
    `WITH added AS (
       INSERT INTO lanes (tenant, kind, identity) SELECT $1, 'order', n::text FROM generate_series($2::integer, $3::integer) AS n
       RETURNING id, identity)
     INSERT INTO orders (lane_id, tenant, order_number, status, revision, published_status, status_since, published_at, looks, look_at)
     SELECT id, $1, identity, 400, 1, 400, heard, heard, looks, now() - (${dueFor}) * interval '1 second'
     FROM (SELECT *, now() - (${silentFor}) * interval '1 second' AS heard, ${looks} AS looks FROM (
       SELECT *, identity::integer AS n FROM added) AS numbered) AS judged`,
    [tenant, from, from + count - 1],
  );
}

const next = async (quietMs: number | null = QUIET_MS) => {
  const { fewest, eldest } = await openOrders.next('acme', quietMs);
  return { fewest: fewest?.orderNumber, eldest: eldest?.orderNumber };
};

const rowOf = async (number: number) => {
  const { rows } = await database.query<{ looks: number; waits: boolean | null }>(
    `SELECT looks, look_at > now() AS waits FROM orders WHERE order_number = $1`,
    [String(number)],
  );
  return rows[0];
};

/** Pages that each statement reads, by its first words. */
async function pagesRead(): Promise<[string, number][]> {
  const read: [string, number][] = [];
  for (const { text, values } of statements) {
    const { rows } = await database.query<{ 'QUERY PLAN': { Plan: Record<string, number> }[] }>(
      `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${text}`,
      values,
    );
    const { Plan: plan } = rows[0]!['QUERY PLAN'][0]!;
    read.push([text.trim().slice(0, 60), plan['Shared Hit Blocks']! + plan['Shared Read Blocks']!]);
  }
  return read;
}

describe('the open orders of a shop that never closes them', () => {
  it('do not stand before one of today: fewest reads first, by few pages of the tables (rule 5)', async () => {
    await open({ count: OPEN }, { looks: '1 + n % 120', dueFor: '3600 + n % 80000', silentFor: '90000 + n * 20' });
    await open({ count: 500, from: 200_001 }, { looks: '0', dueFor: '100 + n % 500', silentFor: '700 + n % 500' });
    await open({ count: 1, from: 300_001 }, { looks: '0', dueFor: '1', silentFor: '601' });
    await open({ count: 1, from: 400_001, tenant: 'bairro' }, { looks: '0', dueFor: '0', silentFor: '601' });
    await database.query('ANALYZE orders; ANALYZE lanes; ANALYZE order_facts');
    statements.splice(0);
    expect(await next()).toMatchObject({ fewest: '300001' });
    const late = await openOrders.lateness('acme', QUIET_MS);
    expect(late.youngSeconds).toBeGreaterThan(598);
    expect(late.youngSeconds).toBeLessThan(3_600);
    expect(late.allSeconds).toBeGreaterThan(80_000);
    expect(await openOrders.lateness('acme', null)).toEqual({ youngSeconds: 0, allSeconds: 0 });
    expect((await pagesRead()).filter(([, pages]) => pages > FEW_PAGES)).toEqual([]);
  });

  it('are given up, those of weeks ago at once; an operator sees how many, and has them read once more', async () => {
    await open({ count: 950 }, { looks: '7', dueFor: '60', silentFor: '31 * 86400' });
    await open({ count: 1, from: 2_001 }, { looks: '0', dueFor: '60', silentFor: '31 * 86400' });
    expect(await next()).toEqual({ fewest: '2001', eldest: '2001' });
    expect(await openOrders.givenUp('acme')).toBe(950);
    expect(await rowOf(7)).toEqual({ looks: 7, waits: null });
    await openOrders.takeUp(database as never, 'acme', { from: 5, to: 7 });
    expect(await openOrders.givenUp('acme')).toBe(947);
    expect(await rowOf(7)).toEqual({ looks: 0, waits: false });
    expect(await next()).toMatchObject({ fewest: expect.stringMatching(/^[567]$/) });
  });

  it('show the one that has been due for longest, too', async () => {
    await open({ count: 3 }, { looks: 'n', dueFor: '100 * n', silentFor: '90000' });
    expect(await next()).toEqual({ fewest: '1', eldest: '3' });
    await database.query(`UPDATE orders SET look_at = now() + lane_id * interval '1 minute'`);
    expect(await next()).toEqual({ fewest: undefined, eldest: '1' });
  });

  it('are those in doubt alone where quiet ones are not read', async () => {
    await open({ count: 3 }, { looks: 'CASE n WHEN 2 THEN -1 ELSE 0 END', dueFor: '100 * n', silentFor: '90000' });
    expect(await next(null)).toEqual({ fewest: '2', eldest: '2' });
  });
});

describe('the next read of an order', () => {
  it('is put off by a read, but not if the order was heard of meanwhile', async () => {
    await open({ count: 1 }, { looks: '3', dueFor: '1', silentFor: '90000' });
    const { fewest: read } = (await openOrders.next('acme', QUIET_MS)) as { fewest: QuietOrder };
    await openOrders.lookAgain(database as never, read, 4, 60_000);
    expect(await rowOf(1)).toEqual({ looks: 4, waits: true });
    await database.query('UPDATE orders SET revision = 2, looks = 0, look_at = now()');
    await openOrders.lookAgain(database as never, read, 5, 60_000);
    expect(await rowOf(1)).toEqual({ looks: 0, waits: false });
  });
});
