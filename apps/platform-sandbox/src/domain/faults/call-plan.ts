import { PAYLOAD_FAULT, type CallFault, type PayloadFault } from './fault.ts';

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
  /** Unknown fields and codes are added to the answer. */
  readonly extraFields: boolean;
}

export type CallInterruption =
  | { readonly kind: 'drop' }
  | { readonly kind: 'error'; readonly status: number }
  | { readonly kind: 'credentials-expired'; readonly status: number }
  | { readonly kind: 'too-many-requests'; readonly retryAfter: number };

const DEFAULT_DELAY_MS = 1_000;
const DEFAULT_OUTCOME_FIRST_MS = 5_000;
const DEFAULT_RETRY_AFTER_SECONDS = 1;

/** Of several faults of one kind the first one counts. */
export function callPlan(faults: readonly (CallFault | PayloadFault)[]): CallPlan {
  const calls = faults.filter((fault) => fault.kind !== PAYLOAD_FAULT);
  const first = (kind: CallFault['kind']): CallFault | undefined => calls.find((fault) => fault.kind === kind);
  const delay = first('delay');
  const outcomeFirst = first('outcome-first');
  const refuse = first('refuse');
  return {
    delayMs: delay ? (delay.ms ?? DEFAULT_DELAY_MS) : 0,
    before:
      gate(first('credentials-expired'), first('too-many-requests')) ??
      interruption(first('drop-before'), first('error-before')),
    after: interruption(first('drop-after'), first('error-after')),
    outcomeFirstMs: outcomeFirst && (outcomeFirst.ms ?? DEFAULT_OUTCOME_FIRST_MS),
    refuseStatus: refuse && (refuse.status ?? 400),
    coreSilent: first('core-silent') !== undefined,
    extraFields: calls.length < faults.length,
  };
}

/** What a gateway in front of the platform answers. */
function gate(expired: CallFault | undefined, tooMany: CallFault | undefined): CallInterruption | undefined {
  if (expired) return { kind: 'credentials-expired', status: expired.status ?? 401 };
  return tooMany && { kind: 'too-many-requests', retryAfter: tooMany.retryAfter ?? DEFAULT_RETRY_AFTER_SECONDS };
}

function interruption(drop: CallFault | undefined, error: CallFault | undefined): CallInterruption | undefined {
  if (drop) return { kind: 'drop' };
  return error && { kind: 'error', status: error.status ?? 500 };
}
