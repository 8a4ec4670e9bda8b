import type { RouteName } from './routes.ts';

/**
 * Summary of one call, for log and metrics. Contains no body, no credential, and no reference of a person or an
 * order.
 */
export interface CallObservation {
  readonly tenant: string;
  readonly route: RouteName;
  /** `kind` and `cause` of the answer. */
  readonly kind: string;
  readonly cause: string | null;
  /** HTTP status; null if none arrived or no call was made. */
  readonly status: number | null;
  /** Duration of the call in milliseconds, without the wait for a slot; 0 if no call was made. */
  readonly ms: number;
}

export type CallObserver = (observation: CallObservation) => void;

/** Calls the observer. If it throws, the caller must still get the answer of a call that changed something. */
export function observeSafely(observe: CallObserver | undefined, observation: CallObservation): void {
  try {
    observe?.(observation);
  } catch {
    // An observer that throws must not make the call fail.
  }
}
