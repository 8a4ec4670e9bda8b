import { schemaDifferences } from '@gondola/service-kit/testing/schema-comparison';
import { expect, it } from '@jest/globals';
import { catalogEntities, catalogMigrations } from './database.schema.ts';

it('the entities describe the tables that the migrations create', async () => {
  expect(await schemaDifferences({ entities: catalogEntities, migrations: catalogMigrations })).toEqual([]);
});
