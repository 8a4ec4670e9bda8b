import { doubledMs } from '@gondola/shared/backoff';
import { MINUTE_MS } from '@gondola/shared/durations';
import type { Recovery } from './recovery.dto.ts';
import type { RecoveryRunEntity } from './recovery-run.entity.ts';

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

/** Counts of a run's numbers by state. */
export interface RecoveryCounts {
  /** Numbers of the range that no fact named. */
  readonly candidates: number;
  readonly found: number;
  /** Named by a notification meanwhile. */
  readonly known: number;
  readonly givenUp: number;
  /** Given up because the platform fails whenever they are read. */
  readonly unreadable: number;
  /** Open, and their time has come. */
  readonly due: number;
  /** When the last one that waits is read again; null where none waits. */
  readonly latestDueAt: Date | null;
}

/** A run as it stands. */
export type RecoveryRun = RecoveryCounts & NumberRange & Omit<RecoveryRunEntity, 'fromNumber' | 'toNumber'>;

/** Milliseconds between two readings. */
export function pauseMsOf(callsPerMinute: number): number {
  return MINUTE_MS / callsPerMinute;
}

/** Readings of one number in a row that the platform fails to answer, at most: with the pauses, some hours. */
const MOST_FAILURES = 8;

/** Milliseconds until a number is read again that the platform failed to answer once more; null to give it up. */
export function pauseAfterFailure(failuresBefore: number, lookAgainMs: number): number | null {
  return failuresBefore + 1 >= MOST_FAILURES ? null : doubledMs(MINUTE_MS, failuresBefore + 1, lookAgainMs);
}

/** Known numbers without a gap as wide as a scan, `to` the newest. */
type Cluster = { from: number; to: number; count: number };

/** Numbers of a tenant that stand apart from all others, at most: more of them are its new numbers. */
const MOST_OUTLIERS = 2;

/**
 * The newest numbers among the known ones, given in falling order: what lies more than `window` above the others is
 * theirs only if it is more than a slip. One order with the number 999999999 must not move the scans away from the
 * tenant's orders. Null where none is known.
 */
export function newestNumbers(falling: readonly number[], window: number): NumberRange | null {
  const clusters: Cluster[] = [];
  for (const n of falling) {
    const last = clusters.at(-1);
    if (last !== undefined && last.from - n < window) [last.from, last.count] = [n, last.count + 1];
    else clusters.push({ from: n, to: n, count: 1 });
  }
  const found = clusters.find(({ count }) => count > MOST_OUTLIERS) ?? largest(clusters);
  return found === undefined ? null : { from: Math.max(found.from, found.to - window + 1), to: found.to };
}

/** The cluster with most numbers, the lowest of several. */
function largest(clusters: readonly Cluster[]): Cluster | undefined {
  return clusters.toSorted((a, b) => b.count - a.count || a.to - b.to)[0];
}

/** Progress, rate and estimated end of a run. */
export function shownRecovery(run: RecoveryRun, callsPerMinute: number, nowMs: number): Recovery {
  const { startedAt, finishedAt, lastLookupAt: _last, latestDueAt: _latest, ...rest } = run;
  return {
    ...rest,
    startedAt: startedAt.toISOString(),
    finishedAt: finishedAt?.toISOString() ?? null,
    open: run.candidates - run.found - run.known - run.givenUp - run.unreadable,
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

/** The range that an operator asks for, or what is wrong with it. */
export type RangeReading =
  | { readonly ok: true; readonly range: NumberRange }
  | { readonly ok: false; readonly problem: string };

/** Numbers of one run, at most; at one reading in a second they take more than a day. */
const MOST_NUMBERS = 100_000;

/** Reads a range of order numbers, given as integers or digits. */
export function rangeOf({ from, to }: { readonly from?: unknown; readonly to?: unknown }): RangeReading {
  const [first, last] = [wholeNumber(from), wholeNumber(to)];
  if (first === null || last === null) return wrong('from and to are order numbers');
  if (last < first) return wrong('from is not above to');
  if (last - first >= MOST_NUMBERS) return wrong(`A run takes ${MOST_NUMBERS} numbers at most`);
  return { ok: true, range: { from: first, to: last } };
}

function wrong(problem: string): RangeReading {
  return { ok: false, problem };
}

function wholeNumber(value: unknown): number | null {
  const text = typeof value === 'number' ? String(value) : value;
  return typeof text === 'string' && /^[1-9]\d{0,14}$/.test(text) ? Number(text) : null;
}
