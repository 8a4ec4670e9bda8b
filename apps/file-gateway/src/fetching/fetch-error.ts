import type { FetchRefusal } from './allowed-url.ts';

/** Content could not be fetched from a URL or a path. */
export class FetchError extends Error {
  readonly why: FetchRefusal;
  constructor(why: FetchRefusal, cause?: unknown) {
    super(`Content cannot be fetched: ${why}`, { cause });
    this.name = 'FetchError';
    this.why = why;
  }
}
