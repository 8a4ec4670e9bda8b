import { CatalogMetrics } from './lanes/catalog.metrics.ts';
import { PlatformOperationsSweep } from './notifications/platform-operations-sweep.service.ts';
import { PlatformOperationsRepository } from './notifications/platform-operations.repository.ts';
import { PlatformNotificationsConsumer } from './notifications/platform-notifications.consumer.ts';
import { ProductReportsRepository } from './notifications/product-reports.repository.ts';
import { RejectionsRepository } from './lanes/rejections.repository.ts';
import { ProductReferencesRepository } from './product-state/product-references.repository.ts';
import { ProductsRepository } from './product-state/products.repository.ts';
import { SkusRepository } from './product-state/skus.repository.ts';
import { LoadProducts } from './products/load-products.service.ts';
import { ProductFlow } from './products/product-flow.service.ts';
import { SaveProducts } from './products/save-products.service.ts';
import { LoadReferences } from './references/load-references.service.ts';
import { BrandFlow, CategoryFlow } from './references/reference-flow.service.ts';
import { ReferenceLanesRepository } from './references/reference-lanes.repository.ts';
import { OpenOthers } from './references/open-others.service.ts';
import { ReferencesRepository } from './references/references.repository.ts';
import { SaveReferences } from './references/save-references.service.ts';
import { ReadPace } from './comparison/read-pace.service.ts';
import { CompareCatalog } from './shadow/compare-catalog.service.ts';
import { LoadValues } from './values/load-values.service.ts';
import { RenamedLanes } from './values/renamed-lanes.service.ts';
import { ValueFlows } from './values/value-flow.service.ts';
import { ValueLanesRepository } from './values/value-lanes.repository.ts';
import { ReferenceWaitsRepository } from './waiting/reference-waits.repository.ts';
import { WakeWaiting, WakeSweep } from './waiting/wake-waiting.service.ts';
import { CatalogTenants } from './lanes/catalog-tenants.service.ts';
import { LaneHeads } from './lanes/lane-heads.service.ts';
import { PublishRecords } from './lanes/publish-records.service.ts';
import { SaveRecords } from './lanes/save-records.service.ts';
import { SendRecords } from './lanes/send-records.service.ts';
import { LaneWorkers } from '@gondola/lanes/lanes/lane-workers';
import { Database } from '@gondola/service-kit/database/database';
import { Starts } from '@gondola/service-kit/run/startable';
import { Module, type OnModuleInit } from '@nestjs/common';
import type { CatalogFlow, CatalogLane } from './lanes/catalog-flow.ts';

/** Stored state of the catalog: reports, products, SKUs, brands and categories, values, and waits. */
const STORED = [
  PlatformOperationsRepository,
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
@Starts(PlatformOperationsSweep, WakeSweep)
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
    PlatformOperationsSweep,
    ReadPace,
    CompareCatalog,
  ],
  exports: [...STORED, CatalogTenants, ReadPace],
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
