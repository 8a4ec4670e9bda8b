import type { Conclusion } from '@gondola/shared/results/conclusion';
import type { AwaitedReference } from '@gondola/shared/results/result';

import type { ClaimedLane } from '../lanes/lanes.ts';
import type { AttemptChange, OpenCommand } from './commands.ts';

/** Outcome of a step for one open command. */
export type StepOutcome =
  | {
      readonly kind: 'wait';
      /** JSON text; null: it stays as it is. */
      readonly progress: string | null;
      readonly attempt?: AttemptChange;
      /**
       * The result that says what it begins to wait for, published now; `count`: its number among such results, from 1.
       */
      readonly awaits?: { readonly for: readonly AwaitedReference[]; readonly count: number };
    }
  | {
      readonly kind: 'concluded';
      readonly conclusion: Conclusion;
      readonly operationIds: readonly string[];
      /** Attempts at what changes something, for the result; those that the command's row counts where absent. */
      readonly attempts?: number;
    };

/** A late outcome of a command that had ended, `unconfirmed` or presumed (guarantee 3). */
export interface LateOutcome {
  readonly commandId: string;
  readonly command: string;
  readonly receivedAt: string;
  readonly attempts: number;
  readonly operationIds: readonly string[];
  readonly traceparent: string;
  /** `id` of the result that no longer holds. */
  readonly resultId: string;
  readonly conclusion: Conclusion;
}

/** Outcome of a step for one lane, to be saved. */
export interface LaneStep {
  readonly lane: ClaimedLane;
  readonly commands: readonly { readonly command: OpenCommand; readonly outcome: StepOutcome }[];
  readonly corrections?: readonly LateOutcome[];
  /** When the lane is due again; null: not before it is woken. */
  readonly dueInMs: number | null;
}
