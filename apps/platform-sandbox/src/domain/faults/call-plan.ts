import type { CallFault } from './fault.ts';

/** What the faults that struck make of one call. */
export interface CallPlan {
  /** Waited before anything else. */
  readonly delayMs: number;
  /** Instead of handling the call. */
  readonly before: CallInterruption | undefined;
  /** After handling it, instead of the answer. */
  readonly after: CallInterruption | undefined;
  /** The answer waits until the outcome is delivered, for this long at most. */
  readonly outcomeFirstMs: number | undefined;
  /** The call's answer if it is synchronous; what the core does with it if it is not. */
  readonly refuseStatus: number | undefined;
  readonly coreSilent: boolean;
}

export type CallInterruption = { readonly kind: 'drop' } | { readonly kind: 'error'; readonly status: number };

const DEFAULT_DELAY_MS = 1_000;
const DEFAULT_OUTCOME_FIRST_MS = 5_000;

/** Of several faults of one kind the first one counts. */
export function callPlan(faults: readonly CallFault[]): CallPlan {
  const first = (kind: CallFault['kind']): CallFault | undefined => faults.find((fault) => fault.kind === kind);
  const delay = first('delay');
  const outcomeFirst = first('outcome-first');
  const refuse = first('refuse');
  return {
    delayMs: delay ? (delay.ms ?? DEFAULT_DELAY_MS) : 0,
    before: interruption(first('drop-before'), first('error-before')),
    after: interruption(first('drop-after'), first('error-after')),
    outcomeFirstMs: outcomeFirst && (outcomeFirst.ms ?? DEFAULT_OUTCOME_FIRST_MS),
    refuseStatus: refuse && (refuse.status ?? 400),
    coreSilent: first('core-silent') !== undefined,
  };
}

function interruption(drop: CallFault | undefined, error: CallFault | undefined): CallInterruption | undefined {
  if (drop) return { kind: 'drop' };
  return error && { kind: 'error', status: error.status ?? 500 };
}
