import { randomBytes } from 'node:crypto';
import { afterAll, afterEach, describe, expect, it } from '@jest/globals';
import { testStack } from '@gondola/local-stack/test-stack';
import { waitFor } from '@gondola/local-stack/wait-for';
import { Registry } from 'prom-client';
import { registerDatabaseMetrics } from './database.metrics.ts';
import { Pool } from 'pg';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { classifyDatabaseError } from './database-errors.ts';
import { Database } from './database.ts';
import type { DatabaseOptions } from './database.ts';
import { buildIndex } from './migrations.ts';
import { SettingError } from '../config/config.ts';

class CreateShelves1700000000000 implements MigrationInterface {
  name = 'CreateShelves1700000000000';
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE TABLE shelves (id bigint PRIMARY KEY, name text NOT NULL)');
  }
  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE shelves');
  }
}

class LabelShelves1700000000001 implements MigrationInterface {
  name = 'LabelShelves1700000000001';
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE shelves ADD COLUMN label text');
  }
  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE shelves DROP COLUMN label');
  }
}

class Broken1700000000002 implements MigrationInterface {
  name = 'Broken1700000000002';
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE TABLE half_done (id bigint)');
    await runner.query('SELECT 1 / 0');
  }
  async down(): Promise<void> {}
}

class IndexShelves1700000000003 implements MigrationInterface {
  name = 'IndexShelves1700000000003';
  readonly transaction = false;
  async up(runner: QueryRunner): Promise<void> {
    await buildIndex(runner, 'shelves_name', 'shelves (name)');
  }
  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX shelves_name');
  }
}

const MIGRATIONS = [CreateShelves1700000000000, LabelShelves1700000000001];
const url = testStack().databaseUrl;
const admin = new Pool({ connectionString: url, max: 2 });
const schemas: string[] = [];
const databases: Database[] = [];

function database(options: Partial<DatabaseOptions> = {}): Database {
  const patience = { queryTimeoutMs: 60_000 };
  const made = new Database({ url, schema: newSchema(), migrations: MIGRATIONS, ...patience, ...options });
  databases.push(made);
  return made;
}

/**
 * A connected database with a time-out of one second. Connecting is retried, since a busy machine may take longer.
 */
async function impatient(options: Partial<DatabaseOptions>): Promise<Database> {
  const made = database({ ...options, queryTimeoutMs: 1_000 });
  await waitFor(() => made.connect().then(() => true), { describe: 'a connection' });
  return made;
}

function newSchema(): string {
  const schema = `kit_${randomBytes(6).toString('hex')}`;
  schemas.push(schema);
  return schema;
}

async function errorOf(work: Promise<unknown>): Promise<unknown> {
  try {
    await work;
  } catch (error) {
    return error;
  }
  throw new Error('It did not fail');
}

afterEach(async () => {
  await Promise.all(databases.splice(0).map((database) => database.close()));
});

afterAll(async () => {
  for (const schema of schemas) await admin.query(`DROP SCHEMA IF EXISTS "${schema}" CASCADE`);
  await admin.end();
});

/** Statements of sessions of this schema that wait for a lock. */
async function waitingIn(schema: string): Promise<number> {
  const { rows } = await admin.query<{ waiting: number }>(
    `SELECT count(*)::int AS waiting FROM pg_locks JOIN pg_stat_activity USING (pid)
     WHERE NOT granted AND query ~ 'shelves' AND query ~ '^(ALTER|CREATE)'
       AND pid IN (SELECT pid FROM pg_locks WHERE relation = to_regclass($1))`,
    [`${schema}.shelves`],
  );
  return rows[0]!.waiting;
}

describe('Database, connecting and migrating', () => {
  it('lets a connection parse and plan a named statement once', async () => {
    const one = database({ poolSize: 1 });
    await one.connect();
    const double = { name: 'double', text: 'SELECT $1::int * 2 AS doubled' };
    for (const value of [1, 2, 3]) {
      expect((await one.query(double, [value])).rows).toEqual([{ doubled: value * 2 }]);
    }
    const { rows } = await one.query(
      'SELECT (generic_plans + custom_plans)::int AS uses FROM pg_prepared_statements WHERE name = $1',
      ['double'],
    );
    expect(rows).toEqual([{ uses: 3 }]);
  });

  it('creates its schema and runs every migration once, and connecting again changes nothing', async () => {
    const db = database();
    await db.connect();
    await db.connect();
    await db.query('INSERT INTO shelves (id, name, label) VALUES ($1, $2, $3)', ['9007199254740993', 'Queijos', 'Q']);

    const { rows } = await db.query('SELECT id, name FROM shelves');
    expect(rows).toEqual([{ id: '9007199254740993', name: 'Queijos' }]);
    const names = await db.query<{ name: string }>('SELECT name FROM migrations ORDER BY id');
    expect(names.rows.map((row) => row.name)).toEqual(MIGRATIONS.map((migration) => migration.name));
  });

  it('lets several replicas start at once: each migration runs once, all of them connect', async () => {
    const schema = newSchema();
    const replicas = Array.from({ length: 4 }, () => database({ schema, poolSize: 2 }));
    await Promise.all(replicas.map((replica) => replica.connect()));

    const { rows } = await replicas[0]!.query('SELECT count(*)::int AS count FROM migrations');
    expect(rows).toEqual([{ count: 2 }]);
  });

  it('has sessions whose search_path is the schema, whose time zone is UTC, and that do not sort what an index orders', async () => {
    const db = database();
    await db.connect();
    const { rows } = await db.query(
      `SELECT current_schema() AS schema, current_setting('TimeZone') AS zone, current_setting('enable_incremental_sort') AS sorts`,
    );
    expect(rows).toEqual([{ schema: db.schema, zone: 'UTC', sorts: 'off' }]);
  });

  it('rolls back a failed migration, keeps those before it, and can connect again', async () => {
    const schema = newSchema();
    const failing = database({ schema, migrations: [...MIGRATIONS, Broken1700000000002] });
    await expect(failing.connect()).rejects.toThrow('division by zero');
    await expect(failing.connect()).rejects.toThrow('division by zero');

    const fixed = database({ schema });
    await fixed.connect();
    const tables = await fixed.query(`SELECT to_regclass('half_done') AS half, to_regclass('shelves') AS whole`);
    expect(tables.rows).toEqual([{ half: null, whole: 'shelves' }]);
  });

  it('reports pending migrations in one sentence if migrations are off, and connects after they were run', async () => {
    const schema = newSchema();
    const off = database({ schema, runMigrations: false });
    const error = await errorOf(off.connect());
    expect(error).toMatchObject({ code: 'MIGRATIONS_PENDING', message: expect.stringContaining('LabelShelves') });
    expect(classifyDatabaseError(error)).toBe('bug');

    expect(await database({ schema }).migrate()).toEqual(MIGRATIONS.map((migration) => migration.name));
    await off.connect();
    expect(await off.isUp()).toBe(true);
  });

  it('reverts migrations one by one, newest first', async () => {
    const db = database();
    await db.connect();
    await db.revertLastMigration();
    await expect(db.query('SELECT label FROM shelves')).rejects.toThrow('"label"');
    await db.revertLastMigration();
    await expect(db.query('SELECT 1 FROM shelves')).rejects.toThrow('"shelves"');
    expect(await db.migrate()).toHaveLength(2);
  });

  it.each([
    ['a new column', MIGRATIONS],
    ['an index', [CreateShelves1700000000000, IndexShelves1700000000003]],
  ])('lets apps write a table that is read and written while %s waits for it', async (_what, migrations) => {
    const schema = newSchema();
    const app = database({ schema, migrations: [CreateShelves1700000000000] });
    await app.connect();
    await app.query(`INSERT INTO shelves VALUES (1, 'Queijos')`);
    let migrating: Promise<string[]> | undefined;
    await app.transaction(async (tx) => {
      await tx.query(`INSERT INTO shelves VALUES (2, 'Pães')`);
      migrating = database({ schema, migrations }).migrate();
      await waitFor(async () => (await waitingIn(schema)) > 0, { describe: 'a migration that waits' });
      // Waits for the migration at first, if that wants the whole table.
      await app.query(`INSERT INTO shelves VALUES (3, 'Vinhos')`);
    });
    expect(await migrating).toEqual([migrations[1]!.name]);
  });

  it('builds an index anew of which a broken migration left a part', async () => {
    const schema = newSchema();
    const app = database({ schema, migrations: [CreateShelves1700000000000] });
    await app.connect();
    await app.query(`INSERT INTO shelves VALUES (1, 'Queijos'); CREATE INDEX shelves_name ON shelves (id)`);
    await database({ schema, migrations: [CreateShelves1700000000000, IndexShelves1700000000003] }).migrate();
    const { rows } = await app.query(`SELECT pg_get_indexdef('shelves_name'::regclass) AS definition`);
    expect(rows).toEqual([{ definition: expect.stringContaining('(name)') }]);
  });

  it('refuses a schema name that would need quoting', () => {
    expect(() => database({ schema: 'a b' })).toThrow('schema name');
  });

  it('fails as transient while no server listens, as isUp shows', async () => {
    const away = database({ url: 'postgres://nobody@127.0.0.1:1/none' });
    expect(classifyDatabaseError(await errorOf(away.connect()))).toBe('transient');
    expect(classifyDatabaseError(await errorOf(away.query('SELECT 1')))).toBe('transient');
    expect(await away.isUp()).toBe(false);
  });
});

describe('Database, querying', () => {
  it('commits a transaction and returns its value', async () => {
    const db = database();
    await db.connect();
    const value = await db.transaction(async (tx) => {
      await tx.query(`INSERT INTO shelves (id, name) VALUES (1, 'a')`);
      return 'done';
    });
    expect(value).toBe('done');
    expect((await db.query('SELECT id FROM shelves')).rows).toEqual([{ id: '1' }]);
  });

  it('rolls back everything and rethrows the same error if the work throws', async () => {
    const db = database({ poolSize: 1 });
    await db.connect();
    const reason = new Error('no');
    const failed = db.transaction(async (tx) => {
      await tx.query(`INSERT INTO shelves (id, name) VALUES (1, 'a')`);
      throw reason;
    });
    expect(await errorOf(failed)).toBe(reason);
    expect((await db.query('SELECT id FROM shelves')).rows).toEqual([]);
  });

  it('reports no commit if the work swallowed an error and PostgreSQL rolled back', async () => {
    const db = database();
    await db.connect();
    const swallowed = db.transaction(async (tx) => {
      await tx.query(`INSERT INTO shelves (id, name) VALUES (1, 'a')`);
      await tx.query('SELECT 1 / 0').catch(() => undefined);
    });
    await expect(swallowed).rejects.toThrow('rolled back instead of committed');
    expect((await db.query('SELECT id FROM shelves')).rows).toEqual([]);
  });

  it('answers statements of one connection in their order, and drops it if one of them fails', async () => {
    const db = database({ poolSize: 1 });
    await db.connect();
    const pids = (sql = 'pg_backend_pid()') =>
      db.together((one) =>
        Promise.all(['0', sql, '2'].map((value) => one.query<{ pid: number }>(`SELECT ${value} AS pid`))),
      );
    const first = (await pids()).map(({ rows }) => rows[0]!.pid);
    expect(first).toEqual([0, expect.any(Number), 2]);
    expect((await pids())[1]!.rows[0]!.pid).toBe(first[1]);
    await expect(pids('1 / 0')).rejects.toMatchObject({ code: '22012' });
    expect((await pids())[1]!.rows[0]!.pid).not.toBe(first[1]);
  });

  it('keeps a connection after a data error, and distinguishes data errors, bugs and transient errors', async () => {
    const db = database({ poolSize: 1 });
    await db.connect();
    const pid = await backendPid(db);
    const nameless = await errorOf(db.query('INSERT INTO shelves (id) VALUES (1)'));
    expect(classifyDatabaseError(nameless)).toBe('data');
    expect(classifyDatabaseError(await errorOf(db.query(`SELECT 'x'::uuid`)))).toBe('data');
    expect(classifyDatabaseError(await errorOf(db.query('SELEC 1')))).toBe('bug');
    expect(await backendPid(db)).toBe(pid);
  });

  it('classifies a statement that takes too long as transient, and stays usable', async () => {
    const db = await impatient({});
    expect(classifyDatabaseError(await errorOf(db.query('SELECT pg_sleep(60)')))).toBe('transient');
    await waitFor(() => db.isUp(), { describe: 'another connection' });
  });

  it('shows in metrics which connections are used, and how long work has waited for one', async () => {
    const db = database({ poolSize: 1 });
    await db.connect();
    const registry = new Registry();
    registerDatabaseMetrics(registry, db);
    expect(await registry.metrics()).toContain('gondola_database_wait_seconds_total 0\n');
    const held = await db.connection();
    const waiting = db.query('SELECT 1');
    const shown = await registry.metrics();
    held.release();
    await waiting;
    expect(shown).toContain('gondola_database_connections{pool="ordinary",state="used"} 1');
    expect(shown).toContain('gondola_database_connections{pool="ordinary",state="waiting"} 1');
    expect(await registry.metrics()).toMatch(/gondola_database_wait_seconds_total 0\.0*[1-9]/);
  });

  it('classifies an exhausted pool as transient', async () => {
    const db = await impatient({ poolSize: 1 });
    const held = await waitFor(() => db.connection(), { describe: 'the only connection' });
    expect(classifyDatabaseError(await errorOf(db.query('SELECT 1')))).toBe('transient');
    held.release();
    await waitFor(() => db.isUp(), { describe: 'the connection that was given back' });
  });

  it('reserves connections for urgent work and everything that it calls', async () => {
    const db = database({ poolSize: 1, urgentPoolSize: 1 });
    await db.connect();
    const inTransaction = Promise.withResolvers<void>();
    const over = Promise.withResolvers<void>();
    const holding = db.transaction(async () => {
      inTransaction.resolve();
      await over.promise;
    });
    await inTransaction.promise;
    const waiting = db.query('SELECT 1');
    const found = await db.urgently(async () => {
      await db.transaction(async (tx) => void (await tx.query(`INSERT INTO shelves (id, name) VALUES (1, 'urgent')`)));
      return db.query('SELECT name FROM shelves');
    });
    expect(found.rows).toEqual([{ name: 'urgent' }]);
    over.resolve();
    await Promise.all([holding, waiting]);
  });

  it('lets urgent work use the common connections if none are reserved', async () => {
    const db = database();
    await db.connect();
    expect((await db.urgently(() => db.query('SELECT 1 AS one'))).rows).toEqual([{ one: 1 }]);
  });

  it('classifies a deadlock as transient and keeps the pool intact', async () => {
    const db = database();
    await db.connect();
    await db.query(`INSERT INTO shelves (id, name) VALUES (1, 'a'), (2, 'b')`);
    const update = (first: number, second: number, met: Promise<void>, meet: () => void) =>
      db.transaction(async (tx) => {
        await tx.query(`UPDATE shelves SET name = 'c' WHERE id = $1`, [first]);
        meet();
        await met;
        await tx.query(`UPDATE shelves SET name = 'c' WHERE id = $1`, [second]);
      });
    const one = Promise.withResolvers<void>();
    const two = Promise.withResolvers<void>();
    const ends = await Promise.allSettled([
      update(1, 2, two.promise, one.resolve),
      update(2, 1, one.promise, two.resolve),
    ]);
    const failures = ends.filter((end) => end.status === 'rejected');
    expect(failures).toHaveLength(1);
    expect(classifyDatabaseError(failures[0]?.reason)).toBe('transient');
    expect(await db.isUp()).toBe(true);
  });

  it.each([
    ['no password', (of: URL) => (of.password = ''), /falta a senha, .+ the password is missing, /, 'bug'],
    ['another password', (of: URL) => (of.password = 'canary'), /recusa .+ refuses the user or the password/, 'bug'],
    ['another user', (of: URL) => (of.username = 'nobody_at_all'), /refuses the user or the password/, 'bug'],
    ['an unknown database', (of: URL) => (of.pathname = '/nowhere'), /has no such database "nowhere"/, 'bug'],
    ['TLS', (of: URL) => of.searchParams.set('sslmode', 'require'), /does not offer TLS/, 'transient'],
    ['a port where nothing listens', (of: URL) => (of.port = '1'), /takes no connections: .+ECONNREFUSED/, 'transient'],
    ['an unknown host', (of: URL) => (of.hostname = 'db.invalid'), /takes no connections: /, 'transient'],
  ])('reports what is wrong with a DATABASE_URL with %s', async (_what, change, sentence, kind) => {
    const other = new URL(url);
    change(other);
    const failure = await errorOf(database({ url: other.href }).connect());
    expect(failure).toBeInstanceOf(SettingError);
    const { message } = failure as SettingError;
    expect(message).toMatch(/^DATABASE_URL: .+ \/ .+$/);
    expect(message).toMatch(sentence);
    expect(message).not.toContain(new URL(url).password);
    expect(message).not.toContain('canary');
    expect(classifyDatabaseError(failure)).toBe(kind);
  });

  it('survives connections that are cut while idle, in a query or held, and continues with new ones', async () => {
    const db = database({ poolSize: 3 });
    await db.connect();
    const [held, idle] = await Promise.all([db.connection(), db.connection()]);
    idle.release();
    const asleep = errorOf(db.query(`SELECT pg_sleep(600) /* ${db.schema} */`));
    await Promise.all([held.query(`SELECT /* ${db.schema} */ 1`), db.query(`SELECT /* ${db.schema} */ 1`)]);

    const ours = 'FROM pg_stat_activity WHERE query LIKE $1 AND pid <> pg_backend_pid()';
    await waitFor(async () => (await admin.query(`SELECT ${ours}`, [`%/* ${db.schema} */%`])).rowCount === 3, {
      describe: 'the three connections, one of them asleep',
    });
    await admin.query(`SELECT pg_terminate_backend(pid) ${ours}`, [`%/* ${db.schema} */%`]);
    expect(classifyDatabaseError(await asleep)).toBe('transient');
    expect(classifyDatabaseError(await errorOf(held.query('SELECT 1')))).toBe('transient');
    held.release(true);
    // The pool may once return a connection that was cut a moment ago; that one query fails with an error.
    await waitFor(() => db.isUp(), { describe: 'a new connection' });
  });

  it('closes although a connection was never released', async () => {
    const db = database();
    await db.connect();
    await db.connection();
    await db.close();
    await db.close();
    expect(await db.isUp()).toBe(false);
    await expect(db.connect()).rejects.toThrow('closed');
  });
});

async function backendPid(db: Database): Promise<unknown> {
  return (await db.query('SELECT pg_backend_pid() AS pid')).rows[0]?.pid;
}
