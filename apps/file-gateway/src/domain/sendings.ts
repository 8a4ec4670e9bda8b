/**
 * What became of one sending. `pending`: written down before the call; found again, it says that the process ended in
 * between.
 */
export type SendingAnswer =
  | { readonly kind: 'pending' }
  | { readonly kind: 'accepted'; readonly operationId: string | null }
  | { readonly kind: 'refused'; readonly status: number; readonly message: string }
  | { readonly kind: 'unknown'; readonly cause: string };

/** One call that may have reached the platform's queue. */
export interface Sending {
  /** RFC 3339. */
  readonly at: string;
  /** The newest failure stored when it was written down: what was there before is no answer to it. */
  readonly seenFailureId: string;
  readonly answer: SendingAnswer;
}

/**
 * What a reading showed of what was sent: nothing of it, some, or all. `unclear`: a file is there, as one was before,
 * and nothing tells whether it is the new one.
 */
export type Seen = 'none' | 'some' | 'all' | 'unclear';

/** What the platform was last seen to have. */
export interface Reading {
  /** RFC 3339. */
  readonly at: string;
  /** How many sendings there were. */
  readonly sendings: number;
  /** The how-manieth since the last sending, from 1. */
  readonly count: number;
  readonly seen: Seen;
  /** A refusal was known. */
  readonly afterRefusal: boolean;
  readonly afterDeadline: boolean;
}

/** What a reading has to know besides what it showed. */
export interface ReadingContext {
  readonly at: string;
  readonly afterRefusal: boolean;
  readonly afterDeadline: boolean;
}

export function nextReading(
  sendings: readonly Sending[],
  previous: Reading | null,
  seen: Seen,
  context: ReadingContext,
): Reading {
  const count = previous !== null && previous.sendings === sendings.length ? previous.count + 1 : 1;
  return { ...context, sendings: sendings.length, count, seen };
}

export function pendingSending(at: string, seenFailureId: string): Sending {
  return { at, seenFailureId, answer: { kind: 'pending' } };
}

/** With the answer of the last one. */
export function answered<S extends Sending>(sendings: readonly S[], answer: SendingAnswer): S[] {
  return sendings.map((sending, index) => (index === sendings.length - 1 ? { ...sending, answer } : sending));
}

/** Whether no answer said which operation it became. */
export function isNameless({ answer }: Sending): boolean {
  return isLost({ answer }) || (answer.kind === 'accepted' && answer.operationId === null);
}

/** Whether it is not known that the platform took it. */
export function isLost({ answer }: Pick<Sending, 'answer'>): boolean {
  return answer.kind === 'pending' || answer.kind === 'unknown';
}

/** The operations that the platform named, first ones first. */
export function operationIdsOf(sendings: readonly Sending[]): string[] {
  return sendings.flatMap(({ answer }) =>
    answer.kind === 'accepted' && answer.operationId !== null ? [answer.operationId] : [],
  );
}
