import { Controller, Get, Inject, Module, Param } from '@nestjs/common';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { freePort } from '@gondola/local-stack/free-port';
import { createTestSchema, testStack, type TestSchema } from '@gondola/local-stack/test-stack';
import { waitFor } from '@gondola/local-stack/wait-for';
import { Client } from 'pg';
import { Database } from '../database/database.ts';
import type { RunningApp } from '../run/create-app.ts';
import { ask, shelfApp } from '../testing/shelf-app.ts';
import { CreateShelves1700000000000 } from '../testing/shelf-migration.ts';
import { Operation } from './operation.ts';

const { databaseUrl } = testStack();

/** One way in which the database fails each. */
const FAILURES: Readonly<Record<string, (database: Database) => Promise<unknown>>> = {
  'a query that takes longer than its time-out': (database) => database.query('SELECT pg_sleep(60)'),
  'no connection that becomes free in time': async (database) => {
    const held = await database.connection();
    return database.query('SELECT 1').finally(() => held.release());
  },
  'a server that ends the connection': (database) => database.query('SELECT pg_terminate_backend(pg_backend_pid())'),
  'a connection that has ended': async () => {
    const client = new Client({ connectionString: databaseUrl });
    await client.connect();
    await client.end();
    return client.query('SELECT 1');
  },
  'a server that refuses connections': async () => {
    await new Client({ host: '127.0.0.1', port: await freePort() }).connect();
  },
  'an app that has not connected yet': () =>
    new Database({ url: databaseUrl, schema: 'unconnected', migrations: [] }).query('SELECT 1'),
};

/** Failures of a server that answers: a bug, or values that no statement should have been given. */
const FAULTS: Readonly<Record<string, string>> = {
  'invalid SQL': 'SELECT nothing FROM nowhere',
  'invalid values': `SELECT 'cliente@example.com'::uuid`,
};

@Controller('api')
class FailingController {
  constructor(@Inject(Database) private readonly database: Database) {}

  @Get('failures/:name')
  @Operation({ unpassed: 'a test' })
  async fail(@Param('name') name: string): Promise<unknown> {
    return FAILURES[name]!(this.database);
  }

  @Get('faults/:name')
  @Operation({ unpassed: 'a test' })
  async answerFault(@Param('name') name: string): Promise<unknown> {
    return patient.query(FAULTS[name]!);
  }
}

@Module({ controllers: [FailingController] })
class FailingModule {}

const lines: string[] = [];
let schema: TestSchema;
let database: Database;
/** Its statements fail by themselves, not by a time-out, on a busy machine too. */
let patient: Database;
let shelf: RunningApp;

beforeAll(async () => {
  schema = await createTestSchema('exceptions');
  const options = {
    url: databaseUrl,
    schema: schema.schema,
    migrations: [CreateShelves1700000000000],
    poolSize: 1,
  };
  database = new Database({ ...options, queryTimeoutMs: 1_000 });
  patient = new Database({ ...options, queryTimeoutMs: 60_000 });
  await patient.connect();
  // A busy machine may take longer than the short time-out to connect.
  await waitFor(() => database.connect().then(() => true), { describe: 'a connection' });
  shelf = await shelfApp(lines, { database, module: FailingModule });
  await shelf.start();
});

afterEach(() => void lines.splice(0));

afterAll(async () => {
  await shelf.stop();
  await patient.close();
  await schema.drop();
});

/** The log's lines with the error of a request. */
const logged = () =>
  lines.map((line) => JSON.parse(line) as { level: string; err?: object }).filter(({ err }) => err !== undefined);

describe('the answer to a request', () => {
  it.each(Object.keys(FAILURES))(
    'is a 503 without the words of the driver, and one warning, after %s',
    async (name) => {
      const answer = await ask(shelf, `/api/failures/${encodeURIComponent(name)}`);
      expect({ status: answer.status, body: answer.body }).toEqual({
        status: 503,
        body: {
          error: { code: 'DATABASE_AWAY', message: 'PostgreSQL does not answer at the moment; ask again later' },
        },
      });
      expect(logged()).toMatchObject([{ level: 'warn', statusCode: 503 }]);
    },
  );

  it.each(Object.keys(FAULTS))('is a 500 without details, and one logged error, after %s', async (name) => {
    const answer = await ask(shelf, `/api/faults/${encodeURIComponent(name)}`);
    expect({ status: answer.status, body: answer.body }).toEqual({
      status: 500,
      body: { error: { code: 'INTERNAL', message: 'Internal error' } },
    });
    expect(logged()).toMatchObject([{ level: 'error', statusCode: 500 }]);
  });
});
