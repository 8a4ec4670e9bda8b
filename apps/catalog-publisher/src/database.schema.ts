import { messagingEntities, messagingMigrations } from '@gondola/messaging/messaging-tables';
import type { EntityClass } from '@gondola/service-kit/database/repositories';
import type { MigrationClass } from '@gondola/service-kit/database/migrations';
import { CreateProducts1760000001001 } from './migrations/products.migration.ts';
import { CreateReferences1760000001002 } from './migrations/references.migration.ts';
import { CreateSkus1760000001003 } from './migrations/skus.migration.ts';
import { CreateValueLanes1760000001004 } from './migrations/value-lanes.migration.ts';
import { AddValuePlaces1760000001005 } from './migrations/value-places.migration.ts';
import { NameUnconfirmedCalls1760000001006 } from './migrations/unconfirmed-calls.migration.ts';
import { AddAdoptions1760000001020 } from './migrations/adoptions.migration.ts';
import { CreateLoads1760000001021 } from './migrations/loads.migration.ts';
import { IndexCategoryChildren1760000001022 } from './migrations/category-children.migration.ts';
import { LoadConflictEntity } from './loads/load-conflict.entity.ts';
import { LoadEntity } from './loads/load.entity.ts';
import { OperationReportEntity } from './outcomes/operation-report.entity.ts';
import { OperationEntity } from './outcomes/operation.entity.ts';
import { ProductReferenceEntity } from './product-state/product-reference.entity.ts';
import { ProductReportEntity } from './outcomes/product-report.entity.ts';
import { ProductEntity } from './product-state/product.entity.ts';
import { ReferenceLaneEntity } from './reference-state/reference-lane.entity.ts';
import { ReferenceWaitEntity } from './waiting/reference-wait.entity.ts';
import { ReferenceEntity } from './reference-state/reference.entity.ts';
import { ResendItemEntity } from './resends/resend-item.entity.ts';
import { SkuEntity } from './skus/sku.entity.ts';
import { ValueLaneEntity } from './values/value-lane.entity.ts';

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
export const catalogMigrations: readonly MigrationClass[] = [
  ...messagingMigrations,
  CreateProducts1760000001001,
  CreateReferences1760000001002,
  CreateSkus1760000001003,
  CreateValueLanes1760000001004,
  AddValuePlaces1760000001005,
  NameUnconfirmedCalls1760000001006,
  AddAdoptions1760000001020,
  CreateLoads1760000001021,
  IndexCategoryChildren1760000001022,
];
