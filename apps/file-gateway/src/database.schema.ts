import { messagingEntities } from '@gondola/messaging/messaging-entities';
import { messagingMigrations } from '@gondola/messaging/messaging-migrations';
import type { EntityClass } from '@gondola/service-kit/database/entity-class';
import type { MigrationClass } from '@gondola/service-kit/database/migrations';
import { AppliedImagesEntity } from './outbound/applied-images.entity.ts';
import { FileOperationEntity } from './outbound/file-operation.entity.ts';
import { InvoiceFileEntity } from './outbound/invoice-file.entity.ts';
import { CreateInvoiceFiles1760000003003 } from './outbound/migrations/invoice-files.migration.ts';
import { CreateReferences1760000003002 } from './outbound/migrations/references.migration.ts';
import { CreateUploads1760000003001 } from './outbound/migrations/uploads.migration.ts';
import { OrderIdEntity } from './outbound/order-id.entity.ts';
import { PlatformFailureEntity } from './outbound/platform-failure.entity.ts';
import { SkuEntity } from './outbound/sku.entity.ts';
import { UploadChunkEntity } from './outbound/upload-chunk.entity.ts';
import { UploadEntity } from './outbound/upload.entity.ts';

/** All tables of the app. */
export const fileEntities: readonly EntityClass[] = [
  ...messagingEntities,
  UploadEntity,
  UploadChunkEntity,
  SkuEntity,
  OrderIdEntity,
  PlatformFailureEntity,
  FileOperationEntity,
  AppliedImagesEntity,
  InvoiceFileEntity,
];

/** In the order in which they run. */
export const fileMigrations: readonly MigrationClass[] = [
  ...messagingMigrations,
  CreateUploads1760000003001,
  CreateReferences1760000003002,
  CreateInvoiceFiles1760000003003,
];
