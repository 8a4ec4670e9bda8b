import { messagingEntities, messagingMigrations } from '@gondola/messaging/messaging-tables';
import type { EntityClass } from '@gondola/service-kit/database/repositories';
import type { MigrationClass } from '@gondola/service-kit/database/migrations';
import { LoadConflictEntity } from './intake/load-conflict.entity.ts';
import { LoadEntity } from './intake/load.entity.ts';
import { OperationReportEntity } from './outcomes/operation-report.entity.ts';
import { OperationEntity } from './outcomes/operation.entity.ts';
import { ProductReferenceEntity } from './product-state/product-reference.entity.ts';
import { ProductReportEntity } from './outcomes/product-report.entity.ts';
import { ProductEntity } from './product-state/product.entity.ts';
import { ReferenceLaneEntity } from './references/reference-lane.entity.ts';
import { ReferenceWaitEntity } from './waiting/reference-wait.entity.ts';
import { ReferenceEntity } from './references/reference.entity.ts';
import { ResendItemEntity } from './resends/resend-item.entity.ts';
import { SkuEntity } from './product-state/sku.entity.ts';
import { ValueLaneEntity } from './values/value-lane.entity.ts';
import { CreateCatalogTables1760000004001 } from './create-tables.migration.ts';

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
  ValueLaneEntity,
  LoadEntity,
  LoadConflictEntity,
  ResendItemEntity,
];

/** In the order in which they run. */
export const catalogMigrations: readonly MigrationClass[] = [...messagingMigrations, CreateCatalogTables1760000004001];
