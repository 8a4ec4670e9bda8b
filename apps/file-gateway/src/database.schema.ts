import { messagingEntities, messagingMigrations } from '@gondola/messaging/messaging-tables';
import type { EntityClass } from '@gondola/service-kit/database/repositories';
import type { MigrationClass } from '@gondola/service-kit/database/migrations';
import { CommandResultEntity } from './commands/command-result.entity.ts';
import { AppliedImagesEntity } from './images/applied-images.entity.ts';
import { FetchedContentEntity } from './fetching/fetched-content.entity.ts';
import { FileOperationEntity } from './notifications/file-operation.entity.ts';
import { ImageUploadEntity } from './images/image-upload.entity.ts';
import { InvoiceFileEntity } from './invoices/invoice-file.entity.ts';
import { DateOrderIds1760000003012 } from './migrations/date-order-ids-1760000003012.migration.ts';
import { AddUploadFlaw1760000003011 } from './migrations/add-upload-flaw-1760000003011.migration.ts';
import { AddUploadVerdict1760000003006 } from './migrations/add-upload-verdict-1760000003006.migration.ts';
import { CreateCommandResults1760000003010 } from './migrations/create-command-results-1760000003010.migration.ts';
import { CreateFetchedContents1760000003004 } from './migrations/create-fetched-contents-1760000003004.migration.ts';
import { CreateImageUploads1760000003005 } from './migrations/create-image-uploads-1760000003005.migration.ts';
import { CreateInvoiceFiles1760000003003 } from './migrations/create-invoice-files-1760000003003.migration.ts';
import { CreateReferences1760000003002 } from './migrations/create-references-1760000003002.migration.ts';
import { CreateUploads1760000003001 } from './migrations/create-uploads-1760000003001.migration.ts';
import { IndexContents1760000003009 } from './migrations/index-contents-1760000003009.migration.ts';
import { IndexUploadSizes1760000003013 } from './migrations/index-upload-sizes-1760000003013.migration.ts';
import { IndexUploads1760000003007 } from './migrations/index-uploads-1760000003007.migration.ts';
import { NameSkuUpdate1760000003008 } from './migrations/name-sku-update-1760000003008.migration.ts';
import { OrderIdEntity } from './notifications/order-id.entity.ts';
import { PlatformFailureEntity } from './notifications/platform-failure.entity.ts';
import { SkuEntity } from './skus/sku.entity.ts';
import { UploadChunkEntity } from './uploads/upload-chunk.entity.ts';
import { UploadEntity } from './uploads/upload.entity.ts';

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
export const fileMigrations: readonly MigrationClass[] = [
  ...messagingMigrations,
  CreateUploads1760000003001,
  CreateReferences1760000003002,
  CreateInvoiceFiles1760000003003,
  CreateFetchedContents1760000003004,
  CreateImageUploads1760000003005,
  AddUploadVerdict1760000003006,
  IndexUploads1760000003007,
  NameSkuUpdate1760000003008,
  IndexContents1760000003009,
  CreateCommandResults1760000003010,
  AddUploadFlaw1760000003011,
  DateOrderIds1760000003012,
  IndexUploadSizes1760000003013,
];
