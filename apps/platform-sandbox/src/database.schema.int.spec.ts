import { schemaDifferences } from '@gondola/service-kit/testing/schema-comparison';
import { expect, it } from '@jest/globals';
import { sandboxEntities, sandboxMigrations } from './database.schema.ts';

it('the entities say what the migrations make', async () => {
  expect(await schemaDifferences({ entities: sandboxEntities, migrations: sandboxMigrations })).toEqual([]);
});
