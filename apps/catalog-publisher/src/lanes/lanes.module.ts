import { LaneWorkers } from '@gondola/messaging/lanes/lane-workers';
import { Database } from '@gondola/service-kit/database/database';
import { Module, type OnModuleInit } from '@nestjs/common';
import { OutcomesModule } from '../outcomes/outcomes.module.ts';
import { ProductFlow } from '../products/product-flow.service.ts';
import { ProductsModule } from '../products/products.module.ts';
import { BrandFlow, CategoryFlow } from '../references/reference-flow.service.ts';
import { ReferencesModule } from '../references/references.module.ts';
import { PriceFlow, StockFlow, WarehouseFlow } from '../values/value-flow.service.ts';
import { ValuesModule } from '../values/values.module.ts';
import { WaitingModule } from '../waiting/waiting.module.ts';
import type { CatalogFlow, CatalogLane } from './catalog-flow.ts';
import { CatalogTenants } from './catalog-tenants.service.ts';
import { PublishRecords } from './publish-records.service.ts';
import { SaveRecords } from './save-records.service.ts';
import { SendRecords } from './send-records.service.ts';

/** Most lanes in one step. */
const BATCH_SIZE = 100;

/** The lanes of all kinds: each flow decides by itself, and `PublishRecords` does the rest. */
@Module({
  imports: [OutcomesModule, WaitingModule, ReferencesModule, ProductsModule, ValuesModule],
  providers: [CatalogTenants, SendRecords, SaveRecords, PublishRecords],
  exports: [CatalogTenants],
})
export class LanesModule implements OnModuleInit {
  constructor(
    private readonly workers: LaneWorkers,
    private readonly publish: PublishRecords,
    private readonly database: Database,
    private readonly product: ProductFlow,
    private readonly brand: BrandFlow,
    private readonly category: CategoryFlow,
    private readonly price: PriceFlow,
    private readonly warehouse: WarehouseFlow,
    private readonly stock: StockFlow,
  ) {}

  /** One worker per kind, so that products do not wait behind brands. */
  onModuleInit(): void {
    for (const values of [this.price, this.stock, this.warehouse]) this.#work(values);
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
