import type { Attempt, AttemptProgress } from '@gondola/shared/commands/attempts';
import type { ReadProgress } from './read-progress.ts';

/** One call that may have reached the platform's queue. */
export interface FileAttempt extends Attempt {
  /** Id of the newest failure stored when the attempt was written down: older failures are no answer to it. */
  readonly seenFailureId: string;
}

/** Progress of a command that changes files. */
export interface FileProgress<A extends FileAttempt = FileAttempt> extends AttemptProgress<A> {
  /** RFC 3339; time of the last failed reading. Absent: none failed. */
  readonly failedReadAt?: string;
  /** The readings that failed one after the other before anything was sent; absent or null: none. */
  readonly failedReads?: ReadProgress | null;
}

/** An attempt at one of several requests. */
export interface RequestAttempt extends FileAttempt {
  /** Index of the request, from 0. */
  readonly request: number;
}

/**
 * Part of the sent files that a reading showed. `unclear`: a file exists, as one did before, and nothing shows
 * whether it is the new one. `doubtful`: the list lacks files that were there, so it may be behind, or an empty answer
 * that says nothing; the next reading decides.
 */
export type Sighting = 'none' | 'some' | 'all' | 'unclear' | 'doubtful';

/** Last reading of the platform's files. */
export interface Reading {
  /** RFC 3339. */
  readonly at: string;
  /** Number of attempts at that time. */
  readonly attempts: number;
  /** Number of this reading since the last attempt, from 1. */
  readonly count: number;
  readonly seen: Sighting;
  /** True if a refusal was known. */
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
  seen: Sighting,
  context: ReadingContext,
): Reading {
  const count = previous !== null && previous.attempts === attempts.length ? previous.count + 1 : 1;
  return { ...context, attempts: attempts.length, count, seen };
}
