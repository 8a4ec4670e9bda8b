import type { MigrationClass } from '@gondola/service-kit/database/migrations';
import type { EntityClass } from '@gondola/service-kit/database/repositories';
import { BrandEntity } from './catalog/brand.entity.ts';
import { CategoryEntity } from './catalog/category.entity.ts';
import { OperationEntity } from './core/operation.entity.ts';
import { FaultEntity } from './faults/fault.entity.ts';
import { FileEntity, FilePieceEntity } from './files/file.entity.ts';
import { RejectionEntity } from './logs/rejection.entity.ts';
import { RequestEntity } from './logs/request.entity.ts';
import { BrandsAndCategories1763700000000 } from './migrations/brands-and-categories-1763700000000.migration.ts';
import { DelayedOperations1763800000000 } from './migrations/delayed-operations-1763800000000.migration.ts';
import { Files1763900000000 } from './migrations/files-1763900000000.migration.ts';
import { LooseRecords1764000000000 } from './migrations/loose-records-1764000000000.migration.ts';
import { PlacedFiles1764200000000 } from './migrations/placed-files-1764200000000.migration.ts';
import { Rejections1764100000000 } from './migrations/rejections-1764100000000.migration.ts';
import { SandboxTables1763600000000 } from './migrations/sandbox-tables-1763600000000.migration.ts';
import { OrderEntity } from './orders/order.entity.ts';
import { LooseRecordEntity } from './prices-and-stock/loose-record.entity.ts';
import { ProductEntity, SkuEntity } from './products/product.entity.ts';
import { SwitchEntity } from './switches/switch.entity.ts';
import { TenantEntity } from './tenants/tenant.entity.ts';
import { DeliveryAttemptEntity, DeliveryEntity } from './webhooks/delivery.entity.ts';
import { WebhookEntity } from './webhooks/webhook.entity.ts';

/**
 * All tables, in the order in which the workers lock them. A reset empties them in this order, so that it waits for
 * the workers or they wait for it, and they never deadlock.
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

/** Listed in the order in which they run. */
export const sandboxMigrations: readonly MigrationClass[] = [
  SandboxTables1763600000000,
  BrandsAndCategories1763700000000,
  DelayedOperations1763800000000,
  Files1763900000000,
  LooseRecords1764000000000,
  Rejections1764100000000,
  PlacedFiles1764200000000,
];
