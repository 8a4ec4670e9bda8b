import { expect, it } from '@jest/globals';

import { schemaDifferences } from '@gondola/service-kit/testing/schema-comparison';

import { messagingEntities, messagingMigrations } from './messaging-tables.ts';

it('the entities say what the migrations make', async () => {
  expect(await schemaDifferences({ entities: messagingEntities, migrations: messagingMigrations })).toEqual([]);
});
