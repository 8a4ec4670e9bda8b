import type { EntityClass } from '@gondola/service-kit/database/repositories';
import type { MigrationClass } from '@gondola/service-kit/database/migrations';
import { BrandEntity } from './outbound/brand.entity.ts';
import { CategoryEntity } from './outbound/category.entity.ts';
import { DeliveryAttemptEntity, DeliveryEntity } from './outbound/delivery.entity.ts';
import { FaultEntity } from './outbound/fault.entity.ts';
import { FileEntity, FilePieceEntity } from './outbound/file.entity.ts';
import { LooseRecordEntity } from './outbound/loose-record.entity.ts';
import { BrandsAndCategories1763700000000 } from './outbound/migrations/brands-and-categories-1763700000000.migration.ts';
import { DelayedOperations1763800000000 } from './outbound/migrations/delayed-operations-1763800000000.migration.ts';
import { Files1763900000000 } from './outbound/migrations/files-1763900000000.migration.ts';
import { LooseRecords1764000000000 } from './outbound/migrations/loose-records-1764000000000.migration.ts';
import { Rejections1764100000000 } from './outbound/migrations/rejections-1764100000000.migration.ts';
import { SandboxTables1763600000000 } from './outbound/migrations/sandbox-tables-1763600000000.migration.ts';
import { OperationEntity } from './outbound/operation.entity.ts';
import { OrderEntity } from './outbound/order.entity.ts';
import { ProductEntity, SkuEntity } from './outbound/product.entity.ts';
import { RejectionEntity } from './outbound/rejection.entity.ts';
import { RequestEntity } from './outbound/request.entity.ts';
import { SwitchEntity } from './outbound/switch.entity.ts';
import { TenantEntity } from './outbound/tenant.entity.ts';
import { WebhookEntity } from './outbound/webhook.entity.ts';

/**
 * All tables, in the order in which the workers come to them: a reset empties them in this order, so that it waits for
 * the workers or they for it, and never both.
 */
export const sandboxEntities: readonly EntityClass[] = [
  OperationEntity,
  BrandEntity,
  CategoryEntity,
  ProductEntity,
  SkuEntity,
  LooseRecordEntity,
  OrderEntity,
  FileEntity,
  FilePieceEntity,
  RejectionEntity,
  WebhookEntity,
  FaultEntity,
  DeliveryEntity,
  DeliveryAttemptEntity,
  TenantEntity,
  RequestEntity,
  SwitchEntity,
];

/** In the order in which they run. */
export const sandboxMigrations: readonly MigrationClass[] = [
  SandboxTables1763600000000,
  BrandsAndCategories1763700000000,
  DelayedOperations1763800000000,
  Files1763900000000,
  LooseRecords1764000000000,
  Rejections1764100000000,
];
