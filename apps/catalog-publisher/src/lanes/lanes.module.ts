import { LaneWorkers } from '@gondola/messaging/lanes/lane-workers';
import { Database } from '@gondola/service-kit/database/database';
import { Module, type OnModuleInit } from '@nestjs/common';
import { OutcomesModule } from '../outcomes/outcomes.module.ts';
import { ProductFamily } from '../products/product-family.service.ts';
import { ProductsModule } from '../products/products.module.ts';
import type { CatalogKind } from '../records/catalog-kinds.ts';
import { BrandFamily, CategoryFamily } from '../references/reference-family.service.ts';
import { ReferencesModule } from '../references/references.module.ts';
import { PriceFamily, StockFamily, WarehouseFamily } from '../values/value-family.service.ts';
import { ValuesModule } from '../values/values.module.ts';
import { WaitingModule } from '../waiting/waiting.module.ts';
import { AttemptRecords } from './attempt-records.service.ts';
import type { AnyFamily } from './catalog-family.service.ts';
import { CatalogTenants } from './catalog-tenants.service.ts';
import { PublishRecords } from './publish-records.service.ts';
import { SaveRecords } from './save-records.service.ts';

/** Most records in one POST. */
const BATCH_SIZE = 100;

/** The lanes of all families: each decides by itself, and `PublishRecords` does the rest. */
@Module({
  imports: [OutcomesModule, WaitingModule, ReferencesModule, ProductsModule, ValuesModule],
  providers: [CatalogTenants, AttemptRecords, SaveRecords, PublishRecords],
  exports: [CatalogTenants],
})
export class LanesModule implements OnModuleInit {
  readonly #families: Readonly<Record<CatalogKind, AnyFamily>>;

  constructor(
    private readonly workers: LaneWorkers,
    private readonly publish: PublishRecords,
    private readonly database: Database,
    product: ProductFamily,
    brand: BrandFamily,
    category: CategoryFamily,
    price: PriceFamily,
    warehouse: WarehouseFamily,
    stock: StockFamily,
  ) {
    this.#families = { price, stock, warehouse, product, brand, category };
  }

  /** One worker per kind, so that products do not wait behind brands. */
  onModuleInit(): void {
    for (const family of Object.values(this.#families)) {
      this.workers.add({
        kind: family.kind,
        batchSize: BATCH_SIZE,
        step: (lanes, signal) => this.publish.step(family, lanes, signal),
        ...(family.isUrgent && { runBy: (work) => this.database.urgently(work) }),
      });
    }
  }
}
