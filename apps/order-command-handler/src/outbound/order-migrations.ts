import { messagingMigrations } from '@gondola/messaging/messaging-migrations';
import type { MigrationClass } from '@gondola/service-kit/database/migrations';
import { CreatePdfResults1760000001004 } from './migrations/invoices.migration.ts';
import { DropCancelIndex1760000001006 } from './migrations/cancel-queue.migration.ts';
import { AddCancellationWatch1760000001005 } from './migrations/cancellation-watch.migration.ts';
import { CreateOrderFacts1760000001001 } from './migrations/order-facts.migration.ts';
import { CreateOrders1760000001002 } from './migrations/orders.migration.ts';
import { CreateSkus1760000001003 } from './migrations/skus.migration.ts';

/** The app's whole schema, in the order in which it is made. */
export const orderMigrations: readonly MigrationClass[] = [
  ...messagingMigrations,
  CreateOrderFacts1760000001001,
  CreateOrders1760000001002,
  CreateSkus1760000001003,
  CreatePdfResults1760000001004,
  AddCancellationWatch1760000001005,
  DropCancelIndex1760000001006,
];
