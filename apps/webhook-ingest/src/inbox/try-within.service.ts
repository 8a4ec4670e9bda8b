import { setTimeout as delay } from 'node:timers/promises';

/**
 * The time was over before the work had an answer; what it did is not known. `cause` is the last failure, if there was
 * one.
 */
export class OutOfTimeError extends Error {
  readonly code = 'OUT_OF_TIME';
  constructor(budgetMs: number, cause?: unknown) {
    super(`No answer within ${budgetMs} ms`, { cause });
    this.name = 'OutOfTimeError';
  }
}

export interface TryWithinOptions {
  readonly budgetMs: number;
  /** Between one attempt and the next. */
  readonly pauseMs: number;
  /** Whether another attempt makes sense after this failure. */
  readonly isTransient: (error: unknown) => boolean;
}

/**
 * Does some work, again after a transient failure while there is time. Ends within the budget whatever the work does:
 * an attempt that is still under way then is left to itself, so it must be safe to repeat. Throws the first failure
 * that is not transient, or `OutOfTimeError`.
 */
export async function tryWithin<T>(options: TryWithinOptions, work: () => Promise<T>): Promise<T> {
  const { budgetMs, pauseMs, isTransient } = options;
  let last: unknown;
  const over = new AbortController();
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    over.abort();
    late.reject(new OutOfTimeError(budgetMs, last));
  }, budgetMs);
  const attempts = async (): Promise<T> => {
    for (;;) {
      try {
        return await work();
      } catch (error) {
        if (!isTransient(error)) throw error;
        last = error;
        await delay(pauseMs, undefined, { signal: over.signal });
      }
    }
  };
  try {
    return await Promise.race([attempts(), late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
