import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { controlRoutes } from './admin/control.routes.ts';
import { History } from './admin/history.service.ts';
import { logRoutes } from './admin/logs.routes.ts';
import { operationsRoutes, type Phase } from './admin/operations.routes.ts';
import { Reset } from './admin/reset.service.ts';
import { seedRoutes } from './admin/seed.routes.ts';
import { Seed } from './admin/seed.service.ts';
import { shopRoutes } from './admin/shop.routes.ts';
import { catalogRoutes } from './catalog/catalog.routes.ts';
import { Catalog } from './catalog/catalog.service.ts';
import { ItemOutcomes } from './catalog/item-outcomes.service.ts';
import type { SandboxConfig } from './config.ts';
import { Core } from './core/core.service.ts';
import { FaultBoard } from './faults/fault-board.service.ts';
import { contentsInFolder, contentsInMemory } from './files/file-contents.adapter.ts';
import { fileRoutes } from './files/files.routes.ts';
import { Files } from './files/files.service.ts';
import { FormUploads } from './files/form-uploads.service.ts';
import { pageFiles } from './http/page-files.adapter.ts';
import { PlatformCalls } from './http/platform-call.service.ts';
import { RequestLog } from './http/request-log.service.ts';
import type { AnyRoute } from './http/route.ts';
import { HttpServer } from './http/server.adapter.ts';
import { openApiDocument } from './openapi/document.ts';
import { exampleEvents } from './openapi/example-events.ts';
import { invoiceRoutes } from './order-changes/invoices.routes.ts';
import { MoveOrder } from './order-changes/move-order.service.ts';
import { takeOrderChanges } from './order-changes/order-changes.service.ts';
import { orderRoutes } from './order-changes/orders.routes.ts';
import { Storefronts } from './order-payload/storefronts.service.ts';
import { Orders } from './orders/orders.service.ts';
import { recordRoutes } from './prices-and-stock/prices-and-stock.routes.ts';
import { PricesAndStock } from './prices-and-stock/prices-and-stock.service.ts';
import { PRODUCT_EXAMPLE, productRoutes } from './products/products.routes.ts';
import { Products } from './products/products.service.ts';
import { Clock } from './runtime/clock.service.ts';
import { Ids } from './runtime/ids.service.ts';
import { Signals } from './runtime/signals.ts';
import type { SftpServer } from './sftp/sftp-server.service.ts';
import { PlayShopper } from './shopper/play-shopper.service.ts';
import { shopperRoutes } from './shopper/shopper.routes.ts';
import { takeFileChanges } from './storages/file-changes.service.ts';
import { storageRoutes } from './storages/storages.routes.ts';
import { CONTENTS } from './store/folder-entries.ts';
import { Store } from './store/store.service.ts';
import { SwitchBoard } from './switches/switch-board.service.ts';
import { Tenants } from './tenants/tenants.service.ts';
import { Deliveries } from './webhooks/deliveries.service.ts';
import { Notifier } from './webhooks/notifier.service.ts';
import { Quiet } from './webhooks/quiet.service.ts';
import { WebhookSender } from './webhooks/webhook-sender.service.ts';
import { webhookRoutes } from './webhooks/webhooks.routes.ts';
import { Webhooks } from './webhooks/webhooks.service.ts';

const ROOT = join(import.meta.dirname, '..');
const { version: VERSION } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string };
/** Folder of the built page. */
const PAGE = join(ROOT, 'dist/web');

/**
 * The whole sandbox in this process:
 *
 * calls of the connector → catalog, products, prices-and-stock, order-changes, storages ┐
 * calls of a person      → shopper, admin                                              ├→ core → webhooks
 *
 * All state is in `Store`; whoever changes it does so in a unit of work.
 */
export class Sandbox {
  readonly store: Store;
  readonly clock: Clock;
  readonly core: Core;
  readonly files: Files;
  readonly products: Products;
  readonly deliveries: Deliveries;
  readonly notifier: Notifier;
  readonly sender: WebhookSender;
  readonly seed: Seed;
  readonly routes: readonly AnyRoute[];
  private readonly ids = new Ids();
  private readonly history: History;
  private readonly http: HttpServer;
  private readonly startSftp: () => Promise<SftpServer | undefined>;
  private sftp: SftpServer | undefined;
  private phase: Phase = 'starting';

  constructor(
    private readonly config: SandboxConfig,
    private readonly logger: Logger,
    page = PAGE,
  ) {
    const { dataDir, journalMaxBytes } = config;
    const { ids } = this;
    const signals = new Signals();
    const store = new Store({ folder: dataDir, version: VERSION, journalMaxBytes });
    const settings = store.table<string, unknown>('settings');
    const clock = new Clock(store, settings);
    const switches = new SwitchBoard(store, settings);
    const faults = new FaultBoard(store, clock);
    const tenants = new Tenants(store);
    const core = new Core({ store, clock, ids, signals, logger });
    const webhooks = new Webhooks(store);
    const deliveries = new Deliveries(store, clock);
    const notifier = new Notifier({ store, webhooks, deliveries, faults, ids, clock, signals, logger });
    const quiet = new Quiet(core, deliveries, signals);
    const requests = new RequestLog(store, clock);
    const contents = dataDir === null ? contentsInMemory() : contentsInFolder(join(dataDir, CONTENTS));
    const files = new Files({ store, ids, contents });
    const uploads = new FormUploads(files, requests, config.uploadMaxBytes);
    const outcomes = new ItemOutcomes(notifier, switches);
    const catalog = new Catalog({ store, core, notifier, outcomes, switches, ids });
    const records = new PricesAndStock({ store, core, outcomes, switches });
    const products = new Products({ store, core, catalog, files, notifier, clock, ids });
    const orders = new Orders(store, clock);
    const storefronts = new Storefronts(switches, () => config.publicUrl ?? `http://127.0.0.1:${this.http.port}`);
    const moveOrder = new MoveOrder({ store, core, orders, tenants, storefronts, notifier, switches, clock, ids });
    const changes = { core, orders, products, files, notifier, switches, clock };
    takeOrderChanges({ ...changes, moveOrder });
    takeFileChanges(changes);
    const shopper = new PlayShopper({ store, orders, products, records, moveOrder, clock, ids });
    const {
      webhookConcurrency: concurrency,
      webhookTimeoutMs: timeoutMs,
      historyKept: kept,
      historySweepMs: sweepMs,
    } = config;
    const sending = { store, settings, deliveries, webhooks, switches, clock, signals, logger };
    const sender = new WebhookSender({ ...sending, concurrency, timeoutMs });
    const seed = new Seed({ store, clock, tenants, catalog, products, records, files, shopper });
    const state = { store, clock, signals, core, sender, deliveries, notifier, webhooks, tenants, catalog, products };
    const reset = new Reset({ ...state, records, orders, files, faults, switches, requests });
    const routing = { core, orders, storefronts, switches, tenants, files, uploads };
    this.routes = [
      ...catalogRoutes(core),
      ...recordRoutes(core, switches),
      ...productRoutes(products, core),
      ...orderRoutes(routing),
      ...invoiceRoutes(routing),
      ...storageRoutes({ ...routing, hasDrop: config.sftp !== null }),
      ...webhookRoutes(webhooks, ids),
      ...fileRoutes(files),
      ...shopperRoutes({ store, shopper, moveOrder, products, clock, ids, ...routing }),
      ...controlRoutes({
        ...state,
        orders,
        faults,
        switches,
        requests,
        ids,
        quiet,
        reset,
        version: VERSION,
        isStored: dataDir !== null,
      }),
      ...logRoutes({ store, signals, core, notifier, deliveries, webhooks, requests }),
      ...shopRoutes({
        tenants,
        catalog,
        products,
        records,
        files,
        storefronts,
        sftp: () => this.sftp?.address ?? null,
      }),
      ...seedRoutes(seed),
      ...operationsRoutes({
        name: 'platform-sandbox',
        version: VERSION,
        phase: () => this.phase,
        failure: () => store.failure,
        document: () => this.document,
        gauges: () => ({
          sandbox_operations_waiting: ['Accepted items that the core has not taken', core.waiting],
          sandbox_deliveries_pending: ['Notifications that are neither delivered nor given up', deliveries.pending],
          sandbox_products: ['Products of all merchants', products.table.size],
          sandbox_orders: ['Orders of all merchants', orders.table.size],
        }),
      }),
    ];
    const platform = new PlatformCalls({
      tenants,
      faults,
      switches,
      clock,
      requests,
      outcome: (ms, operationId) => quiet.wait(ms, operationId),
      land: (operationId, delayMs) => core.land(operationId, delayMs),
      orderNumberOf: (id) => orders.numberOf(id),
    });
    this.http = new HttpServer({
      settings: config.http,
      logger,
      store,
      switches,
      requests,
      platform,
      files: pageFiles(page),
    });
    this.http.add(this.routes);
    this.startSftp = async () => {
      const { sftp } = config;
      if (sftp === null) return undefined;
      const { PlaceFiles } = await import('./sftp/place-files.service.ts');
      const { SftpServer: Server } = await import('./sftp/sftp-server.service.ts');
      const { contractFolder, maxBytes } = sftp;
      const server = new Server(new PlaceFiles({ store, tenants, files, contractFolder, maxBytes }), sftp, logger);
      await server.start();
      return server;
    };
    this.history = new History({ store, core, deliveries, notifier, kept, sweepMs });
    this.store = store;
    this.clock = clock;
    this.core = core;
    this.files = files;
    this.products = products;
    this.deliveries = deliveries;
    this.notifier = notifier;
    this.seed = seed;
    this.sender = sender;
  }

  /** Base URL, such as `http://127.0.0.1:8090`. */
  get url(): string {
    return this.http.url;
  }

  private get document(): ReturnType<typeof openApiDocument> {
    return openApiDocument(this.routes, exampleEvents(PRODUCT_EXAMPLE), VERSION);
  }

  async start(): Promise<void> {
    const { store, config, ids, logger } = this;
    await store.open();
    ids.seed(
      config.randomSeed,
      store.unit(() => store.next('starts')),
    );
    await this.files.start();
    try {
      await this.http.listen();
      this.sftp = await this.startSftp();
    } catch (error) {
      await this.stop();
      throw error;
    }
    this.core.start();
    this.sender.start();
    this.history.start();
    this.phase = 'ready';
    logger.info({ url: this.url, dataDir: config.dataDir }, 'The sandbox is ready');
  }

  async stop(): Promise<void> {
    this.phase = 'stopping';
    this.history.stop();
    await this.http.stop();
    await this.sftp?.stop();
    await this.core.stop();
    await this.sender.stop();
    await this.store.close();
  }
}
