import { setTimeout as delay } from 'node:timers/promises';

/**
 * The time ran out before the work was answered; its effect is unknown. `cause` is the last failure, if there was
 * one.
 */
export class OutOfTimeError extends Error {
  readonly code = 'OUT_OF_TIME';
  constructor(budgetMs: number, cause?: unknown) {
    super(`PostgreSQL did not answer within ${budgetMs} ms`, { cause });
    this.name = 'OutOfTimeError';
  }
}

export interface TryWithinOptions {
  readonly budgetMs: number;
  /** Milliseconds between two attempts. */
  readonly pauseMs: number;
  /** True if another attempt makes sense after this failure. */
  readonly isTransient: (error: unknown) => boolean;
}

/**
 * Does some work and repeats it after transient failures while there is time. Always returns within the budget: an
 * attempt that still runs then is abandoned, so the work must be safe to repeat. Throws the first failure that is
 * not transient, or `OutOfTimeError`.
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
