import type { OpenCommand } from '@gondola/messaging/commands/commands';
import type { JsonRecord } from '@gondola/shared/json/json-digits';
import type { Waiting } from '../domain/awaiting.ts';
import type { Effect } from '../domain/effect.ts';
import type { DueSnapshot, KnownProduct } from '../domain/known-product.ts';
import type { OperationReport } from '../domain/operation-report.ts';
import type { ProductProgress } from '../domain/product-progress.ts';
import type { StoredReport } from '../domain/product-report.ts';
import type { Outgoing } from './attempt-records.ts';
import type { LaneWork, RecordEnd, RecordStep } from './record-step.ts';

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
  /** What the oldest open record was told to wait for. */
  readonly waiting: Waiting | null;
  /** The shop was asked for the product in this step, on behalf of the record. */
  readonly looked: boolean;
  /** The product as it was read in this step to tell its SKUs; null: it was not. */
  readonly toTell: SkusToTell | null;
}

/** What a product's SKUs are by now, and what brought it about that they are told. */
interface SkusToTell {
  readonly readModel: JsonRecord;
  readonly cause: DueSnapshot;
}

/** A lane with an open record. */
export type Work = ProductLane & { readonly command: OpenCommand };

/** The end of a product's record. */
export interface ProductEnd extends RecordEnd {
  readonly effect: Effect;
  readonly sourceVersion: string | null;
  readonly progress: ProductProgress | null;
}

export type Ended = RecordStep<ProductLane, ProductEnd>;

export type OutgoingProduct = Outgoing<ProductLane, ProductProgress>;

/** A lane whose product is to be read on behalf of its record. */
export interface Reading {
  readonly work: Work;
  readonly progress: ProductProgress | null;
  readonly final: boolean;
}

export type Planned = Ended | ({ readonly kind: 'send' } & OutgoingProduct) | ({ readonly kind: 'read' } & Reading);
