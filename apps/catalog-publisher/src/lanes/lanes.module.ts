import { CatalogMetrics } from '../outcomes/catalog.metrics.ts';
import { OperationsSweep } from '../outcomes/operations-sweep.service.ts';
import { OperationsRepository } from '../outcomes/operations.repository.ts';
import { PlatformNotificationsConsumer } from '../outcomes/platform-notifications.consumer.ts';
import { ProductReportsRepository } from '../outcomes/product-reports.repository.ts';
import { RejectionsRepository } from '../outcomes/rejections.repository.ts';
import { ProductReferencesRepository } from '../product-state/product-references.repository.ts';
import { ProductsRepository } from '../product-state/products.repository.ts';
import { SkusRepository } from '../product-state/skus.repository.ts';
import { LoadProducts } from '../products/load-products.service.ts';
import { ProductFlow } from '../products/product-flow.service.ts';
import { SaveProducts } from '../products/save-products.service.ts';
import { LoadReferences } from '../references/load-references.service.ts';
import { BrandFlow, CategoryFlow } from '../references/reference-flow.service.ts';
import { ReferenceLanesRepository } from '../references/reference-lanes.repository.ts';
import { OpenOthers } from '../references/open-others.service.ts';
import { ReferencesRepository } from '../references/references.repository.ts';
import { SaveReferences } from '../references/save-references.service.ts';
import { LoadValues } from '../values/load-values.service.ts';
import { RenamedLanes } from '../values/renamed-lanes.service.ts';
import { ValueFlows } from '../values/value-flow.service.ts';
import { ValueLanesRepository } from '../values/value-lanes.repository.ts';
import { ReferenceWaitsRepository } from '../waiting/reference-waits.repository.ts';
import { WakeWaiting, WakeSweep } from '../waiting/wake-waiting.service.ts';
import { CatalogTenants } from './catalog-tenants.service.ts';
import { LaneHeads } from './lane-heads.service.ts';
import { PublishRecords } from './publish-records.service.ts';
import { SaveRecords } from './save-records.service.ts';
import { SendRecords } from './send-records.service.ts';
import { LaneWorkers } from '@gondola/lanes/lanes/lane-workers';
import { Database } from '@gondola/service-kit/database/database';
import { Starts } from '@gondola/service-kit/run/startable';
import { Module, type OnModuleInit } from '@nestjs/common';
import type { CatalogFlow, CatalogLane } from './catalog-flow.ts';

/** Stored state of the catalog: reports, products, SKUs, brands and categories, values, and waits. */
const STORED = [
  OperationsRepository,
  ProductReportsRepository,
  RejectionsRepository,
  ProductsRepository,
  ProductReferencesRepository,
  SkusRepository,
  ReferencesRepository,
  ReferenceLanesRepository,
  ValueLanesRepository,
  ReferenceWaitsRepository,
];
/** Ways of working for the kinds of records. */
const FLOWS = [
  LaneHeads,
  LoadProducts,
  SaveProducts,
  ProductFlow,
  LoadReferences,
  SaveReferences,
  OpenOthers,
  BrandFlow,
  CategoryFlow,
  RenamedLanes,
  LoadValues,
  ValueFlows,
];

/** Most lanes in one step. */
const BATCH_SIZE = 100;

/**
 * The lanes of all kinds: each flow decides by itself, and `PublishRecords` does the rest. Notifications of the
 * platform are stored as reports and wake the lanes that they are about.
 */
@Starts(OperationsSweep, WakeSweep)
@Module({
  controllers: [PlatformNotificationsConsumer],
  providers: [
    ...STORED,
    ...FLOWS,
    CatalogTenants,
    CatalogMetrics,
    SendRecords,
    SaveRecords,
    PublishRecords,
    WakeWaiting,
    WakeSweep,
    OperationsSweep,
  ],
  exports: [...STORED, CatalogTenants],
})
export class LanesModule implements OnModuleInit {
  constructor(
    private readonly workers: LaneWorkers,
    private readonly publish: PublishRecords,
    private readonly database: Database,
    private readonly product: ProductFlow,
    private readonly brand: BrandFlow,
    private readonly category: CategoryFlow,
    private readonly values: ValueFlows,
  ) {}

  /** One worker per kind, so that products do not wait behind brands. */
  onModuleInit(): void {
    for (const values of this.values.all) this.#work(values);
    this.#work(this.product);
    for (const references of [this.brand, this.category]) this.#work(references);
  }

  #work<S extends CatalogLane>(flow: CatalogFlow<S>): void {
    this.workers.add({
      kind: flow.kind,
      batchSize: BATCH_SIZE,
      step: (lanes, signal) => this.publish.step(flow, lanes, signal),
      ...(flow.isUrgent && { runBy: (work) => this.database.urgently(work) }),
    });
  }
}
