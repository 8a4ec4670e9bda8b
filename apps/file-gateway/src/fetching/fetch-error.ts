import { HostAddressError } from '@gondola/service-kit/http/checked-lookup.adapter';
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

/** The `FetchError` in an error's chain of causes. Any other error is the network's: unreachable. */
export function fetchErrorOf(error: unknown): FetchError {
  for (let each = error; each instanceof Error; each = each.cause) {
    if (each instanceof FetchError) return each;
    if (each instanceof HostAddressError && each.code === 'forbidden')
      return new FetchError('address-not-allowed', error);
  }
  return new FetchError('unreachable', error);
}
