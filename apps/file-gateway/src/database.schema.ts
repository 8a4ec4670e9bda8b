import { messagingEntities, messagingMigrations } from '@gondola/lanes/messaging-tables';
import type { EntityClass } from '@gondola/service-kit/database/repositories';
import type { MigrationClass } from '@gondola/service-kit/database/migrations';
import { CommandResultEntity } from './commands/command-result.entity.ts';
import { AppliedImagesEntity } from './images/applied-images.entity.ts';
import { FetchedContentEntity } from './fetching/fetched-content.entity.ts';
import { FileOperationEntity } from './notifications/file-operation.entity.ts';
import { ImageUploadEntity } from './images/image-upload.entity.ts';
import { InvoiceFileEntity } from './invoices/invoice-file.entity.ts';
import { OrderIdEntity } from './notifications/order-id.entity.ts';
import { PlatformFailureEntity } from './notifications/platform-failure.entity.ts';
import { SkuEntity } from './skus/sku.entity.ts';
import { UploadChunkEntity } from './uploads/upload-chunk.entity.ts';
import { UploadEntity } from './uploads/upload.entity.ts';
import { CreateFileTables1760000003001 } from './create-tables.migration.ts';

/** All tables of the app. */
export const fileEntities: readonly EntityClass[] = [
  ...messagingEntities,
  UploadEntity,
  UploadChunkEntity,
  FetchedContentEntity,
  SkuEntity,
  OrderIdEntity,
  PlatformFailureEntity,
  FileOperationEntity,
  AppliedImagesEntity,
  ImageUploadEntity,
  InvoiceFileEntity,
  CommandResultEntity,
];

/** Listed in the order in which they run. */
export const fileMigrations: readonly MigrationClass[] = [...messagingMigrations, CreateFileTables1760000003001];
