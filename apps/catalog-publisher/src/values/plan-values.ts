import type { ValueKind } from '@gondola/shared/topics/values';
import { operationIdsOf } from '@gondola/shared/commands/attempts';
import { landsUntilMs, laterEndAt, lostCallEndMs } from '@gondola/shared/commands/late-calls';
import { type Conclusion, invalid, superseded, unchanged } from '@gondola/shared/results/conclusion';
import type { Language } from '@gondola/shared/outcomes/reason-codes';
import type { OperationReport } from '../outcomes/operation-report.ts';
import { highest, referenceOf } from '../records/read-record.ts';
import { operationsOf } from '../records/record-attempts.ts';
import type { PublishSettings } from '../records/record-plan.ts';
import { decideAwaiting, missingReasons, type NamedReference, type Waiting } from '../waiting/awaiting.ts';
import type { ValueFilling } from './fill-value.ts';
import { judgeSent, type SentFate } from './judge-value.ts';
import { isApplied, type PreparedValue, prepareValue } from './prepare-value.ts';
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
  /** Oldest first. */
  readonly ends: readonly ValueEnd[];
  readonly head: ({ readonly id: string } & { readonly next: NextValue }) | null;
  /** Milliseconds until one of the others is due; null for none. */
  readonly dueInMs: number | null;
  /** Time up to which notifications must be stored before silence counts; null for none. */
  readonly catchUpToMs: number | null;
}

type Judgement = {
  readonly value: OpenValue;
  readonly sourceVersion: string | null;
  readonly lostCallEndMs: number | null;
} & (
  | { readonly was: 'sent'; readonly fate: SentFate; readonly progress: ValueProgress }
  | { readonly was: 'fresh'; readonly prepared: PreparedValue }
);

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
  const judged = judgeAll(situation, context);
  const ends: ValueEnd[] = [];
  const dues: number[] = [];
  const catchUps: number[] = [];
  let newest: Judgement | null = null;
  let isOvertaken = false;
  for (const each of judged.toReversed()) {
    const fate = each.was === 'sent' ? each.fate : each.prepared;
    if (fate.kind === 'concluded') ends.push(endOf(each, fate.conclusion, fate.effect));
    else if (fate.kind === 'invalid') ends.push(endOf(each, fate.conclusion, 'none'));
    else if (fate.kind === 'exposed' && isOvertaken) ends.push(endOf(each, fate.conclusion, 'in-doubt'));
    else {
      const isAccepted = fate.kind === 'settling' || fate.kind === 'catch-up';
      if (fate.kind === 'catch-up') catchUps.push(fate.untilMs);
      if (fate.kind === 'settling') dues.push(fate.ms);
      if (isOvertaken && !isAccepted) ends.push(endOf(each, superseded(), each.was === 'sent' ? 'in-doubt' : 'none'));
      else if ((fate.kind === 'lost' || fate.kind === 'exposed') && fate.ms > 0) dues.push(fate.ms);
      else if (!isAccepted) newest = each;
      isOvertaken = true;
    }
  }
  const next = newest === null || situation.hasMore ? null : nextOf(newest, judged, situation, context);
  if (next?.kind === 'ended') ends.push(next.end);
  if (situation.hasMore) dues.push(0);
  return {
    ends: ends.toReversed(),
    head: next === null || next.kind === 'ended' ? null : next.head,
    dueInMs: dues.length === 0 ? null : Math.min(...dues),
    catchUpToMs: catchUps.length === 0 ? null : Math.max(...catchUps),
  };
}

/** Prepares records oldest first: each is compared with the highest version before it. */
function judgeAll(
  { values, state, kind, reports, externalReference, filling }: ValueSituation,
  context: ValueContext,
): Judgement[] {
  const { settings } = context;
  const { pastOperationIds } = state;
  const sent = values.flatMap(({ progress }) => (progress === null ? [] : [progress]));
  const lostEnds = new Map(sent.map((each) => [each, lostCallEndMs(each.attempts, settings.timeoutMs)]));
  let latest = state.sourceVersion;
  return values.map((value): Judgement => {
    const { progress, deadlineInMs } = value;
    if (progress !== null && progress.attempts.length > 0) {
      latest = highest(latest, progress.sourceVersion);
      const open = sent.filter((each) => each !== progress);
      const otherOperations = new Set([...pastOperationIds, ...open.flatMap(operationsOf)]);
      const lostAt = newestEnd(
        state,
        open.map((each) => lostEnds.get(each) ?? null),
      );
      const othersLandUntilMs = landsUntilMs(lostAt, settings.timeoutMs);
      const about = { kind, progress, reports, otherOperations, othersLandUntilMs, deadlineInMs };
      const fate = judgeSent({ ...about, ...context }, settings);
      const { sourceVersion } = progress;
      return { value, was: 'sent', fate, progress, sourceVersion, lostCallEndMs: lostEnds.get(progress) ?? null };
    }
    const prepared = prepareValue(recordOf(value, externalReference), latest, context.language, filling);
    latest = highest(latest, prepared.sourceVersion);
    return { value, was: 'fresh', prepared, sourceVersion: prepared.sourceVersion, lostCallEndMs: null };
  });
}

/** End of the newest lost call of a lane, RFC 3339; null for none. */
function newestEnd({ lostCallEndAt }: ValueLaneState, ends: readonly (number | null)[]): string | null {
  return ends.reduce(laterEndAt, lostCallEndAt);
}

/** A warehouse's lane need not be named by the record's reference. */
function recordOf({ value }: OpenValue, externalReference: string) {
  return { value, externalReference: referenceOf({ value }, { externalReference }) };
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
  const head = (next: NextValue): Next => ({ kind: 'head', head: { id: newest.value.id, next } });
  if (newest.was === 'sent') return head({ kind: 'send', progress: newest.progress });
  if (missing !== null) {
    const awaiting = decideAwaiting([missing], newest.value.waiting, nowMs, referencesMs);
    if (awaiting.kind === 'announce' || awaiting.kind === 'wait') return head(awaiting);
    return { kind: 'ended', end: endOf(newest, invalid(missingReasons([missing], language)), 'none') };
  }
  const { prepared } = newest;
  if (prepared.kind === 'invalid') throw new Error('An invalid value cannot be sent');
  const { body } = prepared;
  const sent = all.flatMap((each) => (each.was === 'sent' ? [each.progress.turn] : []));
  if (!prepared.force && sent.length === 0 && isApplied(state, body)) {
    return { kind: 'ended', end: endOf(newest, unchanged(), 'none') };
  }
  const lostAt = newestEnd(
    state,
    all.map((each) => each.lostCallEndMs),
  );
  const pauseMs = Math.max(settings.lostAnswerMs, settings.timeoutMs);
  const waitMs = lostAt === null ? 0 : Date.parse(lostAt) + pauseMs - nowMs;
  if (waitMs > 0) return head({ kind: 'wait', ms: waitMs });
  const turn = Math.max(state.turn, ...sent) + 1;
  return head({
    kind: 'send',
    progress: { body, sourceVersion: prepared.sourceVersion, turn, attempts: [], blocked: null },
  });
}

function endOf(judged: Judgement, conclusion: Conclusion, effect: ValueEffect): ValueEnd {
  const progress = judged.was === 'sent' ? judged.progress : null;
  const operationIds = progress === null ? [] : operationIdsOf(progress);
  const { value, sourceVersion, lostCallEndMs: lostMs } = judged;
  return { id: value.id, conclusion, effect, progress, sourceVersion, operationIds, lostCallEndMs: lostMs };
}
