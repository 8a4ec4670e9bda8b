import type { AppOptions } from '@gondola/service-kit/run/app-options';
import { Database } from '@gondola/service-kit/database/database';
import type { Logger } from '@gondola/service-kit/logging/logger';
import { Module } from '@nestjs/common';
import { AdminModule } from './admin/admin.module.ts';
import { CatalogModule } from './catalog/catalog.module.ts';
import { APP_NAME, type SandboxConfig } from './config.ts';
import { CoreModule } from './core/core.module.ts';
import { sandboxEntities, sandboxMigrations } from './database.schema.ts';
import { FaultsModule } from './faults/faults.module.ts';
import { FilesModule } from './files/files.module.ts';
import { prepareHttp } from './http/prepare-http.adapter.ts';
import { InvoicesModule } from './invoices/invoices.module.ts';
import { LogsModule } from './logs/logs.module.ts';
import { routeDocument } from './openapi/route-document.adapter.ts';
import { OrdersModule } from './orders/orders.module.ts';
import { PricesAndStockModule } from './prices-and-stock/prices-and-stock.module.ts';
import { ProductsModule } from './products/products.module.ts';
import { RuntimeModule } from './runtime/runtime.module.ts';
import { SftpModule } from './sftp/sftp.module.ts';
import { ShopperModule } from './shopper/shopper.module.ts';
import { StoragesModule } from './storages/storages.module.ts';
import { DEFAULT_BEHAVIOUR, type Behaviour } from './switches/behaviour.ts';
import { SwitchBoard } from './switches/switch-board.service.ts';
import { SwitchesModule } from './switches/switches.module.ts';
import { TenantsModule } from './tenants/tenants.module.ts';
import { WebhooksModule } from './webhooks/webhooks.module.ts';

/**
 * calls of the connector → catalog, products, prices-and-stock, orders, invoices, storages ┐
 * calls of a test        → shopper, admin                                                  ├→ core → webhooks
 * Both groups use tenants, faults and switches; logs record received calls and sent notifications.
 */
@Module({
  imports: [
    RuntimeModule,
    SwitchesModule,
    FaultsModule,
    TenantsModule,
    FilesModule,
    CoreModule,
    WebhooksModule,
    CatalogModule,
    PricesAndStockModule,
    ProductsModule,
    OrdersModule,
    InvoicesModule,
    StoragesModule,
    SftpModule,
    ShopperModule,
    LogsModule,
    AdminModule,
  ],
})
export class AppModule {}

/** Largest body: a batch of products may be large, and the document shows no limit. */
const BODY_LIMIT_BYTES = 32 * 1_048_576;
/** Long, because a caller on a slow machine waits rather than be told that the simulated platform has failed. */
const QUERY_TIMEOUT_MS = 60_000;

/** Options of the sandbox for `runApp`, and for tests that run it in their own process. */
export function appOptions(config: SandboxConfig, logger: Logger): AppOptions {
  const tables = { entities: sandboxEntities, migrations: sandboxMigrations };
  const database = new Database({
    ...config.database,
    ...tables,
    poolSize: 20,
    queryTimeoutMs: QUERY_TIMEOUT_MS,
    jsonAsText: true,
    logger,
  });
  // HTTP is prepared before the switches exist.
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
      return [];
    },
    openApi: [routeDocument(AppModule)],
    httpOptions: {
      bodyLimitBytes: BODY_LIMIT_BYTES,
      bodyParser: false,
      guardedPrefixes: ['/admin'],
      prepare: (fastify) => prepareHttp(fastify, { database, logger, behaviour }),
    },
  };
}
