import { messagingEntities } from '@gondola/lanes/messaging-tables';
import { createTestSchema, testStack } from '@gondola/local-stack/test-stack';
import { Database } from '@gondola/service-kit/database/database';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { catalogMigrations } from '../database.schema.ts';
import { PlatformOperationsRepository } from './platform-operations.repository.ts';

let schema: Awaited<ReturnType<typeof createTestSchema>>;
let database: Database;

beforeAll(async () => {
  schema = await createTestSchema('operations');
  const tables = { entities: messagingEntities, migrations: catalogMigrations };
  database = new Database({ url: testStack().databaseUrl, schema: schema.schema, ...tables });
  await database.connect();
});

afterAll(async () => {
  await database.close();
  await schema.drop();
});

it('deletes operations and reports a week after they came', async () => {
  await database.query(
    `INSERT INTO operations (tenant, operation_id, lane_id, sent_at)
     SELECT 'acme', days::text, 1, now() - days * interval '1 day' FROM unnest(ARRAY[6, 8, 9]) AS sent (days)`,
  );
  await database.query(
    `INSERT INTO operation_reports (dedup_key, tenant, operation_id, failed, received_at)
     SELECT days::text, 'acme', days::text, true, now() - days * interval '1 day'
     FROM unnest(ARRAY[6, 8, 9]) AS came (days)`,
  );
  await new PlatformOperationsRepository(database).sweep();
  expect((await database.query('SELECT operation_id FROM operations')).rows).toEqual([{ operation_id: '6' }]);
  expect((await database.query('SELECT operation_id FROM operation_reports')).rows).toEqual([{ operation_id: '6' }]);
});
