import type { JsonRecord } from '@gondola/shared/json/json-digits';
import type { Effect } from './applied-product.ts';
import type { DueSnapshot, KnownProduct } from './known-product.ts';
import type { OperationReport } from '../outcomes/operation-report.ts';
import type { ProductProgress } from './product-progress.ts';
import type { StoredReport } from '../outcomes/product-report.ts';
import type { LaneWork, Open, PlannedStep } from '../lanes/catalog-family.interface.ts';

/** One product's lane, loaded. */
export interface ProductLane extends LaneWork {
  /** What the database has of the product. */
  readonly stored: KnownProduct;
  /** What is known now, corrections and readings of this step included. */
  readonly known: KnownProduct;
  readonly reports: readonly StoredReport[];
  /** The newest report that is stored, understood or not; null: none. */
  readonly newestReportId: string | null;
  readonly operationReports: readonly OperationReport[];
  /** The shop was asked for the product in this step, on behalf of the record. */
  readonly looked: boolean;
  /** The product as it was read in this step to publish its SKUs; null: it was not. */
  readonly toPublish: SkusToPublish | null;
}

/** What a product's SKUs are by now, and what brought it about that they are published. */
interface SkusToPublish {
  readonly readModel: JsonRecord;
  readonly cause: DueSnapshot;
}

export type OpenProduct = Open<ProductLane>;

export type PlannedProduct = PlannedStep<ProductLane, ProductProgress, Effect>;
