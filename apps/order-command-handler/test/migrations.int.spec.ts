import { createTestSchema, testStack } from '@gondola/local-stack/test-stack';
import { Database } from '@gondola/service-kit/database/database';
import { expect, it } from '@jest/globals';
import { orderMigrations } from '../src/database.schema.ts';

it('every migration has a way back, and the schema can be made again', async () => {
  const testSchema = await createTestSchema('order-migrations');
  const { schema } = testSchema;
  const database = new Database({ url: testStack().databaseUrl, schema, migrations: orderMigrations });
  try {
    expect(await database.migrate()).toHaveLength(orderMigrations.length);
    for (const _each of orderMigrations) await database.revertLastMigration();
    await database.connect();
    const text = 'SELECT table_name FROM information_schema.tables WHERE table_schema = $1';
    const { rows } = await database.query<{ table_name: string }>(text, [schema]);
    expect(rows.map(({ table_name: name }) => name)).toEqual(
      expect.arrayContaining(['order_facts', 'orders', 'commands']),
    );
  } finally {
    await database.close();
    await testSchema.drop();
  }
});
