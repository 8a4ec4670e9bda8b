import { hasConsumed } from '@gondola/shared/commands/retry';
import { isPlainRecord, type JsonValue } from '@gondola/shared/json/json-digits';
import type { FileAttempt, FileProgress, Reading } from '../platform/file-attempt.ts';
import { findRefusal, type PlatformFailure, type Refusal } from '../platform/platform-failure.ts';

/** The parts of a stored progress that decide without its command's record, whichever command it is. */
export interface UnreadableProgress extends FileProgress {
  /** Uploads that the command holds. */
  readonly held: readonly string[];
  /** The order's PDF that the command sends; null for another command. */
  readonly pdf: { readonly sha256: string; readonly orderId: string | null; readonly reading: Reading | null } | null;
}

const NOTHING_SENT: UnreadableProgress = { attempts: [], blocked: null, held: [], pdf: null };

/** Reads them; nothing was sent where the app has stored nothing, or is still fetching the content. */
export function unreadableProgress(text: string | null): UnreadableProgress {
  const value = text === null ? null : (JSON.parse(text) as JsonValue);
  if (!isPlainRecord(value) || !Array.isArray(value['attempts'])) return NOTHING_SENT;
  const { attempts, pdf, images, orderId, reading = null } = value as unknown as StoredProgress;
  const held = [...(pdf === undefined ? [] : [pdf]), ...(images ?? [])].map(({ uploadId }) => uploadId);
  return {
    attempts,
    blocked: null,
    held,
    pdf: pdf === undefined ? null : { sha256: pdf.sha256, orderId: orderId ?? null, reading },
  };
}

interface StoredProgress extends FileProgress {
  readonly pdf?: { readonly uploadId: string; readonly sha256: string };
  readonly images?: readonly { readonly uploadId: string }[];
  readonly orderId?: string;
  readonly reading?: Reading | null;
}

export interface UnreadableSituation {
  readonly failures: readonly PlatformFailure[];
  readonly deadlineInMs: number | null;
  readonly nowMs: number;
  readonly consumedUpToMs: number | null;
}

export type UnreadableDecision =
  | { readonly kind: 'invalid' }
  | { readonly kind: 'applied' }
  | { readonly kind: 'refused'; readonly refusal: Refusal }
  | { readonly kind: 'unconfirmed' }
  | { readonly kind: 'wait'; readonly ms: number }
  | { readonly kind: 'catch-up'; readonly untilMs: number };

/**
 * Decides about a command whose stored record is not valid any more. Nothing is sent again, and no reading is made:
 * without the record nothing says of what.
 *
 *   nothing sent ───────────────────────────▶ invalid
 *   sent ── its PDF was seen ───────────────▶ applied
 *     ├──── each attempt refused ───────────▶ refused
 *     └──── deadline ───────────────────────▶ unconfirmed
 */
export function decideUnreadable(
  { attempts, pdf }: UnreadableProgress,
  { failures, deadlineInMs, nowMs, consumedUpToMs }: UnreadableSituation,
): UnreadableDecision {
  if (attempts.length === 0) return { kind: 'invalid' };
  if (pdf?.reading?.seen === 'all' && pdf.reading.attempts > 0) return { kind: 'applied' };
  const refusals = attempts.map((attempt) => certainRefusal(attempt, failures));
  const refusal = refusals.at(-1);
  if (refusal != null && !refusals.includes(null)) return { kind: 'refused', refusal };
  if (deadlineInMs !== null && deadlineInMs > 0) return { kind: 'wait', ms: deadlineInMs };
  const deadlineAtMs = nowMs + (deadlineInMs ?? 0);
  return hasConsumed(consumedUpToMs, deadlineAtMs)
    ? { kind: 'unconfirmed' }
    : { kind: 'catch-up', untilMs: deadlineAtMs };
}

function certainRefusal(attempt: FileAttempt, failures: readonly PlatformFailure[]): Refusal | null {
  const refusal = findRefusal([attempt], failures);
  return refusal?.isCertain === true ? refusal : null;
}
