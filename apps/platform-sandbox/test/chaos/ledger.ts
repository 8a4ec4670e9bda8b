/** One call that changes something, as the client that made it knows it. */
export interface Call {
  /** What it would do: equal for calls that would do the same. See {@link keyOf}. */
  readonly key: string;
  /**
   * - `accepted`: the platform said so, or an error that the test knows to come after the work (`error-after`)
   * - `not-accepted`: a refusal, or an error that is known to come before the work
   * - `unknown`: no answer
   */
  readonly outcome: 'accepted' | 'not-accepted' | 'unknown';
  /** Where an answer gave it. */
  readonly operationId: string | null;
}

/**
 * Statuses of the faults `error-before` and `error-after` in these runs, so that the books know what the client cannot.
 */
export const ERROR_BEFORE = 503;
export const ERROR_AFTER = 502;

/** The same for a call and for the operation that it becomes: the kind, and what the core is given, item by item. */
export function keyOf(kind: string, payloads: readonly string[]): string {
  return [kind, ...payloads].join('\n');
}

export function outcomeOf(status: number | null): Call['outcome'] {
  if (status === null) return 'unknown';
  if (status === ERROR_AFTER || (status >= 200 && status < 300)) return 'accepted';
  return status === ERROR_BEFORE || (status >= 400 && status < 500) ? 'not-accepted' : 'unknown';
}
