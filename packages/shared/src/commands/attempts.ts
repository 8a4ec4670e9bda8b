/**
 * The answer to one attempt. `pending`: stored before the call; found again, it shows that the process ended in
 * between.
 */
export type AttemptAnswer =
  | { readonly kind: 'pending' }
  /** `at`: when the answer came, RFC 3339, where that counts. */
  | { readonly kind: 'accepted'; readonly operationId: string | null; readonly at?: string }
  | { readonly kind: 'refused'; readonly status: number; readonly message: string }
  | { readonly kind: 'unknown'; readonly cause: string };

/** One call that may have reached the platform's queue. An app adds what it knew when it was written down. */
export interface Attempt {
  /** RFC 3339. */
  readonly at: string;
  readonly answer: AttemptAnswer;
}

/**
 * The part of a command's progress that is about its attempts, as it is stored between two lane steps. The field's name
 * is the one that stored rows have.
 *
 *   written down (pending) ──▶ called ──▶ accepted │ refused │ unknown
 *                                 └─ cannot have arrived (401, 403, 429, refused connection): no attempt, `blocked`
 */
export interface AttemptProgress<A extends Attempt = Attempt> {
  readonly attempts: readonly A[];
  /** Why the next call could not be made yet; null when nothing is in its way. Shown to operators, decides nothing. */
  readonly blocked: string | null;
}

type AttemptOf<P extends AttemptProgress> = P['attempts'][number];

/** Written down before its call. */
export function withAttempt<P extends AttemptProgress>(progress: P, attempt: Omit<AttemptOf<P>, 'answer'>): P {
  const pending = { ...attempt, answer: { kind: 'pending' } } as AttemptOf<P>;
  return { ...progress, blocked: null, attempts: [...progress.attempts, pending] };
}

/** The answer of the last attempt. */
export function withAnswer<P extends AttemptProgress>(progress: P, answer: AttemptAnswer): P {
  const last = progress.attempts.at(-1);
  if (last === undefined) return progress;
  return { ...progress, attempts: [...progress.attempts.slice(0, -1), { ...last, answer }] };
}

/** The last call cannot have reached the platform's queue, so it was no attempt. */
export function withoutLastAttempt<P extends AttemptProgress>(progress: P, cause: string): P {
  return { ...progress, blocked: cause, attempts: progress.attempts.slice(0, -1) };
}

/** Whether an answer is missing: what was sent may have been applied or not. */
export function isLost({ answer }: Pick<Attempt, 'answer'>): boolean {
  return answer.kind === 'pending' || answer.kind === 'unknown';
}

/** Whether no answer said which operation it became. */
export function isNameless({ answer }: Pick<Attempt, 'answer'>): boolean {
  return isLost({ answer }) || (answer.kind === 'accepted' && answer.operationId === null);
}

/** The operations that the platform named, first ones first. */
export function operationIdsOf({ attempts }: Pick<AttemptProgress, 'attempts'>): string[] {
  return attempts.flatMap(({ answer }) =>
    answer.kind === 'accepted' && answer.operationId !== null ? [answer.operationId] : [],
  );
}
