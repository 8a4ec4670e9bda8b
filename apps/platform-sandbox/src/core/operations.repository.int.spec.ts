import { createTestSchema, type TestSchema } from '@gondola/local-stack/test-stack';
import { ANSWER_LIMIT_MS } from '@gondola/local-stack/wait-for';
import { Database } from '@gondola/service-kit/database/database';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { sandboxMigrations } from '../database.schema.ts';
import { OperationsRepository } from './operations.repository.ts';

let schema: TestSchema;
let database: Database;

beforeAll(async () => {
  schema = await createTestSchema('sandbox-operations');
  const options = { url: schema.url, schema: schema.schema, migrations: sandboxMigrations };
  database = new Database({ ...options, queryTimeoutMs: ANSWER_LIMIT_MS });
  await database.connect();
});

afterAll(async () => {
  await database.close();
  await schema.drop();
});

it('the waiting ends if an operation becomes due after a claim found nothing', async () => {
  const operations = new OperationsRepository(database);
  expect(await operations.nextDueInMs()).toBeUndefined();
  const later = { contractAccountId: 'c-1', kind: 'order', payloads: ['{}'], directive: {} };
  await operations.add({ ...later, operationId: 'op-1', delayMs: 60_000 });
  const waitMs = await operations.nextDueInMs();
  expect(waitMs).toBeGreaterThan(0);
  expect(waitMs).toBeLessThanOrEqual(60_000);
  await database.transaction(async (tx) => {
    expect(await operations.claim(1, tx)).toEqual([]);
    // Due after the start of this transaction, in which `now()` does not advance.
    await operations.add({ ...later, operationId: 'op-2' });
    expect(await operations.claim(1, tx)).toEqual([]);
    expect(await operations.nextDueInMs()).toBe(0);
  });
});
