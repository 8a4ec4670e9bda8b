import { schemaDifferences } from '@gondola/service-kit/testing/schema-comparison';
import { expect, it } from '@jest/globals';
import { orderEntities, orderMigrations } from './database.schema.ts';

it('the entities describe the tables that the migrations create', async () => {
  expect(await schemaDifferences({ entities: orderEntities, migrations: orderMigrations })).toEqual([]);
});
