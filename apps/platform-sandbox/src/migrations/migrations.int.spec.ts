import { createTestSchema, type TestSchema } from '@gondola/local-stack/test-stack';
import { ANSWER_LIMIT_MS } from '@gondola/local-stack/wait-for';
import { Database } from '@gondola/service-kit/database/database';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { sandboxMigrations } from '../database.schema.ts';

let schema: TestSchema;
let database: Database;

beforeAll(async () => {
  schema = await createTestSchema('sandbox-migrations');
  const options = { url: schema.url, schema: schema.schema, migrations: sandboxMigrations };
  database = new Database({ ...options, queryTimeoutMs: ANSWER_LIMIT_MS });
});

afterAll(async () => {
  await database.close();
  await schema.drop();
});

async function relations(): Promise<string[]> {
  const { rows } = await database.query<{ relname: string }>(
    `SELECT relname FROM pg_class WHERE relnamespace = $1::regnamespace AND relkind IN ('r', 'S') AND relname NOT LIKE 'migrations%'
     ORDER BY relname`,
    [schema.schema],
  );
  return rows.map(({ relname }) => relname);
}

it('every migration has a way back that leaves nothing behind, and can be run again', async () => {
  await database.connect();
  const before = await relations();
  for (const _migration of sandboxMigrations) await database.revertLastMigration();
  expect(await relations()).toEqual([]);
  await database.migrate();
  expect(await relations()).toEqual(before);
  expect(before).toContain('operations');
});
