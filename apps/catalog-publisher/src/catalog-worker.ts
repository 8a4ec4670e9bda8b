import type { Commands } from '@gondola/messaging/commands/commands';
import { LaneWorker } from '@gondola/messaging/lanes/lane-worker';
import type { ClaimedLane, Lanes } from '@gondola/messaging/lanes/lanes';
import type { Outbox } from '@gondola/messaging/outbox/outbox';
import type { Database } from '@gondola/service-kit/database/database';
import type { Logger } from '@gondola/service-kit/logging/logger';
import type { TenantConfig } from '@gondola/service-kit/config/tenants-file';
import type { CatalogPlatform } from './application/catalog-platform.ts';
import type { CatalogReport } from './application/catalog-report.ts';
import type { ConsumedRecords } from './application/consumed-records.ts';
import { LoadProducts } from './application/load-products.ts';
import { LoadReferences } from './application/load-references.ts';
import { PlanProducts } from './application/plan-products.ts';
import { PlanReferences } from './application/plan-references.ts';
import { ProductKeeper } from './application/product-keeper.ts';
import type { ProductEnd, ProductLane } from './application/product-work.ts';
import { PublishProducts } from './application/publish-products.ts';
import { PublishReferences } from './application/publish-references.ts';
import { ReadProducts } from './application/read-products.ts';
import { ReferenceKeeper } from './application/reference-keeper.ts';
import type { ReferenceEnd, ReferenceLane } from './application/reference-work.ts';
import { SaveLanes } from './application/save-lanes.ts';
import { SendRecords } from './application/send-records.ts';
import { WakeWaiting } from './application/wake-waiting.ts';
import type { Config } from './config.ts';
import type { CatalogKind, ReferenceKind } from './domain/catalog-kinds.ts';
import type { CatalogStores } from './outbound/catalog-stores.ts';

/** What the workers of all tenants share. */
export interface WorkerParts {
  readonly stores: CatalogStores;
  readonly database: Database;
  readonly lanes: Lanes;
  readonly commands: Commands;
  readonly outbox: Outbox;
  readonly report: CatalogReport;
  readonly consumed: ConsumedRecords;
  readonly logger: Logger;
  readonly now: () => number;
  /** Has all workers of this process look. */
  readonly wake: () => void;
}

/** Records in one POST. */
const BATCH_SIZE = 100;
/** Steps that always find a place, however many calls of the tenant hang. */
const STEPS_WITHOUT_CALLS = 2;
/** The platform's batches may be repeated: they are idempotent (rule 27). */
const MAX_SENDINGS = 3;

/** How often a category looks whether the tree that covers it has settled. */
const LOOKS_PER_SETTLING = 20;
const MIN_HELD_MS = 100;

type WorkerConfig = Pick<Config, 'times' | 'assumed'>;
type Step = (lanes: readonly ClaimedLane[], signal: AbortSignal) => Promise<void>;

/** The workers of one tenant's lanes, one per kind: products do not wait for a place behind brands. */
export function catalogWorkers(
  config: WorkerConfig,
  tenant: TenantConfig,
  platform: CatalogPlatform,
  parts: WorkerParts,
): LaneWorker[] {
  const publishProducts = productStep(config, tenant, platform, parts);
  const publishBrands = referenceStep('brand', config, tenant, platform, parts);
  const publishCategories = referenceStep('category', config, tenant, platform, parts);
  const steps: Readonly<Record<CatalogKind, Step>> = {
    product: (lanes, signal) => publishProducts.step(lanes, signal),
    brand: (lanes, signal) => publishBrands.step(lanes, signal),
    category: (lanes, signal) => publishCategories.step(lanes, signal),
  };
  return Object.entries(steps).map(
    ([kind, step]) =>
      new LaneWorker({
        name: `${kind} lanes of ${tenant.id}`,
        lanes: parts.lanes,
        tenant: tenant.id,
        kind,
        batchSize: BATCH_SIZE,
        concurrency: tenant.platform.concurrency + STEPS_WITHOUT_CALLS,
        leaseMs: config.times.leaseMs,
        step,
        logger: parts.logger,
      }),
  );
}

function productStep(config: WorkerConfig, tenant: TenantConfig, platform: CatalogPlatform, parts: WorkerParts) {
  const common = { ...parts, ...parts.stores.all, ...commonOf(config, tenant), platform };
  const { commandMs } = tenant.deadlines;
  const keeper = new ProductKeeper(common);
  const settings = { deadlineMs: commandMs, lostAnswerMs: config.times.lostAnswerMs, maxSendings: MAX_SENDINGS };
  const plan = new PlanProducts({ ...common, catalog: tenant.catalog, settings });
  return new PublishProducts({
    ...common,
    keeper,
    plan,
    load: new LoadProducts(common),
    read: new ReadProducts({ platform, plan }),
    send: new SendRecords({ ...common, deadlineMs: commandMs }),
    save: new SaveLanes<ProductLane, ProductEnd>({ ...common, kind: 'product', keeper }),
    random: Math.random,
  });
}

function referenceStep(
  kind: ReferenceKind,
  config: WorkerConfig,
  tenant: TenantConfig,
  platform: CatalogPlatform,
  parts: WorkerParts,
) {
  const common = { ...parts, ...parts.stores.all, ...commonOf(config, tenant), platform, kind };
  const { commandMs, settleMs } = tenant.deadlines;
  const keeper = new ReferenceKeeper(common);
  const { lostAnswerMs } = config.times;
  const settings = { deadlineMs: commandMs, settleMs, lostAnswerMs, maxSendings: MAX_SENDINGS };
  const { allowedExtraKeys } = tenant.catalog;
  return new PublishReferences({
    ...common,
    keeper,
    load: new LoadReferences(common),
    plan: new PlanReferences({ ...common, allowedExtraKeys, settings }),
    send: new SendRecords({ ...common, deadlineMs: commandMs }),
    save: new SaveLanes<ReferenceLane, ReferenceEnd>({ ...common, keeper }),
    wakeWaiting: new WakeWaiting(common),
    heldMs: Math.max(settleMs / LOOKS_PER_SETTLING, MIN_HELD_MS),
    random: Math.random,
  });
}

function commonOf({ assumed }: WorkerConfig, { id, language, deadlines }: TenantConfig) {
  const own = assumed.get(id);
  if (own === undefined) throw new Error('A tenant that is not configured');
  return { tenant: id, language, assumed: own, referencesMs: deadlines.referencesMs };
}
