import { schemaDifferences } from '@gondola/service-kit/testing/schema-comparison';
import { expect, it } from '@jest/globals';

import { messagingEntities } from './messaging-entities.ts';
import { messagingMigrations } from './messaging-migrations.ts';

it('the entities say what the migrations make', async () => {
  expect(await schemaDifferences({ entities: messagingEntities, migrations: messagingMigrations })).toEqual([]);
});
