import { doubledMs } from '@gondola/shared/backoff';
import { isNotSent } from '@gondola/shared/commands/attempts';
import { isPlainRecord } from '@gondola/shared/json/json-digits';

/** Progress of a command that only reads, as stored between two lane steps. */
export interface ReadProgress {
  /** RFC 3339; time of the first call that was made and failed. Null before that. */
  readonly failingSince: string | null;
  readonly tries: number;
  /** Cause of the last failed call; for operators only, it decides nothing. */
  readonly blocked: string | null;
}

export const NOT_TRIED: ReadProgress = { failingSince: null, tries: 0, blocked: null };
const BASE_WAIT_MS = 1_000;
const MAX_WAIT_MS = 60_000;

export function readProgressFromText(text: string | null): ReadProgress {
  if (text === null) return NOT_TRIED;
  const value: unknown = JSON.parse(text);
  if (!isPlainRecord(value) || typeof value['tries'] !== 'number')
    throw new Error('The stored progress of a command has an unknown form');
  return value as unknown as ReadProgress;
}

/**
 * Progress after a failed reading, and the pause before the next one, which grows. A call that was not made says
 * nothing about the files: it is repeated when its cause allows.
 */
export function afterFailedRead(
  progress: ReadProgress,
  failed: { readonly cause: string; readonly retryAfterMs: number },
  nowMs: number,
): { readonly progress: ReadProgress; readonly ms: number } {
  const { cause, retryAfterMs } = failed;
  if (isNotSent(failed)) return { progress: { ...progress, blocked: cause }, ms: retryAfterMs };
  const failingSince = progress.failingSince ?? new Date(nowMs).toISOString();
  const tries = progress.tries + 1;
  const waitMs = doubledMs(BASE_WAIT_MS, tries, MAX_WAIT_MS);
  return { progress: { failingSince, tries, blocked: cause }, ms: Math.max(retryAfterMs, waitMs) };
}

/** True if the platform was asked and has answered no reading for this long. */
export function hasFailedFor({ failingSince, blocked }: ReadProgress, deadlineMs: number, nowMs: number): boolean {
  if (failingSince === null || (blocked !== null && isNotSent({ cause: blocked }))) return false;
  return nowMs - Date.parse(failingSince) >= deadlineMs;
}
