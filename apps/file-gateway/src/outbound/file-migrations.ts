import { messagingMigrations } from '@gondola/messaging/messaging-migrations';
import type { MigrationClass } from '@gondola/service-kit/database/migrations';
import { CreateInvoiceFiles1760000003003 } from './migrations/invoice-files.migration.ts';
import { CreateReferences1760000003002 } from './migrations/references.migration.ts';
import { CreateUploads1760000003001 } from './migrations/uploads.migration.ts';

/** The app's whole schema, in the order in which it is made. */
export const fileMigrations: readonly MigrationClass[] = [
  ...messagingMigrations,
  CreateUploads1760000003001,
  CreateReferences1760000003002,
  CreateInvoiceFiles1760000003003,
];
