import type { Database } from '@gondola/service-kit/database/database';
import { OperationsRepository } from './operations.repository.ts';
import { ProductReferencesRepository } from './product-references.repository.ts';
import { ProductReportsRepository } from './product-reports.repository.ts';
import { ProductsRepository } from './products.repository.ts';
import { ReferenceHoldsRepository } from './reference-holds.repository.ts';
import { ReferenceLanesRepository } from './reference-lanes.repository.ts';
import { ReferenceWaitsRepository } from './reference-waits.repository.ts';
import { ReferencesRepository } from './references.repository.ts';
import { SkusRepository } from './skus.repository.ts';

/** The app's own tables. */
export class CatalogStores {
  readonly all;

  constructor(database: Database) {
    this.all = {
      products: new ProductsRepository(),
      reports: new ProductReportsRepository(),
      operations: new OperationsRepository(database),
      references: new ReferencesRepository(),
      referenceLanes: new ReferenceLanesRepository(),
      referenceWaits: new ReferenceWaitsRepository(),
      holds: new ReferenceHoldsRepository(),
      skus: new SkusRepository(),
      productReferences: new ProductReferencesRepository(),
    };
  }
}
