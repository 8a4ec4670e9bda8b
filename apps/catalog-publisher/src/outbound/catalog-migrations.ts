import type { MigrationClass } from '@gondola/service-kit/migrations';
import { messagingMigrations } from '@gondola/messaging/messaging-migrations';
import { CreateProducts1760000001001 } from './product-tables.migration.ts';

/** Every migration of the app's schema, in their order. */
export const catalogMigrations: MigrationClass[] = [...messagingMigrations, CreateProducts1760000001001];
