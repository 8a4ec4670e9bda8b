import type { OperationReport } from '../outcomes/operation-report.ts';
import type { ReferenceCorrection } from './reference-corrections.ts';
import type { ReferenceLaneState } from './reference-lane-state.ts';
import type { ReferenceEffect, ReferenceProgress, StoredReference } from './stored-reference.ts';
import type { LaneWork, Open, PlannedStep } from '../lanes/catalog-family.interface.ts';

/** One brand's or category's lane, loaded. */
export interface ReferenceLane extends LaneWork {
  readonly state: ReferenceLaneState;
  readonly corrections: readonly ReferenceCorrection[];
  readonly reports: readonly OperationReport[];
  /** The brand, or the categories that the record mentions, as they are known; empty where its record is on its way. */
  readonly known: ReadonlyMap<string, StoredReference>;
}

export type OpenReference = Open<ReferenceLane>;

export type PlannedLane = PlannedStep<ReferenceLane, ReferenceProgress, ReferenceEffect>;
