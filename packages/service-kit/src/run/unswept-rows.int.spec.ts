import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { testStack } from '@gondola/local-stack/test-stack';
import { HOUR_MS } from '@gondola/shared/durations';
import { Registry } from 'prom-client';
import { Database } from '../database/database.ts';
import { UnsweptRows } from './unswept-rows.ts';

const url = testStack().databaseUrl;
const OLDEST = "SELECT min(at) + interval '2 hours' AS due FROM visits WHERE shop = $1";
const schema = `unswept_${randomBytes(6).toString('hex')}`;

let now = Date.UTC(2026, 10, 26);
let database: Database;

beforeAll(async () => {
  database = new Database({ url, schema, migrations: [] });
  await database.connect();
  await database.query(`CREATE SCHEMA ${schema}`);
  await database.query('CREATE TABLE visits (shop text NOT NULL, at timestamptz NOT NULL)');
});

afterAll(async () => {
  await database.query(`DROP SCHEMA ${schema} CASCADE`);
  await database.close();
});

beforeEach(() => database.query('TRUNCATE visits'));

async function visited(shop: string, hoursAgo: number): Promise<void> {
  await database.query('INSERT INTO visits VALUES ($1, $2)', [shop, new Date(now - hoursAgo * HOUR_MS)]);
}

/** Rows of one table, of which the sweep takes the shops one after the other. */
function watched(registry: Registry, of = database): UnsweptRows {
  const unswept = new UnsweptRows(of, registry, { now: () => now });
  for (const shop of ['a', 'b']) unswept.watch('visits', OLDEST, [shop]);
  return unswept;
}

async function shown(registry: Registry): Promise<string | undefined> {
  return /^gondola_oldest_unswept_age_seconds\{table="visits"\} (.*)$/m.exec(await registry.metrics())?.[1];
}

describe('the oldest unswept row', () => {
  it('is shown with the time since it had to go, and with 0 before that time and without rows', async () => {
    const registry = new Registry();
    const unswept = watched(registry);
    await unswept.read();
    expect(await shown(registry)).toBe('0');
    await visited('a', 1);
    await visited('b', 3);
    await visited('b', 2.5);
    await unswept.read();
    expect(await shown(registry)).toBe('3600');
  });

  it('goes on to age while nothing can be read, and is absent before the first reading', async () => {
    const registry = new Registry();
    const away = new Database({ url, schema, migrations: [] });
    await watched(registry, away).read();
    expect(await shown(registry)).toBeUndefined();
    const known = new Registry();
    await visited('a', 1);
    await watched(known).read();
    now += 2 * HOUR_MS;
    expect(await shown(known)).toBe('3600');
  });
});
