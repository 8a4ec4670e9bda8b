import type { Attempts } from '@gondola/messaging/commands/attempts';
import type { Commands } from '@gondola/messaging/commands/commands';
import type { StepSaver } from '@gondola/messaging/commands/step-saver';
import type { LaneSteps } from '@gondola/messaging/lanes/lane-workers';
import type { ClaimedLane, Lanes } from '@gondola/messaging/lanes/lanes';
import type { Database } from '@gondola/service-kit/database/database';
import type { Logger } from '@gondola/service-kit/logging/logger';
import { MAX_ATTEMPTS } from '@gondola/shared/commands/retry';
import type { TenantConfig } from '@gondola/service-kit/config/tenants-file';
import type { CatalogPlatform } from './application/catalog-platform.ts';
import type { CatalogReport } from './application/catalog-report.ts';
import type { Consumed } from './application/record-step.ts';
import { LoadProducts } from './application/load-products.ts';
import { LoadReferences } from './application/load-references.ts';
import { PlanProducts } from './application/plan-products.ts';
import { PlanReferences } from './application/plan-references.ts';
import { SaveProducts } from './application/save-products.ts';
import type { ProductEnd, ProductLane } from './application/product-work.ts';
import { PublishProducts } from './application/publish-products.ts';
import { PublishReferences } from './application/publish-references.ts';
import { ReadProducts } from './application/read-products.ts';
import { SaveReferences } from './application/save-references.ts';
import type { ReferenceEnd, ReferenceLane } from './application/reference-work.ts';
import { SaveLanes } from './application/save-lanes.ts';
import { AttemptRecords } from './application/attempt-records.ts';
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
  readonly attempts: Attempts;
  readonly save: StepSaver;
  readonly report: CatalogReport;
  readonly consumed: Consumed;
  readonly logger: Logger;
  readonly now: () => number;
  /** Has all workers of this process look. */
  readonly wake: () => void;
}

/** Records in one POST. */
export const BATCH_SIZE = 100;

/** How often a category looks whether the tree that covers it has settled. */
const LOOKS_PER_SETTLING = 20;
const MIN_HELD_MS = 100;

type WorkerConfig = Pick<Config, 'times' | 'assumed'>;
type Step = (lanes: readonly ClaimedLane[], signal: AbortSignal) => Promise<void>;

/** The steps of one tenant's lanes, one worker per kind: products do not wait for a place behind brands. */
export function catalogSteps(
  config: WorkerConfig,
  tenant: TenantConfig,
  platform: CatalogPlatform,
  parts: WorkerParts,
): LaneSteps[] {
  const publishProducts = productStep(config, tenant, platform, parts);
  const publishBrands = referenceStep('brand', config, tenant, platform, parts);
  const publishCategories = referenceStep('category', config, tenant, platform, parts);
  const steps: Readonly<Record<CatalogKind, Step>> = {
    product: (lanes, signal) => publishProducts.step(lanes, signal),
    brand: (lanes, signal) => publishBrands.step(lanes, signal),
    category: (lanes, signal) => publishCategories.step(lanes, signal),
  };
  return Object.entries(steps).map(([kind, step]) => ({ kind, batchSize: BATCH_SIZE, step }));
}

function productStep(config: WorkerConfig, tenant: TenantConfig, platform: CatalogPlatform, parts: WorkerParts) {
  const common = { ...parts, ...parts.stores.all, ...commonOf(config, tenant), platform };
  const { commandMs } = tenant.deadlines;
  const entities = new SaveProducts(common);
  const settings = { deadlineMs: commandMs, lostAnswerMs: config.times.lostAnswerMs, maxSendings: MAX_ATTEMPTS };
  const plan = new PlanProducts({ ...common, catalog: tenant.catalog, settings });
  return new PublishProducts({
    ...common,
    entities,
    plan,
    load: new LoadProducts(common),
    read: new ReadProducts({ platform, plan }),
    send: new AttemptRecords({ ...common, deadlineMs: commandMs }),
    save: new SaveLanes<ProductLane, ProductEnd>({
      ...common,
      kind: 'product',
      entities,
    }),
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
  const entities = new SaveReferences(common);
  const { lostAnswerMs } = config.times;
  const settings = { deadlineMs: commandMs, settleMs, lostAnswerMs, maxSendings: MAX_ATTEMPTS };
  const { allowedExtraKeys } = tenant.catalog;
  return new PublishReferences({
    ...common,
    entities,
    load: new LoadReferences(common),
    plan: new PlanReferences({ ...common, allowedExtraKeys, settings }),
    send: new AttemptRecords({ ...common, deadlineMs: commandMs }),
    save: new SaveLanes<ReferenceLane, ReferenceEnd>({ ...common, entities }),
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
