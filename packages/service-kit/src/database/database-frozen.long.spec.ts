import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { startPostgres } from '@gondola/local-stack/postgres';
import type { PostgresServer } from '@gondola/local-stack/postgres';
import { waitFor } from '@gondola/local-stack/wait-for';
import type { RunningApp } from '../run/create-app.ts';
import { classifyDatabaseError } from './database-errors.ts';
import { Database } from './database.ts';
import { type Answer, ask, shelfApp } from '../testing/shelf-app.ts';
import { CreateShelves1700000000000 } from '../testing/shelf-migration.ts';

/**
 * Enough for a server that answers, even on a busy machine. A frozen server stays frozen until the test thaws it,
 * so a call that ends before that has ended by its time-out.
 */
const QUERY_MS = 1_000;

let server: PostgresServer;
let database: Database;
let app: RunningApp | undefined;

beforeAll(async () => {
  server = await startPostgres({ durable: false });
});

afterAll(() => server.stop());

beforeEach(() => {
  database = new Database({
    url: server.url,
    schema: 'shelves',
    migrations: [CreateShelves1700000000000],
    queryTimeoutMs: QUERY_MS,
    poolSize: 2,
  });
});

afterEach(async () => {
  server.thaw();
  await app?.stop();
  app = undefined;
  await database.close();
});

/** Class of the failure of `work`. */
async function failureOf(work: () => Promise<unknown>): Promise<string> {
  try {
    await work();
  } catch (error) {
    return classifyDatabaseError(error);
  }
  throw new Error('It did not fail');
}

async function rows(): Promise<unknown[]> {
  const { rows: found } = await answered('SELECT id FROM shelves ORDER BY id');
  return found;
}

/** Retries the connection: the migrations may run into the short time-out on a busy machine. */
const connected = () => waitFor(() => database.connect().then(() => true), { describe: 'a connection' });
/** Retries a statement, which may run into the short time-out as well. */
const answered = (text: string) => waitFor(() => database.query(text), { describe: `the answer to ${text}` });
const isUp = () => waitFor(() => database.isUp(), { describe: 'the database to be up again' });

describe('a PostgreSQL that is frozen', () => {
  it('makes a query fail as transient in time, and the next one succeeds after it resumes', async () => {
    await connected();
    server.freeze();
    const failure = await failureOf(() => database.query('SELECT 1'));
    expect(failure).toBe('transient');
    expect(await database.isUp()).toBe(false);
    server.thaw();
    await isUp();
  });

  it('does not pass on the connection of an unanswered query', async () => {
    await connected();
    await answered('SELECT 1');
    server.freeze();
    const failures = await Promise.all(
      Array.from({ length: 4 }, () => failureOf(() => database.query('SELECT 1 AS stale'))),
    );
    expect(failures).toEqual(Array(4).fill('transient'));
    server.thaw();
    await isUp();
    expect((await answered('SELECT 2 AS fresh')).rows).toEqual([{ fresh: 2 }]);
  });

  it('rolls back a transaction that was frozen before its COMMIT', async () => {
    await connected();
    const failure = await failureOf(() =>
      database.transaction(async (tx) => {
        await tx.query(`INSERT INTO shelves VALUES (1, 'a')`);
        server.freeze();
        await tx.query(`INSERT INTO shelves VALUES (2, 'b')`);
      }),
    );
    expect(failure).toBe('transient');
    server.thaw();
    await isUp();
    expect(await rows()).toEqual([]);
  });

  it('makes a COMMIT without an answer a failure, whether or not it took effect', async () => {
    await connected();
    const failure = await failureOf(() =>
      database.transaction(async (tx) => {
        await tx.query(`INSERT INTO shelves VALUES (7, 'unknown')`);
        server.freeze();
      }),
    );
    expect(failure).toBe('transient');
    server.thaw();
    await isUp();
    // PostgreSQL had received the COMMIT and executes it once thawed; this is why the work must be safe to repeat.
    await answered('DELETE FROM shelves');
  });

  it('makes connecting fail in time, and a later attempt succeeds', async () => {
    server.freeze();
    const failure = await failureOf(() => database.connect());
    expect(failure).toBe('transient');
    server.thaw();
    await connected();
    await isUp();
  });

  it('does not delay closing', async () => {
    await connected();
    await Promise.all([answered('SELECT 1'), answered('SELECT 1')]);
    const held = await waitFor(() => database.connection(), { describe: 'a connection' });
    held.query('SELECT 1').catch(() => undefined);
    server.freeze();
    await expect(database.close()).resolves.toBeUndefined();
  });

  it('makes the app not ready until it resumes, and the app stays live', async () => {
    const shelf = await shelfApp([], { database });
    app = shelf;
    await shelf.start();
    await untilReady(shelf);
    server.freeze();
    expect((await ask(shelf, '/health/ready')).status).toBe(503);
    expect((await ask(shelf, '/health/live')).status).toBe(200);
    server.thaw();
    await untilReady(shelf);
  });
});

describe('a PostgreSQL that is killed', () => {
  it('makes queries fail as transient, does not crash the app, and is used again after its restart', async () => {
    await connected();
    await Promise.all([answered('SELECT 1'), answered('SELECT 1')]);
    const held = await waitFor(() => database.connection(), { describe: 'a connection' });
    const asleep = failureOf(() => held.query('SELECT pg_sleep(20)'));
    await server.kill();
    expect(await asleep).toBe('transient');
    held.release(true);
    expect(await failureOf(() => database.query('SELECT 1'))).toBe('transient');
    await server.restart();
    await isUp();
  });
});

describe('a PostgreSQL that comes later than the app', () => {
  it('is waited for, live but not ready', async () => {
    await server.kill();
    const lines: string[] = [];
    const shelf = await shelfApp(lines, { database, timings: { retryFirstMs: 20, retryMostMs: 100 } });
    app = shelf;
    const started = shelf.start();
    await shelf.listen();
    await waitFor(() => lines.some((line) => line.includes('Could not start yet')), { describe: 'a first attempt' });
    expect(await ask(shelf, '/health/ready')).toMatchObject({
      status: 503,
      body: { status: 'starting', checks: { database: { ok: false, state: 'retrying' } } },
    });
    await server.restart();
    await started;
    await untilReady(shelf);
  });

  it('does not make an app unready that can work without it for a while', async () => {
    await server.kill();
    const options = { database, databaseInBackground: true, timings: { retryFirstMs: 20, retryMostMs: 100 } };
    const shelf = await shelfApp([], options);
    app = shelf;
    await shelf.start();
    expect(await ask(shelf, '/health/ready')).toMatchObject({
      status: 200,
      body: { status: 'ready', checks: { database: { ok: false, required: false } } },
    });
    await server.restart();
    await isUp();
  });

  it('leaves such an app live and ready while its migrations are pending, as readiness shows', async () => {
    await server.restart();
    const pending = new Database({
      url: server.url,
      schema: 'pending',
      migrations: [CreateShelves1700000000000],
      runMigrations: false,
    });
    const options = { database: pending, databaseInBackground: true, timings: { retryFirstMs: 20, retryMostMs: 100 } };
    const shelf = await shelfApp([], options);
    app = shelf;
    await shelf.start();
    const check = await waitFor(async () => databaseOf(await ask(shelf, '/health/ready')), {
      describe: 'a first attempt',
    });
    expect(check).toMatchObject({ ok: false, required: false, reason: 'MIGRATIONS_PENDING' });
  });
});

async function untilReady(shelf: RunningApp): Promise<void> {
  await waitFor(async () => (await ask(shelf, '/health/ready')).status === 200, { describe: 'readiness' });
}

/** State of the database in a readiness report with status 200, once the connection is being retried. */
function databaseOf({ status, body }: Answer): { state: string } | false {
  const { checks } = body as { checks: { database: { state: string } } };
  return status === 200 && checks.database.state === 'retrying' && checks.database;
}
