import type { Conclusion } from '@gondola/shared/results/conclusion';
import type { AwaitedReference, ResultEntity } from '@gondola/shared/results/result';

import type { ClaimedLane } from '../lanes/lanes.ts';
import type { AttemptChange, OpenCommand } from './commands.ts';

/** Outcome of a step for one open command. */
export type StepOutcome =
  | {
      readonly kind: 'wait';
      /** Progress as JSON text; null leaves it unchanged. */
      readonly progress: string | null;
      readonly attempt?: AttemptChange;
      /**
       * The references for which the command begins to wait; a `waiting` result about them is published now.
       * `count` is the number of this result among the command's `waiting` results, from 1.
       */
      readonly awaits?: { readonly for: readonly AwaitedReference[]; readonly count: number };
    }
  | {
      readonly kind: 'concluded';
      readonly conclusion: Conclusion;
      readonly operationIds: readonly string[];
      /** Number of attempts for the result; by default the number in the command's row. */
      readonly attempts?: number;
    };

/** A late outcome of a command that ended as `unconfirmed` or on presumption (guarantee 3). */
export interface LateOutcome {
  readonly commandId: string;
  readonly command: string;
  readonly receivedAt: string;
  readonly attempts: number;
  readonly operationIds: readonly string[];
  readonly traceparent: string;
  /** `id` of the result that the late outcome replaces. */
  readonly resultId: string;
  /** Entity of that result, if the lane alone does not say it. */
  readonly entity?: ResultEntity;
  readonly conclusion: Conclusion;
}

/** Result of a lane's step, ready to save. */
export interface LaneStep {
  readonly lane: ClaimedLane;
  readonly commands: readonly { readonly command: OpenCommand; readonly outcome: StepOutcome }[];
  readonly corrections?: readonly LateOutcome[];
  /** Milliseconds until the lane is due again; null: not before it is woken. */
  readonly dueInMs: number | null;
}
