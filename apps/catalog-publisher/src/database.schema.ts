import { messagingEntities } from '@gondola/messaging/messaging-entities';
import { messagingMigrations } from '@gondola/messaging/messaging-migrations';
import type { EntityClass } from '@gondola/service-kit/database/entity-class';
import type { MigrationClass } from '@gondola/service-kit/database/migrations';
import { CreateProducts1760000001001 } from './outbound/migrations/products.migration.ts';
import { CreateReferences1760000001002 } from './outbound/migrations/references.migration.ts';
import { CreateSkus1760000001003 } from './outbound/migrations/skus.migration.ts';
import { OperationReportEntity } from './outbound/operation-report.entity.ts';
import { OperationEntity } from './outbound/operation.entity.ts';
import { ProductReferenceEntity } from './outbound/product-reference.entity.ts';
import { ProductReportEntity } from './outbound/product-report.entity.ts';
import { ProductEntity } from './outbound/product.entity.ts';
import { ReferenceLaneEntity } from './outbound/reference-lane.entity.ts';
import { ReferenceWaitEntity } from './outbound/reference-wait.entity.ts';
import { ReferenceEntity } from './outbound/reference.entity.ts';
import { SkuEntity } from './outbound/sku.entity.ts';

/** All tables of the app. */
export const catalogEntities: readonly EntityClass[] = [
  ...messagingEntities,
  ProductEntity,
  ProductReportEntity,
  ReferenceEntity,
  ReferenceLaneEntity,
  ReferenceWaitEntity,
  OperationEntity,
  OperationReportEntity,
  SkuEntity,
  ProductReferenceEntity,
];

/** In the order in which they run. */
export const catalogMigrations: readonly MigrationClass[] = [
  ...messagingMigrations,
  CreateProducts1760000001001,
  CreateReferences1760000001002,
  CreateSkus1760000001003,
];
