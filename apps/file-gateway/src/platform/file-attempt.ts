import type { Attempt, AttemptProgress } from '@gondola/shared/commands/attempts';

/** One call that may have reached the platform's queue. */
export interface FileAttempt extends Attempt {
  /** The newest failure stored when it was written down: what was there before is no answer to it. */
  readonly seenFailureId: string;
}

/** Progress of a command that changes files. */
export interface FileProgress<A extends FileAttempt = FileAttempt> extends AttemptProgress<A> {
  /** RFC 3339; when a reading could not be made, the last time. Absent: each could. */
  readonly failedReadAt?: string;
}

/** An attempt of one of several requests. */
export interface RequestAttempt extends FileAttempt {
  /** Which of the requests it was, from 0. */
  readonly request: number;
}

/**
 * How much of what was sent a reading showed: nothing, some, or all. `unclear`: a file is there, as one was before,
 * and nothing shows whether it is the new one.
 */
export type Seen = 'none' | 'some' | 'all' | 'unclear';

/** The last look at what the platform has. */
export interface Reading {
  /** RFC 3339. */
  readonly at: string;
  /** How many attempts there were. */
  readonly attempts: number;
  /** Number of this reading since the last attempt, from 1. */
  readonly count: number;
  readonly seen: Seen;
  /** A refusal was known. */
  readonly afterRefusal: boolean;
  readonly afterDeadline: boolean;
}

/** Circumstances of a reading. */
export interface ReadingContext {
  readonly at: string;
  readonly afterRefusal: boolean;
  readonly afterDeadline: boolean;
}

export function nextReading(
  attempts: readonly FileAttempt[],
  previous: Reading | null,
  seen: Seen,
  context: ReadingContext,
): Reading {
  const count = previous !== null && previous.attempts === attempts.length ? previous.count + 1 : 1;
  return { ...context, attempts: attempts.length, count, seen };
}
