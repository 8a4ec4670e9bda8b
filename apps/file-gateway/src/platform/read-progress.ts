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
 * Consequence of a failed reading: another one after a growing wait, or none after the deadline. A call that was not
 * made says nothing about the files: the command waits for the end of its cause, however long that takes.
 */
export type AfterFailedRead =
  | { readonly kind: 'again'; readonly progress: ReadProgress; readonly ms: number }
  | { readonly kind: 'silent' };

export function afterFailedRead(
  progress: ReadProgress,
  failed: { readonly cause: string; readonly retryAfterMs: number },
  about: { readonly nowMs: number; readonly deadlineMs: number },
): AfterFailedRead {
  const { cause, retryAfterMs } = failed;
  if (isNotSent(failed)) return { kind: 'again', progress: { ...progress, blocked: cause }, ms: retryAfterMs };
  const failingSince = progress.failingSince ?? new Date(about.nowMs).toISOString();
  if (about.nowMs - Date.parse(failingSince) >= about.deadlineMs) return { kind: 'silent' };
  const tries = progress.tries + 1;
  const waitMs = doubledMs(BASE_WAIT_MS, tries, MAX_WAIT_MS);
  return { kind: 'again', progress: { failingSince, tries, blocked: cause }, ms: Math.max(retryAfterMs, waitMs) };
}
