import { expect, it } from '@jest/globals';

import { schemaDifferences } from '@gondola/service-kit/testing/schema-comparison';

import { messagingEntities, messagingMigrations } from './messaging-tables.ts';

it('the entities describe the tables that the migrations create', async () => {
  expect(await schemaDifferences({ entities: messagingEntities, migrations: messagingMigrations })).toEqual([]);
});
