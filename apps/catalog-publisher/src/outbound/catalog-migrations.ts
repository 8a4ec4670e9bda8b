import { messagingMigrations } from '@gondola/messaging/messaging-migrations';
import type { MigrationClass } from '@gondola/service-kit/database/migrations';
import { CreateProducts1760000001001 } from './migrations/products.migration.ts';
import { CreateReferences1760000001002 } from './migrations/references.migration.ts';
import { CreateSkus1760000001003 } from './migrations/skus.migration.ts';

/** The app's whole schema, in the order in which it is made. */
export const catalogMigrations: readonly MigrationClass[] = [
  ...messagingMigrations,
  CreateProducts1760000001001,
  CreateReferences1760000001002,
  CreateSkus1760000001003,
];
