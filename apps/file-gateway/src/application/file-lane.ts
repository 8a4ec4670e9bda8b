import type { OpenCommand } from '@gondola/messaging/commands/commands';
import type { ClaimedLane } from '@gondola/messaging/lanes/lanes';
import type { AwaitedReference } from '@gondola/shared/results/result';
import type { AppliedImages } from '../domain/applied-images.ts';
import type { Conclusion } from '../domain/conclusion.ts';

/** A lane's oldest open command. */
export interface LaneWork {
  readonly lane: ClaimedLane;
  readonly command: OpenCommand;
}

/** What is kept of a command between two steps, whatever its kind. */
interface KeptProgress {
  /** JSON text; null where there is nothing to keep yet. */
  readonly text: string | null;
  readonly operationIds: readonly string[];
}

/** Where a lane's step ends: what is saved, and when it is due again. */
export type StepEnd =
  | {
      readonly kind: 'wait';
      readonly progress: KeptProgress;
      readonly ms: number;
      /** The last call cannot have reached the platform's queue. */
      readonly notSent?: boolean;
      /** What it begins to wait for, to be told now. */
      readonly awaits?: readonly AwaitedReference[];
    }
  | {
      readonly kind: 'concluded';
      readonly conclusion: Conclusion;
      /** Sendings of what changes something. */
      readonly attempts: number;
      readonly operationIds: readonly string[];
      /** Uploads that the command held. */
      readonly held: readonly string[];
      /** What is known of the SKU's images now, where that is new. */
      readonly images?: { readonly skuExternalReference: string; readonly applied: AppliedImages };
      /** What is known of the order's invoice file now, where that is new; null: its content is not known any more. */
      readonly invoice?: { readonly orderId: string; readonly sha256: string | null };
    };

/** How far the app's topics are taken in (rule 5). */
export interface ConsumedRecords {
  /** All that stood in them then is stored, in milliseconds since 1970; null while that is not known. */
  upTo(): number | null;
  /** Finds it out anew, in the background. */
  ask(): void;
}

/** How soon a lane looks again that asked. */
export const CATCH_UP_MS = 200;

/** An end before anything was held or sent, or of a command that only reads. */
export function concludedUnsent(conclusion: Conclusion): StepEnd {
  return { kind: 'concluded', conclusion, attempts: 0, operationIds: [], held: [] };
}

/** The lane was lost on the way: whoever has it now goes on, and nothing is saved here. */
export const LOST_LANE: StepEnd = { kind: 'wait', progress: { text: null, operationIds: [] }, ms: 0 };
