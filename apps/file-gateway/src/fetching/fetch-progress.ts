import type { AttemptProgress } from '@gondola/shared/commands/attempts';
import { isPlainRecord } from '@gondola/shared/json/json-digits';

/** Progress of a command whose content is still being fetched, as stored between two lane steps. */
export interface FetchProgress extends AttemptProgress<never> {
  readonly fetching: {
    /** Failed ones, of the content that is under way. */
    readonly tries: number;
  };
}

const MAX_TRIES = 3;

export const NOT_FETCHED: FetchProgress = { fetching: { tries: 0 }, attempts: [], blocked: null };

export function isFetchProgress(value: unknown): value is FetchProgress {
  return isPlainRecord(value) && isPlainRecord(value['fetching']);
}

/** Before anything was fetched where there is no progress, or one of what comes after. */
export function fetchProgressFromText(text: string | null): FetchProgress {
  const value: unknown = text === null ? null : JSON.parse(text);
  return isFetchProgress(value) ? value : NOT_FETCHED;
}

/** After a server did not deliver; null once it was tried often enough. */
export function afterFailedFetch({ fetching }: FetchProgress): FetchProgress | null {
  const tries = fetching.tries + 1;
  return tries >= MAX_TRIES ? null : { fetching: { tries }, attempts: [], blocked: 'content-unreachable' };
}
