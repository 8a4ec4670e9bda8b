import type { OpenCommand } from '@gondola/messaging/commands/commands';
import type { Waiting } from '../domain/awaiting.ts';
import type { OperationReport } from '../domain/operation-report.ts';
import type { ReferenceCorrection } from '../domain/reference-corrections.ts';
import type { ReferenceProgress } from '../domain/reference-progress.ts';
import type { ReferenceLaneState } from '../domain/reference-lane-state.ts';
import type { ReferenceEffect, StoredReference } from '../domain/stored-reference.ts';
import type { Outgoing } from './attempt-records.ts';
import type { LaneWork, RecordEnd, RecordStep } from './record-step.ts';

/** One brand's or category's lane, loaded. */
export interface ReferenceLane extends LaneWork {
  readonly state: ReferenceLaneState;
  readonly corrections: readonly ReferenceCorrection[];
  readonly reports: readonly OperationReport[];
  /** What the oldest open record was told to wait for. */
  readonly waiting: Waiting | null;
  /** The brand, or the categories that the record mentions, as they are known; empty where its record is on its way. */
  readonly known: ReadonlyMap<string, StoredReference>;
}

export type ReferenceWork = ReferenceLane & { readonly command: OpenCommand };

/** The end of a brand's or category's record. */
export interface ReferenceEnd extends RecordEnd {
  readonly effect: ReferenceEffect;
  readonly sourceVersion: string | null;
  readonly progress: ReferenceProgress | null;
}

export type EndedReference = RecordStep<ReferenceLane, ReferenceEnd>;

export type OutgoingReference = Outgoing<ReferenceLane, ReferenceProgress>;

export type PlannedLane = EndedReference | ({ readonly kind: 'send' } & OutgoingReference);
