import type { OpenCommand } from '@gondola/messaging/commands';
import type { ClaimedLane } from '@gondola/messaging/lanes';
import type { Correction } from '../domain/corrections.ts';
import type { KnownProduct } from '../domain/known-product.ts';
import type { ConcludePlan, ProductPlan } from '../domain/plan-product.ts';
import type { ProductProgress } from '../domain/product-progress.ts';
import type { StoredReport } from '../domain/product-report.ts';

/** One product's lane, loaded. */
export interface LoadedLane {
  readonly lane: ClaimedLane;
  /** What the database has of the product. */
  readonly stored: KnownProduct;
  /** What is known now, corrections and readings of this step included. */
  readonly known: KnownProduct;
  readonly reports: readonly StoredReport[];
  /** The newest report that is stored, understood or not; null: none. */
  readonly newestReportId: string | null;
  readonly corrections: readonly Correction[];
}

/** A lane with an open record. */
export interface Work extends LoadedLane {
  /** The oldest one. */
  readonly command: OpenCommand;
  /** The shop was asked for the product in this step. */
  readonly looked: boolean;
}

/** What a lane's step comes to, to be saved. */
export type Ended =
  | { readonly kind: 'idle'; readonly loaded: LoadedLane }
  | { readonly kind: 'concluded'; readonly work: Work; readonly plan: ConcludePlan }
  | {
      readonly kind: 'waits';
      readonly work: Work;
      readonly progress: ProductProgress | null;
      readonly ms: number;
      /** The last call cannot have reached the platform's queue. */
      readonly notSent: boolean;
    };

/** A lane whose record is to be posted. */
export interface Outgoing {
  readonly work: Work;
  readonly progress: ProductProgress;
}

/** A lane whose product is to be read. */
export interface Reading {
  readonly work: Work;
  readonly plan: Extract<ProductPlan, { kind: 'read' }>;
}

export type Planned = Ended | ({ readonly kind: 'send' } & Outgoing) | ({ readonly kind: 'read' } & Reading);

export function waits(
  work: Work,
  progress: ProductProgress | null,
  ms: number,
  more: { notSent: boolean } = { notSent: false },
): Ended {
  return { kind: 'waits', work, progress, ms, ...more };
}

export function laneOf(ended: Ended): LoadedLane {
  return ended.kind === 'idle' ? ended.loaded : ended.work;
}
