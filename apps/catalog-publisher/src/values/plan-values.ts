import type { ValueKind } from '@gondola/shared/topics/values';
import { operationIdsOf } from '@gondola/shared/commands/attempts';
import { landsUntilMs, laterEndAt, lostCallEndMs } from '@gondola/shared/commands/late-calls';
import { type Conclusion, invalid, superseded, unchanged } from '@gondola/shared/results/conclusion';
import type { Language } from '@gondola/shared/outcomes/reason-codes';
import type { OperationReport } from '../notifications/operation-report.ts';
import { highest, referenceOf } from '../records/read-record.ts';
import { operationsOf } from '../records/record-attempts.ts';
import type { PublishSettings } from '../records/record-plan.ts';
import { decideAwaiting, missingReasons, type NamedReference, type Waiting } from '../waiting/awaiting.ts';
import type { ValueFilling } from './fill-value.ts';
import { judgeSent, type SentFate } from './judge-value.ts';
import { isApplied, prepareValue, type ReadyValue } from './prepare-value.ts';
import { type ValueEffect, type ValueLaneState, type ValueProgress } from './value-lane-state.ts';

/** An open record of a lane. */
export interface OpenValue {
  readonly id: string;
  /** The record's value; null in a tombstone. */
  readonly value: Uint8Array | null;
  /** Null before it was prepared. */
  readonly progress: ValueProgress | null;
  /** The wait in its last `waiting` result. */
  readonly waiting: Waiting | null;
  readonly deadlineInMs: number | null;
}

/** State that the open records of a lane are planned by. */
export interface ValueSituation {
  readonly kind: ValueKind;
  readonly externalReference: string;
  readonly state: ValueLaneState;
  /** Oldest first. */
  readonly values: readonly OpenValue[];
  /** True if newer records exist that were not loaded. */
  readonly hasMore: boolean;
  readonly reports: readonly OperationReport[];
  /** The unknown SKU that the values wait for; null for none. */
  readonly missing: NamedReference | null;
  readonly filling: ValueFilling;
}

export interface ValueContext {
  readonly language: Language;
  readonly settings: PublishSettings;
  /** Time from the first `waiting` to `REFERENCE_MISSING`, in milliseconds. */
  readonly referencesMs: number;
  readonly nowMs: number;
  readonly consumedUpToMs: number | null;
}

/** Conclusion of a record. */
export interface ValueEnd {
  readonly id: string;
  readonly conclusion: Conclusion;
  readonly effect: ValueEffect;
  /** Null if nothing was sent. */
  readonly progress: ValueProgress | null;
  readonly sourceVersion: string | null;
  readonly operationIds: readonly string[];
  /** End of its newest call whose answer was lost, in milliseconds since 1970; null for none. */
  readonly lostCallEndMs: number | null;
}

/** Next action for the value to send. */
type NextValue =
  | { readonly kind: 'send'; readonly progress: ValueProgress }
  | { readonly kind: 'announce'; readonly waiting: Waiting }
  | { readonly kind: 'wait'; readonly ms: number };

export interface ValuePlan {
  /** Oldest first, behind one that need not be sent. */
  readonly ends: readonly ValueEnd[];
  readonly head: ({ readonly id: string } & { readonly next: NextValue }) | null;
  /** Milliseconds until one of the others is due; null for none. */
  readonly dueInMs: number | null;
  /** Time up to which notifications must be stored before silence counts; null for none. */
  readonly catchUpToMs: number | null;
}

/** State of an open record by its attempts, or by its content before them; an invalid one is concluded, too. */
type Fate = SentFate | ReadyValue;

/** An open record, judged for itself. */
interface Judgement extends Pick<ValueEnd, 'id' | 'progress' | 'sourceVersion' | 'lostCallEndMs'> {
  readonly fate: Fate;
  readonly waiting: Waiting | null;
}

/** Action of a step for an open record. */
type Course = 'ends' | 'is superseded' | 'waits' | 'is sent' | 'is sent when due';

/** Courses of the newest record of a lane that is not concluded, and of older ones. */
const COURSES: Readonly<Record<Fate['kind'], { readonly newest: Course; readonly older: Course }>> = {
  concluded: { newest: 'ends', older: 'ends' },
  settling: { newest: 'waits', older: 'waits' },
  'catch-up': { newest: 'waits', older: 'waits' },
  exposed: { newest: 'is sent when due', older: 'ends' },
  lost: { newest: 'is sent when due', older: 'is superseded' },
  again: { newest: 'is sent', older: 'is superseded' },
  ready: { newest: 'is sent', older: 'is superseded' },
};

/**
 * Plans the next step of a lane of absolute values (rules 16, 30).
 *
 *   newest that is valid ──▶ sent, a time-out after the last lost call of another ──▶ settles beside the next one
 *        ▲                                 └─ that call may still land, up to three time-outs after its end:
 *        └─────────────────────────────────── sent once more then
 *   older ones, not sent, or whose answer was lost ────────────────────────────────────▶ superseded
 *   those that the platform accepted ───────────────────────────────▶ applied or refused, each by what is said of it
 */
export function planValues(situation: ValueSituation, context: ValueContext): ValuePlan {
  const { hasMore } = situation;
  const judged = judgeAll(situation, context);
  const newest = judged.findLastIndex(({ fate }) => fate.kind !== 'concluded');
  const courses = judged.map((each, index) => ({ ...each, course: courseOf(each.fate, index < newest) }));
  const toSend = hasMore ? undefined : courses.find(({ course }) => course === 'is sent');
  const next = toSend === undefined ? null : nextOf(toSend, judged, situation, context);
  const waitsMs = courses.flatMap(({ course, fate }) => (course === 'waits' && 'ms' in fate ? [fate.ms] : []));
  const dues = hasMore ? [0, ...waitsMs] : waitsMs;
  const catchUps = judged.flatMap(({ fate }) => (fate.kind === 'catch-up' ? [fate.untilMs] : []));
  return {
    ends: [...(next?.kind === 'ended' ? [next.end] : []), ...courses.flatMap(endOfCourse)],
    head: next?.kind === 'head' ? next.head : null,
    dueInMs: dues.length === 0 ? null : Math.min(...dues),
    catchUpToMs: catchUps.length === 0 ? null : Math.max(...catchUps),
  };
}

function courseOf(fate: Fate, isOlder: boolean): Course {
  const course = COURSES[fate.kind][isOlder ? 'older' : 'newest'];
  if (course !== 'is sent when due') return course;
  return 'ms' in fate && fate.ms > 0 ? 'waits' : 'is sent';
}

function endOfCourse({ course, ...judged }: Judgement & { readonly course: Course }): ValueEnd[] {
  const { fate, progress } = judged;
  if (course === 'is superseded') return [endOf(judged, superseded(), progress === null ? 'none' : 'in-doubt')];
  if (course !== 'ends' || !('conclusion' in fate)) return [];
  return [endOf(judged, fate.conclusion, fate.kind === 'concluded' ? fate.effect : 'in-doubt')];
}

/** Judges records oldest first: each is compared with the highest version before it. */
function judgeAll(situation: ValueSituation, context: ValueContext): Judgement[] {
  let latest = situation.state.sourceVersion;
  return situation.values.map((value) => {
    const { progress } = value;
    const judged =
      progress !== null && progress.attempts.length > 0
        ? judgeSentValue({ ...value, progress }, situation, context)
        : judgeFreshValue(value, latest, situation, context);
    latest = highest(latest, judged.sourceVersion);
    return judged;
  });
}

function judgeSentValue(
  { id, progress, waiting, deadlineInMs }: OpenValue & { readonly progress: ValueProgress },
  { values, state, kind, reports }: ValueSituation,
  context: ValueContext,
): Judgement {
  const { settings } = context;
  const { timeoutMs } = settings;
  const others = values.flatMap((each) => (each.progress === null || each.id === id ? [] : [each.progress]));
  const otherOperations = new Set([...state.pastOperationIds, ...others.flatMap(operationsOf)]);
  const lostAt = newestEnd(
    state,
    others.map(({ attempts }) => lostCallEndMs(attempts, timeoutMs)),
  );
  const about = { kind, progress, reports, otherOperations, deadlineInMs };
  const fate = judgeSent({ ...about, ...context, othersLandUntilMs: landsUntilMs(lostAt, timeoutMs) }, settings);
  const lostMs = lostCallEndMs(progress.attempts, timeoutMs);
  return { id, fate, waiting, progress, sourceVersion: progress.sourceVersion, lostCallEndMs: lostMs };
}

function judgeFreshValue(
  { id, value, waiting }: OpenValue,
  latest: string | null,
  { externalReference, filling }: ValueSituation,
  { language }: ValueContext,
): Judgement {
  // A warehouse's lane need not be named by the record's reference.
  const record = { value, externalReference: referenceOf({ value }, { externalReference }) };
  const prepared = prepareValue(record, latest, language, filling);
  const { sourceVersion } = prepared;
  const fate: Fate =
    prepared.kind === 'ready' ? prepared : { kind: 'concluded', conclusion: prepared.conclusion, effect: 'none' };
  return { id, fate, waiting, progress: null, sourceVersion, lostCallEndMs: null };
}

/** End of the newest lost call of a lane, RFC 3339; null for none. */
function newestEnd({ lostCallEndAt }: ValueLaneState, ends: readonly (number | null)[]): string | null {
  return ends.reduce(laterEndAt, lostCallEndAt);
}

type Next =
  | { readonly kind: 'head'; readonly head: NonNullable<ValuePlan['head']> }
  | { readonly kind: 'ended'; readonly end: ValueEnd };

/** Plans the newest value: it is sent now, or waits for its SKU, or until older lost calls have most likely landed. */
function nextOf(
  newest: Judgement,
  all: readonly Judgement[],
  { state, missing }: ValueSituation,
  { language, nowMs, referencesMs, settings }: ValueContext,
): Next {
  const head = (next: NextValue): Next => ({ kind: 'head', head: { id: newest.id, next } });
  if (newest.progress !== null) return head({ kind: 'send', progress: newest.progress });
  if (missing !== null) {
    const awaiting = decideAwaiting([missing], newest.waiting, nowMs, referencesMs);
    if (awaiting.kind === 'announce' || awaiting.kind === 'wait') return head(awaiting);
    return { kind: 'ended', end: endOf(newest, invalid(missingReasons([missing], language)), 'none') };
  }
  if (newest.fate.kind !== 'ready') throw new Error('A value without a body cannot be sent');
  const { body, force, sourceVersion } = newest.fate;
  const sentTurns = all.flatMap(({ progress }) => (progress === null ? [] : [progress.turn]));
  if (!force && sentTurns.length === 0 && isApplied(state, body)) {
    return { kind: 'ended', end: endOf(newest, unchanged(), 'none') };
  }
  const lostAt = newestEnd(
    state,
    all.map((each) => each.lostCallEndMs),
  );
  const pauseMs = Math.max(settings.lostAnswerMs, settings.timeoutMs);
  const waitMs = lostAt === null ? 0 : Date.parse(lostAt) + pauseMs - nowMs;
  if (waitMs > 0) return head({ kind: 'wait', ms: waitMs });
  const turn = Math.max(state.turn, ...sentTurns) + 1;
  return head({ kind: 'send', progress: { body, sourceVersion, turn, attempts: [], blocked: null } });
}

function endOf(
  { id, progress, sourceVersion, lostCallEndMs: lostMs }: Judgement,
  conclusion: Conclusion,
  effect: ValueEffect,
): ValueEnd {
  const operationIds = progress === null ? [] : operationIdsOf(progress);
  return { id, conclusion, effect, progress, sourceVersion, operationIds, lostCallEndMs: lostMs };
}
