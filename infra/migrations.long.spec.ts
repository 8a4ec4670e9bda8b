import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { FROM_SOURCES } from '@gondola/local-stack/child-app';
import { hostEnvironment } from '@gondola/local-stack/host-environment';
import { lastRelease, sourcesOf } from '@gondola/local-stack/testing/last-release';
import { withTestDatabase } from '@gondola/local-stack/test-stack';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { LISTS, migrationsNow, newIn, ROOT } from './testing/migration-lists.ts';

const ROWS = 1_000_000;
/** Longer than a migration waits for a lock (`packages/service-kit/src/database/migrations.ts`). */
const WRITERS_PATIENCE = '4s';
const SCHEMA = 'shop';
const TENANT = {
  id: 'acme',
  contractAccountId: '11111111-1111-4111-8111-111111111111',
  platform: { baseUrl: 'http://127.0.0.1:1', username: 'acme', password: { env: 'SECRET' } },
  webhook: { tokens: [{ env: 'SECRET' }] },
  uploads: { tokens: [{ env: 'SECRET' }] },
};

const commit = lastRelease();
const lists = commit === null ? [] : LISTS.filter((list) => newIn(list, commit).length > 0);

(lists.length === 0 ? describe.skip : describe)('new migrations (skipped without any since the last release)', () => {
  let last: ReturnType<typeof sourcesOf>;

  beforeAll(async () => {
    last = sourcesOf(commit!);
    await writeFile(join(last.folder, 'tenants.json'), JSON.stringify({ tenants: [TENANT] }));
  });

  afterAll(() => last.remove());

  it.each(lists)('of %s let apps write tables with a million rows', async (list) => {
    // Every app with lanes has the tables of `packages/lanes`.
    const app = /^apps\/([^/]+)/.exec(list)?.[1] ?? 'order-command-handler';
    const texts = newIn(list, commit!).map((name) => migrationsNow().get(name)!);
    await withTestDatabase('migrations', async (databaseUrl) => {
      const migrate = async (sources: string): Promise<void> => {
        const env = { ...hostEnvironment(), ...environment(databaseUrl, join(last.folder, 'tenants.json')) };
        await promisify(execFile)(process.execPath, [...FROM_SOURCES, 'migrate'], {
          cwd: join(sources, 'apps', app),
          env,
        });
      };
      await migrate(last.folder);
      const [admin, writer] = await Promise.all([connected(databaseUrl), connected(databaseUrl)]);
      const tables = (await tablesOf(admin)).filter((table) => texts.some((text) => text.includes(`${table} `)));
      for (const table of tables) await fill(admin, table);
      await writer.query(`SET lock_timeout = '${WRITERS_PATIENCE}'`);
      const progress = { isMigrated: false };
      const migrating = migrate(ROOT).finally(() => (progress.isMigrated = true));
      let writes = 0;
      const startedAt = performance.now();
      for (; !progress.isMigrated; writes += 1) {
        // Migrations that only create tables have no writers to let through.
        if (tables.length === 0) await migrating;
        for (const table of tables) {
          await writer.query(`UPDATE ${table} SET tenant = tenant WHERE ctid = (SELECT max(ctid) FROM ${table})`);
        }
      }
      await migrating;
      const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1);
      process.stderr.write(
        `${list}: ${tables.join(', ')} migrated in ${seconds} s beside ${writes} rounds of writes\n`,
      );
      expect([writes > 0, await invalidIndices(admin)]).toEqual([true, []]);
      await Promise.all([admin.end(), writer.end()]);
    });
  });
});

function environment(databaseUrl: string, tenantsFile: string): Record<string, string> {
  const urls = ['WEBHOOK_INGEST', 'FILE_GATEWAY', 'ORDER_COMMAND_HANDLER', 'CATALOG_PUBLISHER'].map(
    (app) => [`GONDOLA_${app}_URL`, 'http://127.0.0.1:1'] as const,
  );
  const servers = { DATABASE_URL: databaseUrl, DATABASE_SCHEMA: SCHEMA, KAFKA_BROKERS: '127.0.0.1:1' };
  return {
    ...Object.fromEntries(urls),
    CONSOLE_LINK_SECRET: 'x'.repeat(32),
    ...servers,
    TENANTS_FILE: tenantsFile,
    SECRET: 'a1B2c3D4e5F6g7H8i9J0k1L2m3N4',
    OPERATIONS_TOKEN: 'x'.repeat(32),
  };
}

async function connected(connectionString: string): Promise<Client> {
  const client = new Client({ connectionString, options: `-c search_path=${SCHEMA}` });
  await client.connect();
  return client;
}

async function tablesOf(client: Client): Promise<string[]> {
  const { rows } = await client.query<{ table: string }>(
    `SELECT table_name AS table FROM information_schema.columns WHERE table_schema = $1 AND column_name = 'tenant'`,
    [SCHEMA],
  );
  return rows.map(({ table }) => table);
}

/**
 * Rows whose columns have the least that the table asks for, and content where it has some. Its other checks, such as
 * of the kinds that it knows, are of no interest to a migration's locks, and are dropped.
 */
async function fill(client: Client, table: string): Promise<void> {
  const checks = await client.query<{ name: string }>(
    `SELECT conname AS name FROM pg_constraint WHERE conrelid = $1::regclass AND contype = 'c'`,
    [table],
  );
  for (const { name } of checks.rows) await client.query(`ALTER TABLE ${table} DROP CONSTRAINT ${name}`);
  const { rows } = await client.query<{ name: string; type: string }>(
    `SELECT column_name AS name, data_type AS type FROM information_schema.columns
     WHERE table_schema = $1 AND table_name = $2 AND (is_nullable = 'NO' OR data_type = 'bytea')
       AND column_default IS NULL AND is_identity = 'NO' AND is_generated = 'NEVER'`,
    [SCHEMA, table],
  );
  await client.query(`SET session_replication_role = replica`);
  const values = rows.map(({ type }) => valueOf(type));
  await client.query(
    `INSERT INTO ${table} (${rows.map(({ name }) => name).join(', ')})
     SELECT ${values.join(', ')} FROM generate_series(1, ${ROWS}) AS n`,
  );
  await client.query(`ANALYZE ${table}`);
}

function valueOf(type: string): string {
  if (type.includes('timestamp')) return 'now()';
  if (type === 'boolean') return 'false';
  if (type === 'bytea') return `'\\x7b7d'::bytea`;
  if (type.startsWith('json')) return `'{}'`;
  return type === 'ARRAY' ? `'{}'` : `n::${type}`;
}

async function invalidIndices(client: Client): Promise<unknown[]> {
  const { rows } = await client.query('SELECT indexrelid::regclass::text FROM pg_index WHERE NOT indisvalid');
  return rows;
}
