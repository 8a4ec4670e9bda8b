import type { Commands } from '@gondola/messaging/commands';
import { LaneWorker } from '@gondola/messaging/lane-worker';
import type { Lanes } from '@gondola/messaging/lanes';
import type { Outbox } from '@gondola/messaging/outbox';
import type { Database } from '@gondola/service-kit/database';
import type { Logger } from '@gondola/service-kit/logger';
import type { TenantConfig } from '@gondola/service-kit/tenants-file';
import type { CatalogPlatform } from './application/catalog-platform.ts';
import type { CatalogReport } from './application/catalog-report.ts';
import type { ConsumedRecords } from './application/consumed-records.ts';
import { LoadProducts } from './application/load-products.ts';
import { PublishProducts } from './application/publish-products.ts';
import { SaveProducts } from './application/save-products.ts';
import { SendProducts } from './application/send-products.ts';
import type { Config } from './config.ts';
import type { ProductReportsRepository } from './outbound/product-reports.repository.ts';
import type { ProductsRepository } from './outbound/products.repository.ts';

/** What the workers of all tenants share. */
export interface WorkerParts {
  readonly database: Database;
  readonly lanes: Lanes;
  readonly commands: Commands;
  readonly outbox: Outbox;
  readonly products: ProductsRepository;
  readonly reports: ProductReportsRepository;
  readonly report: CatalogReport;
  readonly consumed: ConsumedRecords;
  readonly logger: Logger;
  readonly now: () => number;
}

/** Products in one POST. */
const BATCH_SIZE = 100;
/** Steps that always find a place, however many calls of the tenant hang. */
const STEPS_WITHOUT_CALLS = 2;
/** The platform's batch may be repeated: it is idempotent (rule 27). */
const MAX_SENDINGS = 3;

/** The worker of one tenant's product lanes. */
export function productWorker(
  { times }: Pick<Config, 'times'>,
  tenant: TenantConfig,
  platform: CatalogPlatform,
  parts: WorkerParts,
): LaneWorker {
  const { id, language, catalog, deadlines } = tenant;
  const common = { ...parts, tenant: id, language, platform };
  const publish = new PublishProducts({
    ...common,
    catalog,
    load: new LoadProducts(common),
    send: new SendProducts({ ...common, deadlineMs: deadlines.commandMs }),
    save: new SaveProducts(common),
    settings: { deadlineMs: deadlines.commandMs, lostAnswerMs: times.lostAnswerMs, maxSendings: MAX_SENDINGS },
    random: Math.random,
  });
  return new LaneWorker({
    name: `products of ${id}`,
    lanes: parts.lanes,
    tenant: id,
    kind: 'product',
    batchSize: BATCH_SIZE,
    concurrency: tenant.platform.concurrency + STEPS_WITHOUT_CALLS,
    leaseMs: times.leaseMs,
    step: (claimed, signal) => publish.step(claimed, signal),
    logger: parts.logger,
  });
}
