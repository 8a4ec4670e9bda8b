import { LaneWorkers } from '@gondola/messaging/lanes/lane-workers';
import { Module, type OnModuleInit } from '@nestjs/common';
import { AttemptRecords } from './application/attempt-records.service.ts';
import type { AnyFamily } from './application/catalog-family.interface.ts';
import { CatalogTenants } from './application/catalog-tenants.service.ts';
import { CatalogMetrics } from './application/catalog.metrics.ts';
import { PlanProducts } from './application/plan-products.service.ts';
import { PlanReferences } from './application/plan-references.service.ts';
import { ProductFamily } from './application/product.family.ts';
import { PublishRecords } from './application/publish-records.step.ts';
import { ReadProducts } from './application/read-products.service.ts';
import { BrandFamily, CategoryFamily } from './application/reference.family.ts';
import { SaveProducts } from './application/save-products.service.ts';
import { SaveRecords } from './application/save-records.service.ts';
import { SaveReferences } from './application/save-references.service.ts';
import { WakeWaiting } from './application/wake-waiting.service.ts';
import type { CatalogKind } from './domain/catalog-kinds.ts';
import { OperationsRepository } from './outbound/operations.repository.ts';
import { ProductReferencesRepository } from './outbound/product-references.repository.ts';
import { ProductReportsRepository } from './outbound/product-reports.repository.ts';
import { ProductsRepository } from './outbound/products.repository.ts';
import { ReferenceHoldsRepository } from './outbound/reference-holds.repository.ts';
import { ReferenceLanesRepository } from './outbound/reference-lanes.repository.ts';
import { ReferenceWaitsRepository } from './outbound/reference-waits.repository.ts';
import { ReferencesRepository } from './outbound/references.repository.ts';
import { SkusRepository } from './outbound/skus.repository.ts';

const REPOSITORIES = [
  ProductsRepository,
  ProductReportsRepository,
  OperationsRepository,
  ReferencesRepository,
  ReferenceLanesRepository,
  ReferenceWaitsRepository,
  ReferenceHoldsRepository,
  SkusRepository,
  ProductReferencesRepository,
];

/** Records in one POST. */
const BATCH_SIZE = 100;

/** Works on the lanes of all families: what is decided is each one's own, the rest is `PublishRecords`. */
@Module({
  providers: [
    ...REPOSITORIES,
    PlanProducts,
    ReadProducts,
    SaveProducts,
    ProductFamily,
    PlanReferences,
    SaveReferences,
    BrandFamily,
    CategoryFamily,
    CatalogTenants,
    CatalogMetrics,
    AttemptRecords,
    SaveRecords,
    WakeWaiting,
    PublishRecords,
  ],
  exports: REPOSITORIES,
})
export class LanesModule implements OnModuleInit {
  readonly #families: Readonly<Record<CatalogKind, AnyFamily>>;

  constructor(
    private readonly workers: LaneWorkers,
    private readonly publish: PublishRecords,
    product: ProductFamily,
    brand: BrandFamily,
    category: CategoryFamily,
  ) {
    this.#families = { product, brand, category };
  }

  /** A worker for each kind: products do not wait for a place behind brands. */
  onModuleInit(): void {
    for (const family of Object.values(this.#families)) {
      this.workers.add({
        kind: family.kind,
        batchSize: BATCH_SIZE,
        step: (lanes, signal) => this.publish.step(family, lanes, signal),
      });
    }
  }
}
