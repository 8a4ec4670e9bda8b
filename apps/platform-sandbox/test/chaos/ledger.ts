/** One call that changes something, as its client recorded it. */
export interface Call {
  /** Effect of the call: equal for calls with the same effect. See {@link keyOf}. */
  readonly key: string;
  /**
   * - `accepted`: the platform accepted it, or answered with an error that the test knows to follow the work
   *   (`error-after`)
   * - `not-accepted`: a refusal, or an error that is known to precede the work
   * - `unknown`: no answer
   */
  readonly outcome: 'accepted' | 'not-accepted' | 'unknown';
  /** Null unless an answer held it. */
  readonly operationId: string | null;
}

/**
 * Statuses of the faults `error-before` and `error-after` in these runs, so that the checks know what the client
 * cannot know.
 */
export const ERROR_BEFORE = 503;
export const ERROR_AFTER = 502;

/** Key of a call and of its operation: the kind, and the payload of each item. */
export function keyOf(kind: string, payloads: readonly string[]): string {
  return [kind, ...payloads].join('\n');
}

export function outcomeOf(status: number | null): Call['outcome'] {
  if (status === null) return 'unknown';
  if (status === ERROR_AFTER || (status >= 200 && status < 300)) return 'accepted';
  return status === ERROR_BEFORE || (status >= 400 && status < 500) ? 'not-accepted' : 'unknown';
}
