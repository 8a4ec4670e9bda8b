import { schemaDifferences } from '@gondola/service-kit/testing/schema-comparison';
import { expect, it } from '@jest/globals';
import { catalogEntities, catalogMigrations } from './database.schema.ts';

it('the entities say what the migrations make', async () => {
  expect(await schemaDifferences({ entities: catalogEntities, migrations: catalogMigrations })).toEqual([]);
});
