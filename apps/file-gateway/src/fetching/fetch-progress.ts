import type { AttemptProgress } from '@gondola/shared/commands/attempts';
import { isPlainRecord } from '@gondola/shared/json/json-digits';

/** Progress of a command whose content is still being fetched, as stored between two lane steps. */
export interface FetchProgress extends AttemptProgress<never> {
  readonly fetching: {
    /** Failed attempts at the current content. */
    readonly tries: number;
    /** Attempts that found no room for it; absent: none. */
    readonly full?: number;
  };
}

const MAX_TRIES = 3;

export const NOT_FETCHED: FetchProgress = { fetching: { tries: 0 }, attempts: [], blocked: null };

export function isFetchProgress(value: unknown): value is FetchProgress {
  return isPlainRecord(value) && isPlainRecord(value['fetching']);
}

/** Returns the initial progress if nothing was fetched yet, or if the stored progress is of a later phase. */
export function fetchProgressFromText(text: string | null): FetchProgress {
  const value: unknown = text === null ? null : JSON.parse(text);
  return isFetchProgress(value) ? value : NOT_FETCHED;
}

/** Progress after a fetch that found no room in the tenant's quota; that passes, so it is no failed attempt. */
export function afterFullQuota({ fetching }: FetchProgress): FetchProgress {
  return { fetching: { ...fetching, full: (fetching.full ?? 0) + 1 }, attempts: [], blocked: 'quota-full' };
}

/** Progress after a failed fetch; null after the last allowed attempt. */
export function afterFailedFetch({ fetching }: FetchProgress): FetchProgress | null {
  const tries = fetching.tries + 1;
  return tries >= MAX_TRIES ? null : { fetching: { ...fetching, tries }, attempts: [], blocked: 'content-unreachable' };
}
