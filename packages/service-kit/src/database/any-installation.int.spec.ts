import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it } from '@jest/globals';
import { testStack } from '@gondola/local-stack/test-stack';
import { findPgbouncer, type PoolMode, startPgbouncer } from '@gondola/local-stack/testing/test-pgbouncer';
import { waitFor } from '@gondola/local-stack/wait-for';
import { Client, Pool } from 'pg';
import { Column, Entity, type MigrationInterface, PrimaryColumn, type QueryRunner } from 'typeorm';
import { SettingError } from '../config/config.ts';
import { classifyDatabaseError } from './database-errors.ts';
import { Database, type DatabaseOptions } from './database.ts';

class CreateBoxes1700000000000 implements MigrationInterface {
  name = 'CreateBoxes1700000000000';
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE TABLE boxes (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, name text NOT NULL, seen timestamptz NOT NULL DEFAULT now())`);
    await runner.query('CREATE TABLE "Order" (seq bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, name text)');
    await runner.query('CREATE TABLE empty (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, place bigint)');
  }
  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE boxes, "Order", empty');
  }
}

@Entity('boxes')
class Box {
  @PrimaryColumn({ type: 'bigint', generated: 'identity' })
  id!: string;

  @Column({ type: 'text' })
  name!: string;
}

const { databaseUrl } = testStack();
const admin = new Pool({ connectionString: databaseUrl, max: 2 });
const pgbouncer = await findPgbouncer();
const undo: (() => Promise<unknown>)[] = [];

function uniqueName(): string {
  return `kit_${randomBytes(6).toString('hex')}`;
}

/** The URL of a new database, which is dropped after the test. */
async function newDatabase(options = ''): Promise<string> {
  const name = uniqueName();
  await admin.query(`CREATE DATABASE ${name} ${options}`);
  undo.push(() => admin.query(`DROP DATABASE ${name} WITH (FORCE)`));
  return Object.assign(new URL(databaseUrl), { pathname: `/${name}` }).href;
}

/** The URL of a new role of no rights but to connect, which is dropped after the test. */
async function newRole(url: string): Promise<{ role: string; url: string }> {
  const role = uniqueName();
  await admin.query(`CREATE ROLE ${role} LOGIN PASSWORD 'of-a-test'`);
  undo.push(() => admin.query(`DROP ROLE ${role}`));
  return { role, url: Object.assign(new URL(url), { username: role, password: 'of-a-test' }).href };
}

async function run(url: string, ...statements: string[]): Promise<void> {
  const client = new Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}

function database(options: Partial<DatabaseOptions>): Database {
  const common = { url: databaseUrl, schema: uniqueName(), migrations: [CreateBoxes1700000000000], entities: [Box] };
  const made = new Database({ ...common, queryTimeoutMs: 60_000, ...options });
  undo.push(() => made.close());
  return made;
}

async function errorOf(work: Promise<unknown>): Promise<unknown> {
  try {
    await work;
  } catch (error) {
    return error;
  }
  throw new Error('It did not fail');
}

/** The sentence of a failed start, which waiting does not mend. */
async function refusalOf(work: Promise<unknown>): Promise<string> {
  const error = await errorOf(work);
  expect(error).toBeInstanceOf(SettingError);
  expect(classifyDatabaseError(error)).toBe('bug');
  const { message } = error as SettingError;
  expect(message).toMatch(/^DATABASE_URL: [^\n]+ \/ [^\n]+$/);
  expect(message).not.toContain(new URL(databaseUrl).password);
  return message;
}

afterEach(async () => {
  for (const step of undo.splice(0).toReversed()) await step();
});

afterAll(() => admin.end());

/** Settings that an administrator may give a database or a role, and what a session of the product has. */
const HOSTILE: Readonly<Record<string, readonly [readonly string[], RegExp]>> = {
  default_transaction_isolation: [['serializable', 'repeatable read'], /^read committed$/],
  DateStyle: [['German', 'SQL, DMY'], /^ISO, YMD$/],
  TimeZone: [['America/Sao_Paulo'], /^UTC$/],
  client_encoding: [['LATIN1'], /^UTF8$/],
  bytea_output: [['escape'], /^hex$/],
  extra_float_digits: [['-15'], /^1$/],
  standard_conforming_strings: [['off'], /^on$/],
  array_nulls: [['off'], /^on$/],
  statement_timeout: [['777'], /^54s$/],
  lock_timeout: [['1'], /^0$/],
  idle_in_transaction_session_timeout: [['777'], /^1min$/],
  idle_session_timeout: [['777'], /^0$/],
  transaction_timeout: [['777'], /^0$/],
  synchronous_commit: [['off'], /^on$/],
  search_path: [['nowhere'], /^kit_/],
};

/** Gives a database or a role the settings of HOSTILE; of several values, the one with this number. */
async function makeHostile(what: 'DATABASE' | 'ROLE', name: string, round: number): Promise<void> {
  const known = await admin.query<{ name: string }>('SELECT name FROM pg_settings');
  const names = new Set(known.rows.map((row) => row.name));
  for (const [setting, [values]] of Object.entries(HOSTILE).filter(([asked]) => names.has(asked)))
    await admin.query(`ALTER ${what} ${name} SET ${setting} = '${values[round] ?? values[0]}'`);
}

describe('an installation whose administrator has other settings', () => {
  it.each(['DATABASE', 'ROLE'] as const)('has sessions as the product asks for, whatever the %s has', async (what) => {
    const fresh = await newDatabase();
    const { role, url } = await newRole(fresh);
    const databaseName = new URL(url).pathname.slice(1);
    await run(fresh, `GRANT CREATE ON DATABASE ${databaseName} TO ${role}`);
    undo.push(() => run(fresh, `DROP OWNED BY ${role} CASCADE`));
    for (const round of [0, 1]) {
      await makeHostile(what, what === 'ROLE' ? role : databaseName, round);
      const db = database({ url });
      await db.connect();
      for (const [setting, [, wanted]] of Object.entries(HOSTILE)) {
        const { rows } = await db.query<{ is: string | null }>('SELECT current_setting($1, true) AS is', [setting]);
        // Older servers do not know each setting.
        if (rows[0]!.is === null) continue;
        expect({ [setting]: rows[0]!.is }).toEqual({ [setting]: expect.stringMatching(wanted) });
      }
    }
  });

  it('has transactions of read committed, whatever the session has, also those of repositories and migrations', async () => {
    const db = database({ poolSize: 1 });
    await db.connect();
    await db.query(`SET default_transaction_isolation = 'serializable'`);
    const ask = 'SELECT current_setting($1) AS is';
    const asked = await db.transaction((tx) => tx.query(ask, ['transaction_isolation']));
    const ofTypeorm = await db
      .repository(Box)
      .manager.transaction((manager) => manager.query(ask, ['transaction_isolation']));
    expect([asked.rows, ofTypeorm]).toEqual([[{ is: 'read committed' }], [{ is: 'read committed' }]]);
  });

  it('shows a transaction what the holder of the lock that it waited for has committed', async () => {
    const url = await newDatabase();
    const name = new URL(url).pathname.slice(1);
    await admin.query(`ALTER DATABASE ${name} SET default_transaction_isolation = 'repeatable read'`);
    const db = database({ url });
    await db.connect();
    const lock = 'SELECT pg_advisory_xact_lock(7)';
    let seen: Promise<unknown[]> | undefined;
    await db.transaction(async (holder) => {
      await holder.query(lock);
      seen = db.transaction(async (tx) => {
        await tx.query(lock);
        return (await tx.query('SELECT name FROM boxes')).rows;
      });
      const waiting = `SELECT FROM pg_locks WHERE locktype = 'advisory' AND NOT granted
        AND database = (SELECT oid FROM pg_database WHERE datname = $1)`;
      await waitFor(async () => (await admin.query(waiting, [name])).rowCount === 1, { describe: 'a waiting lock' });
      await holder.query(`INSERT INTO boxes (name) VALUES ('erased')`);
    });
    expect(await seen).toEqual([{ name: 'erased' }]);
  });

  it('reads times, bytes and texts as they were written', async () => {
    const url = await newDatabase();
    await makeHostile('DATABASE', new URL(url).pathname.slice(1), 0);
    const db = database({ url });
    await db.connect();
    const written = {
      at: new Date('2026-02-03T04:05:06.789Z'),
      bytes: Buffer.from([0, 92, 255]),
      text: 'a – ™ 🧀 \\ b',
    };
    const texts = ['a', null, 'NULL'];
    const { rows } = await db.query(
      'SELECT $1::timestamptz AS at, $2::bytea AS bytes, $3::text AS text, $4::text[] AS texts',
      [...Object.values(written), texts],
    );
    expect(rows).toEqual([{ ...written, texts }]);
  });

  it.each(['LATIN1', 'SQL_ASCII'])('refuses a database of %s, which cannot store every text', async (encoding) => {
    const url = await newDatabase(`TEMPLATE template0 ENCODING ${encoding} LOCALE 'C'`);
    const sentence = await refusalOf(database({ url }).connect());
    expect(sentence).toMatch(new RegExp(`has the encoding ${encoding}, .+ENCODING 'UTF8'`));
    expect(await refusalOf(database({ url }).migrate())).toBe(sentence);
  });
});

/** The rights of docs/running.md for one schema. */
function documentedRights(schema: string, migrating: string, running: string): string {
  const text = readFileSync(join(import.meta.dirname, '../../../../docs/running.md'), 'utf8');
  const [, rights] = /### Rights\n[^]+?```sql\n([^]+?)```/.exec(text)!;
  return rights!
    .replaceAll('order_command_handler', schema)
    .replaceAll('gondola_migrate', migrating)
    .replaceAll('gondola_run', running);
}

/** Rows as logical replication writes them, which draws no value of a sequence. */
async function copyRows(db: Database): Promise<void> {
  await db.query(
    `INSERT INTO boxes (id, name) OVERRIDING SYSTEM VALUE SELECT n, 'copied' FROM generate_series(1, 30) AS n`,
  );
  await db.query(`INSERT INTO "Order" (seq, name) OVERRIDING SYSTEM VALUE VALUES (1, 'copied')`);
}

describe('an installation whose rows were copied without their sequences', () => {
  it('does not start, names the statement that mends it, and starts when the sequences are set', async () => {
    const schema = uniqueName();
    const url = await newDatabase();
    const first = database({ url, schema });
    await first.connect();
    await copyRows(first);
    for (const left of ['2 sequence', '1 sequence']) {
      const sentence = await refusalOf(database({ url, schema }).connect());
      expect(sentence).toContain(`${left}(s)`);
      const [statement] = /SELECT setval\(.+?\)\)/.exec(sentence)!;
      await run(url, statement);
    }
    const again = database({ url, schema });
    await again.connect();
    const { rows } = await again.query(`INSERT INTO boxes (name) VALUES ('new') RETURNING id`);
    expect(rows).toEqual([{ id: '31' }]);
  });

  it('starts after the statements of the runbook, which set every sequence', async () => {
    const schema = uniqueName();
    const url = await newDatabase();
    const first = database({ url, schema });
    await first.connect();
    await copyRows(first);
    const runbook = readFileSync(join(import.meta.dirname, '../../../../docs/runbook.md'), 'utf8');
    const [, asking] = /### Sequences stand behind their rows\n[^]+?```sql\n([^]+?)\\gexec/.exec(runbook)!;
    const { rows } = await first.query<{ format: string }>(asking!);
    await run(url, ...rows.map(({ format }) => format));
    const again = database({ url, schema });
    await again.connect();
    const added = [
      `INSERT INTO boxes (name) VALUES ('new') RETURNING id`,
      `INSERT INTO "Order" (name) VALUES ('new') RETURNING seq`,
      `INSERT INTO empty (place) VALUES (1) RETURNING id`,
    ].map((insert) => again.query(insert));
    expect((await Promise.all(added)).map((result) => result.rows[0])).toEqual([
      { id: '31' },
      { seq: '2' },
      { id: '1' },
    ]);
  });

  it('starts while other replicas insert', async () => {
    const schema = uniqueName();
    const url = await newDatabase();
    const first = database({ url, schema });
    await first.connect();
    const inserts = Array.from({ length: 200 }, () =>
      first.query(`INSERT INTO boxes (name) SELECT 'new' FROM generate_series(1, 50)`),
    );
    const starts = Array.from({ length: 5 }, () => database({ url, schema }).connect());
    await expect(Promise.all([...starts, ...inserts])).resolves.toHaveLength(205);
  });

  it.each([
    ['a statement', (db: Database) => db.query(`INSERT INTO boxes (name) VALUES ('new')`)],
    ['a transaction', (db: Database) => db.transaction((tx) => tx.query(`INSERT INTO boxes (name) VALUES ('new')`))],
    [
      'a repository in a transaction',
      (db: Database) => db.transaction((tx) => db.repository(Box, tx).insert({ name: 'new' })),
    ],
  ])('says so to %s that meets it while it runs, in any language of the server', async (_what, insert) => {
    const db = database({ url: await newDatabase() });
    await db.connect();
    await copyRows(db);
    const sentence = await refusalOf(insert(db));
    expect(sentence).toMatch(/the sequence of kit_\w+\.boxes\.id .+SELECT setval\(/);
  });
});

describe('an installation of roles with few rights', () => {
  it('is migrated by one and run by another, in a schema that the administrator made', async () => {
    const url = await newDatabase();
    const schema = uniqueName();
    const [migrating, running] = [await newRole(url), await newRole(url)];
    // Of both in one statement, PostgreSQL 18.4 looks for the same default rights twice, and fails.
    undo.push(() => run(url, ...[running, migrating].map(({ role }) => `DROP OWNED BY ${role} CASCADE`)));
    await run(url, 'REVOKE ALL ON SCHEMA public FROM PUBLIC', documentedRights(schema, migrating.role, running.role));
    await database({ url: migrating.url, schema }).migrate();
    const off = { url: running.url, schema, runMigrations: false };
    const db = database(off);
    await db.connect();
    const added = await db.query(`INSERT INTO boxes (name) VALUES ('new') RETURNING id`);
    await db.query(`UPDATE boxes SET id = DEFAULT, name = 'newer'; DELETE FROM boxes`);
    expect([added.rows, (await db.query(`SELECT nextval('boxes_id_seq') AS next`)).rows]).toEqual([
      [{ id: '1' }],
      [{ next: '3' }],
    ]);

    for (const [right, sentence] of [
      [`SELECT ON ALL SEQUENCES IN SCHEMA ${schema}`, 'lacks a right (permission denied for sequence'],
      [`ALL ON ALL TABLES IN SCHEMA ${schema}`, `may not use schema "${schema}"`],
      [`USAGE ON SCHEMA ${schema}`, `may not use schema "${schema}"`],
    ]) {
      await run(url, `REVOKE ${right} FROM ${running.role}`);
      expect(await refusalOf(database(off).connect())).toContain(sentence);
    }
  });

  it('says which right a migrating role lacks', async () => {
    const { url } = await newRole(await newDatabase());
    expect(await refusalOf(database({ url }).migrate())).toMatch(/lacks a right \(permission denied for database/);
  });
});

/** A database of the test's own behind PgBouncer, which stops after the test, and the database's own address. */
async function behindPgbouncer(
  mode: PoolMode,
  settings: Readonly<Record<string, string | number>> = {},
): Promise<{ url: string; direct: string }> {
  const direct = await newDatabase();
  const server = await startPgbouncer(pgbouncer!, direct, mode, settings);
  undo.push(() => server.stop());
  return { url: server.url, direct };
}

(pgbouncer === undefined ? describe.skip : describe)('an installation behind PgBouncer', () => {
  it.each([
    ['as it is', {}],
    ['that drops start-up options', { ignore_startup_parameters: 'options,extra_float_digits' }],
  ])('works in session mode, in its own schema, with one %s', async (_what, settings) => {
    const { url, direct } = await behindPgbouncer('session', settings);
    const db = database({ url, poolSize: 3 });
    await db.connect();
    const tables = await db.query('SELECT DISTINCT schemaname AS schema FROM pg_tables WHERE tablename = $1', [
      'boxes',
    ]);
    expect(tables.rows).toEqual([{ schema: db.schema }]);
    await run(direct, `INSERT INTO ${db.schema}.boxes (name) VALUES ('seen')`);
    expect((await db.query('SELECT name FROM boxes')).rows).toEqual([{ name: 'seen' }]);
  });

  it.each<[string, PoolMode, Record<string, string | number>]>([
    ['transaction mode', 'transaction', {}],
    ['transaction mode with sessions taken in turn', 'transaction', { server_round_robin: 1, min_pool_size: 4 }],
    ['transaction mode that forgets settings', 'transaction', { server_reset_query_always: 1 }],
    ['statement mode', 'statement', {}],
  ])('is refused at the start in %s, also with idle sessions of others', async (_what, mode, settings) => {
    const { url } = await behindPgbouncer(mode, settings);
    const others = new Pool({ connectionString: url, max: 4 });
    others.on('error', () => {});
    undo.push(() => others.end());
    for (const poolSize of [1, 4]) {
      await Promise.all(Array.from({ length: 4 }, () => others.query('SELECT pg_sleep(0.01)')));
      const sentence = await refusalOf(database({ url, poolSize }).connect());
      expect(sentence).toMatch(/share sessions .+ set pool_mode = session|the session .+ is not as asked for/);
    }
    expect(await refusalOf(database({ url }).migrate())).toContain('pool_mode = session');
  });

  it('names the options of an address that it refuses', async () => {
    const { url } = await behindPgbouncer('session');
    const sentence = await refusalOf(database({ url: `${url}?options=-c%20geqo%3Doff` }).connect());
    expect(sentence).toContain('refuses parameters: take "options"');
  });
});
