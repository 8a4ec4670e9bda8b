import { messagingEntities } from '@gondola/lanes/messaging-tables';
import { schemaDifferences } from '@gondola/service-kit/testing/schema-comparison';
import { expect, it } from '@jest/globals';
import { catalogMigrations } from './database.schema.ts';

it('the entities describe the tables that the migrations create', async () => {
  expect(await schemaDifferences({ entities: messagingEntities, migrations: catalogMigrations })).toEqual([]);
});
