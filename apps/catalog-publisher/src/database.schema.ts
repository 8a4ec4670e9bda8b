import { messagingMigrations } from '@gondola/lanes/messaging-tables';
import type { MigrationClass } from '@gondola/service-kit/database/migrations';
import { CatalogLists1760000004002 } from './catalog-lists.migration.ts';
import { CreateCatalogTables1760000004001 } from './create-tables.migration.ts';
import { LateCalls1760000004003 } from './late-calls.migration.ts';

/** In the order in which they run. Statements alone read and write the app's own tables, so that none has an entity. */
export const catalogMigrations: readonly MigrationClass[] = [
  ...messagingMigrations,
  CreateCatalogTables1760000004001,
  CatalogLists1760000004002,
  LateCalls1760000004003,
];
