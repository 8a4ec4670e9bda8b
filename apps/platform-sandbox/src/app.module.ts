import type { AppOptions } from '@gondola/service-kit/config/app-options';
import { Database } from '@gondola/service-kit/database/database';
import type { Logger } from '@gondola/service-kit/logging/logger';
import { Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { AcceptOperation } from './application/accept-operation.ts';
import { CatalogItemSteps } from './application/catalog-item.steps.ts';
import { CoreWorker } from './application/core.worker.ts';
import { Signals } from './application/signals.ts';
import { FaultBoard } from './application/fault-board.ts';
import { FileStore } from './application/file-store.ts';
import { FileSteps } from './application/file.steps.ts';
import { HistorySweep } from './application/history-sweep.service.ts';
import { Ids } from './application/ids.ts';
import { MoveOrder } from './application/move-order.ts';
import { Notifier } from './application/notifier.ts';
import { OrderChanges } from './application/order-changes.ts';
import { OrderSteps } from './application/order.steps.ts';
import { PlayShopper } from './application/play-shopper.ts';
import { ProductSteps } from './application/product.steps.ts';
import { Quiet } from './application/quiet.ts';
import { Storefronts } from './application/storefronts.ts';
import { SwitchBoard } from './application/switch-board.ts';
import { WebhookSender } from './application/webhook.sender.ts';
import { APP_NAME, type SandboxConfig } from './config.ts';
import { sandboxEntities, sandboxMigrations } from './database.schema.ts';
import { DEFAULT_BEHAVIOUR, type Behaviour } from './domain/behaviour.ts';
import { ChosenTenant } from './inbound/admin/chosen-tenant.ts';
import { AdminControlController } from './inbound/admin/control.controller.ts';
import { AdminLogsController } from './inbound/admin/logs.controller.ts';
import { AdminOrdersController } from './inbound/admin/orders.controller.ts';
import { AdminShopController } from './inbound/admin/shop.controller.ts';
import { prepareHttp } from './inbound/http/prepare-http.ts';
import { routeDocument } from './inbound/openapi/route-document.ts';
import { CatalogController } from './inbound/platform/catalog.controller.ts';
import { FormUploads } from './inbound/platform/form-uploads.ts';
import { InvoicesController } from './inbound/platform/invoices.controller.ts';
import { LooseBatchesController } from './inbound/platform/loose-batches.controller.ts';
import { CoreOrdersController, OrdersController } from './inbound/platform/orders.controller.ts';
import { FilesController, StoragesController } from './inbound/platform/storages.controller.ts';
import { WebhooksController } from './inbound/platform/webhooks.controller.ts';
import { CategoriesRepository } from './outbound/categories.repository.ts';
import { DeliveriesRepository } from './outbound/deliveries.repository.ts';
import { FilesRepository } from './outbound/files.repository.ts';
import { OperationLogRepository } from './outbound/operation-log.repository.ts';
import { OperationsRepository } from './outbound/operations.repository.ts';
import { OrdersRepository } from './outbound/orders.repository.ts';
import { ProductsRepository } from './outbound/products.repository.ts';
import { TenantsRepository } from './outbound/tenants.repository.ts';

/** Every route of the sandbox's own. */
export const CONTROLLERS = [
  CatalogController,
  LooseBatchesController,
  OrdersController,
  InvoicesController,
  StoragesController,
  FilesController,
  CoreOrdersController,
  WebhooksController,
  AdminOrdersController,
  AdminShopController,
  AdminLogsController,
  AdminControlController,
];

/** In this order; all stop in reverse. */
const STARTED = [Ids, SwitchBoard, FaultBoard, FileStore, CoreWorker, WebhookSender, HistorySweep];

@Module({
  imports: [DiscoveryModule],
  controllers: CONTROLLERS,
  providers: [
    ...STARTED,
    CatalogItemSteps,
    ProductSteps,
    OrderSteps,
    FileSteps,
    AcceptOperation,
    Signals,
    MoveOrder,
    Notifier,
    OrderChanges,
    PlayShopper,
    Quiet,
    Storefronts,
    FormUploads,
    ChosenTenant,
    CategoriesRepository,
    DeliveriesRepository,
    FilesRepository,
    OperationLogRepository,
    OperationsRepository,
    OrdersRepository,
    ProductsRepository,
    TenantsRepository,
  ],
})
class AppModule {}

/** A batch of products may be large; the document shows no limit. */
const BODY_LIMIT_BYTES = 32 * 1_048_576;

/** The sandbox for `runApp`, and for tests in their own process. */
export function appOptions(config: SandboxConfig, logger: Logger): AppOptions {
  const tables = { entities: sandboxEntities, migrations: sandboxMigrations };
  const database = new Database({ ...config.database, ...tables, poolSize: 20, jsonAsText: true, logger });
  // HTTP is prepared before there is anything to ask.
  let switches: SwitchBoard | undefined;
  const behaviour = (): Behaviour => switches?.behaviour ?? DEFAULT_BEHAVIOUR;
  return {
    name: APP_NAME,
    module: AppModule,
    config,
    logger,
    database,
    startables: (app) => {
      switches = app.get(SwitchBoard, { strict: false });
      return STARTED.map((startable) => app.get(startable, { strict: false }));
    },
    openApi: [routeDocument(CONTROLLERS)],
    httpOptions: {
      bodyLimitBytes: BODY_LIMIT_BYTES,
      bodyParser: false,
      guardedPrefixes: ['/admin'],
      prepare: (fastify) => prepareHttp(fastify, { database, logger, behaviour }),
    },
  };
}
