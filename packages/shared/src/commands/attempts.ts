/**
 * Answer to one attempt. `pending` is stored before the call; a `pending` that is loaded later shows that the
 * process ended in between.
 */
export type AttemptAnswer =
  | { readonly kind: 'pending' }
  /** `at`: time of the answer, RFC 3339, if it matters. */
  | { readonly kind: 'accepted'; readonly operationId: string | null; readonly at?: string }
  | { readonly kind: 'refused'; readonly status: number; readonly message: string }
  /**
   * `status`: the platform's HTTP status, if there was one; `at`: end of the call, RFC 3339, if it matters. Both absent
   * in what an earlier version stored.
   */
  | { readonly kind: 'unknown'; readonly cause: string; readonly status?: number; readonly at?: string };

/**
 * Causes of a call that certainly did not reach the platform's queue. They say nothing about what the call was for.
 *
 * - `credentials`: 401 or 403, for this call or an earlier one while the circuit breaker is still open
 * - `throttled`: 429, for this call or an earlier one while the circuit breaker is still open
 * - `connection-refused`: no connection was established (refused, unknown host, TLS, connect time-out)
 * - `paused`: the circuit breaker is open after failures in a row, or the call was aborted before it was sent; no
 *   call was made
 */
export const NOT_SENT_CAUSES = ['credentials', 'throttled', 'connection-refused', 'paused'] as const;

export type NotSentCause = (typeof NOT_SENT_CAUSES)[number];

export function isNotSent({ cause }: { readonly cause: string }): boolean {
  return NOT_SENT_CAUSES.some((known) => known === cause);
}

/** One call that may have reached the platform's queue. An app adds the facts known when the attempt was stored. */
export interface Attempt {
  /** RFC 3339. */
  readonly at: string;
  readonly answer: AttemptAnswer;
}

/**
 * The part of a command's progress about its attempts, as stored between two lane steps. Stored rows use the
 * field's name.
 *
 *   stored (pending) ──▶ called ──▶ accepted │ refused │ unknown
 *                           └─ cannot have arrived (401, 403, 429, refused connection): no attempt, `blocked`
 */
export interface AttemptProgress<A extends Attempt = Attempt> {
  readonly attempts: readonly A[];
  /**
   * Why the next call cannot be made yet; null if nothing prevents it. Shown to operators; no decision depends on
   * it.
   */
  readonly blocked: string | null;
}

type AttemptOf<P extends AttemptProgress> = P['attempts'][number];

/** Adds an attempt before its call. */
export function withAttempt<P extends AttemptProgress>(progress: P, attempt: Omit<AttemptOf<P>, 'answer'>): P {
  const pending = { ...attempt, answer: { kind: 'pending' } } as AttemptOf<P>;
  return { ...progress, blocked: null, attempts: [...progress.attempts, pending] };
}

/** Sets the answer of the last attempt. */
export function withAnswer<P extends AttemptProgress>(progress: P, answer: AttemptAnswer): P {
  const last = progress.attempts.at(-1);
  if (last === undefined) return progress;
  return { ...progress, attempts: [...progress.attempts.slice(0, -1), { ...last, answer }] };
}

/** Removes the last attempt, because its call cannot have reached the platform's queue. */
export function withoutLastAttempt<P extends AttemptProgress>(progress: P, cause: string): P {
  return { ...progress, blocked: cause, attempts: progress.attempts.slice(0, -1) };
}

/** True if the answer is missing: the call may have been applied or not. */
export function isLost({ answer }: Pick<Attempt, 'answer'>): boolean {
  return answer.kind === 'pending' || answer.kind === 'unknown';
}

/** True if no answer named the operation of the attempt. */
export function isNameless({ answer }: Pick<Attempt, 'answer'>): boolean {
  return isLost({ answer }) || (answer.kind === 'accepted' && answer.operationId === null);
}

/** Operation ids from the platform's answers, oldest first. */
export function operationIdsOf({ attempts }: Pick<AttemptProgress, 'attempts'>): string[] {
  return attempts.flatMap(({ answer }) =>
    answer.kind === 'accepted' && answer.operationId !== null ? [answer.operationId] : [],
  );
}
