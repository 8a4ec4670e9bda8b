import { createTestSchema, type TestSchema } from '@gondola/local-stack/test-stack';
import { ANSWER_LIMIT_MS } from '@gondola/local-stack/wait-for';
import { Database } from '@gondola/service-kit/database/database';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { sandboxMigrations } from '../database.schema.ts';
import { addRequest, removeRequestsBeyond } from './requests.repository.ts';

const REQUEST = { method: 'POST', path: '/v1/batch/Products', query: null, status: 200 };

describe('the log of calls', () => {
  let schema: TestSchema;
  let database: Database;

  beforeAll(async () => {
    schema = await createTestSchema('sandbox-requests');
    const options = { url: schema.url, schema: schema.schema, migrations: sandboxMigrations };
    database = new Database({ ...options, queryTimeoutMs: ANSWER_LIMIT_MS });
    await database.connect();
  });
  beforeEach(async () => {
    await database.query('TRUNCATE requests');
  });
  afterAll(async () => {
    await database.close();
    await schema.drop();
  });

  async function add(text: string): Promise<void> {
    await addRequest(database, { ...REQUEST, body: Buffer.from(text) });
  }

  async function stored(): Promise<string[]> {
    const { rows } = await database.query<{ body: Buffer }>('SELECT body FROM requests ORDER BY seq');
    return rows.map(({ body }) => body.toString());
  }

  it('stores only the newest 5,000', async () => {
    await add('the oldest');
    await database.query(
      `INSERT INTO requests (method, path, status, body) SELECT 'GET', '/v1/x', 200, '' FROM generate_series(1, 4999)`,
    );
    expect(await stored()).toContain('the oldest');
    await add('the newest');
    const log = await stored();
    expect([log.length, log.at(-1), log.includes('the oldest')]).toEqual([5_000, 'the newest', false]);
  });

  it('stores the bodies of the newest calls, up to its limit of bytes', async () => {
    for (const letter of ['a', 'b', 'c', 'd']) await add(letter.repeat(100));
    await removeRequestsBeyond(database, 399);
    expect((await stored()).map((body) => body.charAt(0))).toEqual(['b', 'c', 'd']);
    await removeRequestsBeyond(database, 300);
    expect(await stored()).toHaveLength(3);
    await removeRequestsBeyond(database, 150);
    expect((await stored()).map((body) => body.charAt(0))).toEqual(['d']);
  });
});
