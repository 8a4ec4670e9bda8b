import type { OpenCommand } from '@gondola/messaging/commands/commands';
import type { LateOutcome } from '@gondola/messaging/commands/step-outcome';
import type { ConsumedRecords } from '@gondola/messaging/consume/consumed-records';
import type { ClaimedLane } from '@gondola/messaging/lanes/lanes';
import type { FieldReason } from '@gondola/shared/results/reason-codes';
import type { Waiting } from '../domain/awaiting.ts';
import type { RecordConclusion } from '../domain/conclusion.ts';

/** How far the app's topics are taken in (rule 5). */
export type Consumed = Pick<ConsumedRecords, 'upTo' | 'ask'>;

/** One lane in a step, of whatever kind. */
export interface LaneWork {
  readonly lane: ClaimedLane;
  /** The oldest open record; null: none is open. */
  readonly command: OpenCommand | null;
  /** Late outcomes of records that had ended. */
  readonly corrected: readonly LateOutcome[];
}

/** A record that ends, in the words of its result. */
export interface RecordEnd {
  readonly conclusion: RecordConclusion;
  readonly operationIds: readonly string[];
  readonly warnings: readonly FieldReason[];
  /** The platform's report does not add up (rule 26). */
  readonly anomaly: boolean;
}

/** What a lane's step comes to, to be saved. */
export type RecordStep<W extends LaneWork, E extends RecordEnd> =
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
      /** The last attempt cannot have reached the platform's queue. */
      readonly takenBack: boolean;
    };

export function waits<W extends LaneWork>(
  work: W,
  progress: string | null,
  ms: number,
  takenBack = false,
): Extract<RecordStep<W, never>, { kind: 'waits' }> {
  return { kind: 'waits', work, progress, ms, takenBack };
}

/**
 * After a call what it gave is stored, and until when the record waits; whatever else follows from it is another
 * step's: a step saves or calls, never both.
 */
export function afterCall<W extends LaneWork>(
  planned: { readonly kind: string; readonly work: W } | Extract<RecordStep<W, never>, { kind: 'waits' }>,
): Extract<RecordStep<W, never>, { kind: 'waits' }> {
  if (planned.kind === 'waits' && 'progress' in planned && 'ms' in planned) return planned;
  const { work } = planned;
  return waits(work, work.command?.progress ?? null, 0);
}
