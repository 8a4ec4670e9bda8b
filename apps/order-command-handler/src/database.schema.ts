import { messagingEntities } from '@gondola/messaging/messaging-entities';
import { messagingMigrations } from '@gondola/messaging/messaging-migrations';
import type { EntityClass } from '@gondola/service-kit/database/entity-class';
import type { MigrationClass } from '@gondola/service-kit/database/migrations';
import { DropCancelIndex1760000001006 } from './outbound/migrations/cancel-queue.migration.ts';
import { AddCancellationWatch1760000001005 } from './outbound/migrations/cancellation-watch.migration.ts';
import { CreatePdfResults1760000001004 } from './outbound/migrations/invoices.migration.ts';
import { CreateOrderFacts1760000001001 } from './outbound/migrations/order-facts.migration.ts';
import { CreateOrders1760000001002 } from './outbound/migrations/orders.migration.ts';
import { CreateSkus1760000001003 } from './outbound/migrations/skus.migration.ts';
import { OrderFactEntity } from './outbound/order-fact.entity.ts';
import { OrderEntity } from './outbound/order.entity.ts';
import { PdfResultEntity } from './outbound/pdf-result.entity.ts';
import { SkuEntity } from './outbound/sku.entity.ts';

/** All tables of the app. */
export const orderEntities: readonly EntityClass[] = [
  ...messagingEntities,
  OrderFactEntity,
  OrderEntity,
  SkuEntity,
  PdfResultEntity,
];

/** In the order in which they run. */
export const orderMigrations: readonly MigrationClass[] = [
  ...messagingMigrations,
  CreateOrderFacts1760000001001,
  CreateOrders1760000001002,
  CreateSkus1760000001003,
  CreatePdfResults1760000001004,
  AddCancellationWatch1760000001005,
  DropCancelIndex1760000001006,
];
