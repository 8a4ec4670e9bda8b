import type { OpenCommand } from '@gondola/messaging/commands/commands';
import type { ClaimedLane } from '@gondola/messaging/lanes/lanes';
import type { FieldReason } from '@gondola/shared/results/reason-codes';
import type { Waiting } from '../domain/awaiting.ts';
import type { CorrectedRecord } from '../domain/catalog-result.ts';
import type { Conclusion } from '../domain/conclusion.ts';

/** A late outcome of a record that had ended. */
interface Corrected {
  readonly record: CorrectedRecord;
  readonly conclusion: Conclusion;
  readonly traceparent: string;
}

/** One lane in a step, of whatever kind. */
export interface LaneWork {
  readonly lane: ClaimedLane;
  /** The oldest open record; null: none is open. */
  readonly command: OpenCommand | null;
  readonly corrected: readonly Corrected[];
}

/** The end of the oldest open record, as it is told. */
export interface RecordEnd {
  readonly conclusion: Conclusion;
  readonly operationIds: readonly string[];
  readonly warnings: readonly FieldReason[];
  /** The platform's report does not add up (rule 26). */
  readonly anomaly: boolean;
}

/** What a lane's step comes to, to be saved. */
export type LaneEnd<W extends LaneWork, E extends RecordEnd> =
  /** No record is open. */
  | { readonly kind: 'idle'; readonly work: W; readonly dueInMs: number | null }
  | { readonly kind: 'concluded'; readonly work: W; readonly end: E }
  /** The record waits for references, and says so. */
  | { readonly kind: 'announces'; readonly work: W; readonly waiting: Waiting }
  | {
      readonly kind: 'waits';
      readonly work: W;
      /** JSON text; null: it stays as it is. */
      readonly progress: string | null;
      readonly ms: number;
      /** The last call cannot have reached the platform's queue. */
      readonly notSent: boolean;
    };

export function waits<W extends LaneWork>(
  work: W,
  progress: string | null,
  ms: number,
  notSent = false,
): Extract<LaneEnd<W, never>, { kind: 'waits' }> {
  return { kind: 'waits', work, progress, ms, notSent };
}
