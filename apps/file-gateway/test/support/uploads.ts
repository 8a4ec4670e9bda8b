import type { UploadSettings, UploadSituation } from '../../src/platform/decide-upload.ts';
import type { HeldImage } from '../../src/uploads/held-content.ts';
import type { PlatformFailure } from '../../src/platform/platform-failure.ts';
import type { AttemptAnswer } from '@gondola/shared/commands/attempts';
import type { FileAttempt, Reading } from '../../src/platform/file-attempt.ts';

export const SENT_AT_MS = Date.parse('2026-11-20T13:00:00.000Z');

export const UPLOAD_SETTINGS: UploadSettings = {
  deadlineMs: 900_000,
  readBackMs: 500,
  lostAnswerMs: 5_000,
  readFreshMs: 10_000,
  refusalSettleMs: 5_000,
  readGraceMs: 900_000,
  resendSilentMs: null,
  presumeMs: 30_000,
  maxAttempts: 3,
};

export const iso = (ms: number): string => new Date(ms).toISOString();

/** An attempt at `SENT_AT_MS` with this answer. */
export function attemptOf(answer: AttemptAnswer, afterMs = 0): FileAttempt {
  return { at: iso(SENT_AT_MS + afterMs), seenFailureId: '10', answer };
}

/** A reading this long after the attempt. */
export function readingOf(seen: Reading['seen'], afterMs: number, more: Partial<Reading> = {}): Reading {
  const standard = { attempts: 1, count: 1, afterRefusal: false, afterDeadline: false };
  return { ...standard, at: iso(SENT_AT_MS + afterMs), seen, ...more };
}

/** The situation this long after the attempt, if there was one. */
export function situationAfter(elapsedMs: number, given: Partial<UploadSituation>): UploadSituation {
  return {
    attempts: [],
    reading: null,
    failures: [],
    deadlineInMs: given.attempts === undefined ? null : UPLOAD_SETTINGS.deadlineMs - elapsedMs,
    nowMs: SENT_AT_MS + elapsedMs,
    consumedUpToMs: SENT_AT_MS + elapsedMs,
    failedReadAtMs: null,
  };
}

export function failureOf(more: Partial<PlatformFailure> = {}): PlatformFailure {
  return {
    id: '11',
    operationId: 'op-other',
    eventType: 'Operation_Failed',
    error: { statusCode: 422, message: 'no' },
    receivedAtMs: SENT_AT_MS + 1_000,
    isOfAnother: false,
    ...more,
  };
}

/** An image with its own content. */
export function imageOf(order: number, sha256 = `sha-${order}`, size = 100): HeldImage {
  return { order, uploadId: `u-${order}`, sha256, size, mediaType: 'image/png' };
}
