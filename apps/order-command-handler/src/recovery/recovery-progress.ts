import { MINUTE_MS } from '@gondola/shared/durations';

/** A range of order numbers, both ends included. */
export interface NumberRange {
  readonly from: number;
  readonly to: number;
}

/** Numbers of one scan: `below` counts back from the newest known one, `above` counts on from it. */
export interface ScanWindow {
  readonly below: number;
  readonly above: number;
}

/** Outcome of a number: it was read, was notified meanwhile, or is unknown to the platform. */
export type RecoveryOutcome = 'found' | 'known' | 'given-up';

/** A number of a run for operators. */
export interface LookedUpNumber {
  /** Its place in the list: the number, to be given as `before`. */
  readonly id: string;
  readonly orderNumber: string;
  /** Null while it is open. */
  readonly outcome: RecoveryOutcome | null;
  readonly lookups: number;
  /** RFC 3339. */
  readonly concludedAt: string | null;
}

/** Counts of a run's numbers by state. */
export interface RecoveryCounts {
  /** Numbers of the range that no fact named. */
  readonly candidates: number;
  readonly found: number;
  /** Named by a notification meanwhile. */
  readonly known: number;
  readonly givenUp: number;
  /** Open, and their time has come. */
  readonly due: number;
  /** When the last one that waits is read again; null where none waits. */
  readonly latestDueAt: Date | null;
}

/** A run as it stands. */
export interface RecoveryRun extends RecoveryCounts, NumberRange {
  readonly id: string;
  readonly tenant: string;
  readonly source: 'operator' | 'scan';
  readonly startedAt: Date;
  readonly lookups: number;
  readonly lastLookupAt: Date | null;
  readonly finishedAt: Date | null;
}

/** A run for operators. */
export interface ShownRecovery extends Omit<RecoveryRun, 'startedAt' | 'lastLookupAt' | 'finishedAt' | 'latestDueAt'> {
  readonly startedAt: string;
  readonly finishedAt: string | null;
  /** Numbers without an outcome. */
  readonly open: number;
  /** Readings in a minute, from the start to the last one; null before the second reading. */
  readonly perMinute: number | null;
  /** When it ends if what is open is found or given up at its next reading; null once it has ended. */
  readonly estimatedEndAt: string | null;
}

/** Milliseconds between two readings. */
export function pauseMsOf(callsPerMinute: number): number {
  return MINUTE_MS / callsPerMinute;
}

/** Progress, rate and estimated end of a run. */
export function shownRecovery(run: RecoveryRun, callsPerMinute: number, nowMs: number): ShownRecovery {
  const { startedAt, finishedAt, lastLookupAt: _last, latestDueAt: _latest, ...rest } = run;
  return {
    ...rest,
    startedAt: startedAt.toISOString(),
    finishedAt: finishedAt?.toISOString() ?? null,
    open: run.candidates - run.found - run.known - run.givenUp,
    perMinute: perMinuteOf(run),
    estimatedEndAt: finishedAt === null ? new Date(estimatedEndMs(run, callsPerMinute, nowMs)).toISOString() : null,
  };
}

function perMinuteOf({ startedAt, lastLookupAt, lookups }: RecoveryRun): number | null {
  const tookMs = lastLookupAt === null ? 0 : lastLookupAt.getTime() - startedAt.getTime();
  return lookups < 2 || tookMs <= 0 ? null : Math.round((lookups * MINUTE_MS * 10) / tookMs) / 10;
}

function estimatedEndMs({ due, latestDueAt }: RecoveryRun, callsPerMinute: number, nowMs: number): number {
  const pauseMs = pauseMsOf(callsPerMinute);
  const whileDue = nowMs + due * pauseMs;
  return latestDueAt === null ? whileDue : Math.max(whileDue, latestDueAt.getTime() + pauseMs);
}
