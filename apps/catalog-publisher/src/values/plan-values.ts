import { operationIdsOf } from '@gondola/shared/commands/attempts';
import type { JsonRecord } from '@gondola/shared/json/json-digits';
import { type Conclusion, invalid, superseded, unchanged } from '@gondola/shared/results/conclusion';
import type { Language } from '@gondola/shared/results/reason-codes';
import type { OperationReport } from '../outcomes/operation-report.ts';
import type { ValueKind } from '../records/catalog-kinds.ts';
import type { PublishSettings } from '../records/record-plan.ts';
import { decideAwaiting, missingReasons, type NamedReference, type Waiting } from '../waiting/awaiting.ts';
import { judgeSent, type SentFate } from './judge-value.ts';
import { isApplied, type PreparedValue, prepareValue } from './prepare-value.ts';
import { highest, type ValueEffect, type ValueLaneState, type ValueProgress } from './value-lane-state.ts';

/** An open record of a lane. */
export interface OpenValue {
  readonly id: string;
  /** The record's value; null in a tombstone. */
  readonly value: Uint8Array | null;
  /** Null before it was ready to be sent. */
  readonly progress: ValueProgress | null;
  /** What its last `waiting` result names. */
  readonly waiting: Waiting | null;
  readonly deadlineInMs: number | null;
}

/** What is known around the open records of a lane. */
export interface ValueSituation {
  readonly kind: ValueKind;
  readonly externalReference: string;
  readonly state: ValueLaneState;
  /** Oldest first. */
  readonly values: readonly OpenValue[];
  /** There are newer ones, which were not loaded. */
  readonly hasMore: boolean;
  readonly reports: readonly OperationReport[];
  /** The SKU that has to be known, and is not. */
  readonly missing: NamedReference | null;
  /** What is posted of a record's `data`: with the fields of the wire profile. */
  readonly bodyOf: (data: JsonRecord) => JsonRecord;
}

export interface ValueContext {
  readonly language: Language;
  readonly settings: PublishSettings;
  /** From the first `waiting` to `REFERENCE_MISSING`. */
  readonly referencesMs: number;
  readonly nowMs: number;
  readonly consumedUpToMs: number | null;
}

/** How a record ends. */
export interface ValueEnd {
  readonly id: string;
  readonly conclusion: Conclusion;
  readonly effect: ValueEffect;
  /** Null: nothing was sent. */
  readonly progress: ValueProgress | null;
  readonly sourceVersion: string | null;
  readonly operationIds: readonly string[];
}

/** What the lane does next for the value that goes to the platform. */
type NextValue =
  | { readonly kind: 'send'; readonly progress: ValueProgress }
  | { readonly kind: 'announce'; readonly waiting: Waiting }
  | { readonly kind: 'wait'; readonly ms: number };

export interface ValuePlan {
  /** Oldest first. */
  readonly ends: readonly ValueEnd[];
  readonly head: ({ readonly id: string } & { readonly next: NextValue }) | null;
  /** When one of the others is looked at; null: none is. */
  readonly dueInMs: number | null;
  /** Notifications up to that time have to be stored before a silence counts; null: none has to. */
  readonly catchUpToMs: number | null;
}

/** A SKU that is not known is looked for so often, in case the process that published it ended before it woke this. */
const SKU_LOOK_MS = 60_000;

type Judged = { readonly value: OpenValue; readonly sourceVersion: string | null } & (
  | { readonly was: 'sent'; readonly fate: SentFate; readonly progress: ValueProgress }
  | { readonly was: 'fresh'; readonly prepared: PreparedValue }
);

/**
 * The next step of a lane of absolute values (rule 30). Pure.
 *
 *   newest that is valid ──▶ sent, once no older one's answer may still be under way ──▶ settles beside the next one
 *   older ones, not sent, or whose answer was lost ────────────────────────────────────▶ superseded
 *   those that the platform accepted ───────────────────────────────▶ applied or refused, each by what is said of it
 */
export function planValues(situation: ValueSituation, context: ValueContext): ValuePlan {
  const judged = judgeAll(situation, context);
  const ends: ValueEnd[] = [];
  const dues: number[] = [];
  const catchUps: number[] = [];
  let head: { readonly judged: Judged } | null = null;
  let freeInMs = 0;
  let isOvertaken = false;
  for (const each of judged.toReversed()) {
    const fate = each.was === 'sent' ? each.fate : each.prepared;
    if (fate.kind === 'concluded') ends.push(endOf(each, fate.conclusion, fate.effect));
    else if (fate.kind === 'invalid') ends.push(endOf(each, fate.conclusion, 'none'));
    else {
      if (fate.kind === 'lost') freeInMs = Math.max(freeInMs, fate.freeInMs);
      const isUnderWay =
        fate.kind === 'settling' || fate.kind === 'catch-up' || (fate.kind === 'lost' && fate.freeInMs > 0);
      if (fate.kind === 'catch-up') catchUps.push(fate.untilMs);
      if (isOvertaken && !isUnderWay) ends.push(endOf(each, superseded(), each.was === 'sent' ? 'in-doubt' : 'none'));
      else if (fate.kind === 'settling' || fate.kind === 'lost') dues.push(fate.ms);
      else if (!isUnderWay) head = { judged: each };
      isOvertaken = true;
    }
  }
  const next = head === null || situation.hasMore ? null : nextOf(head.judged, judged, freeInMs, situation, context);
  if (next?.kind === 'ended') ends.push(next.end);
  if (situation.hasMore) dues.push(0);
  return {
    ends: ends.toReversed(),
    head: next === null || next.kind === 'ended' ? null : next.head,
    dueInMs: dues.length === 0 ? null : Math.min(...dues),
    catchUpToMs: catchUps.length === 0 ? null : Math.max(...catchUps),
  };
}

/** Oldest first, so that each is held against the highest version before it. */
function judgeAll(
  { values, state, kind, reports, externalReference }: ValueSituation,
  context: ValueContext,
): Judged[] {
  const pastOperationIds = new Set(state.pastOperationIds);
  let latest = state.sourceVersion;
  return values.map((value): Judged => {
    const { progress, deadlineInMs } = value;
    if (progress !== null && progress.attempts.length > 0) {
      latest = highest(latest, progress.sourceVersion);
      const fate = judgeSent({ kind, progress, reports, pastOperationIds, deadlineInMs, ...context }, context.settings);
      return { value, was: 'sent', fate, progress, sourceVersion: progress.sourceVersion };
    }
    const prepared = prepareValue({ value: value.value, externalReference }, latest, context.language);
    latest = highest(latest, prepared.sourceVersion);
    return { value, was: 'fresh', prepared, sourceVersion: prepared.sourceVersion };
  });
}

type Next =
  | { readonly kind: 'head'; readonly head: NonNullable<ValuePlan['head']> }
  | { readonly kind: 'ended'; readonly end: ValueEnd };

/** The newest value: it goes now, or waits for an answer that may still come, or for its SKU. */
function nextOf(
  newest: Judged,
  all: readonly Judged[],
  freeInMs: number,
  { state, missing, bodyOf }: ValueSituation,
  { language, nowMs, referencesMs }: ValueContext,
): Next {
  const head = (next: NextValue): Next => ({ kind: 'head', head: { id: newest.value.id, next } });
  if (newest.was === 'sent') {
    return head(freeInMs > 0 ? { kind: 'wait', ms: freeInMs } : { kind: 'send', progress: newest.progress });
  }
  if (missing !== null) {
    const awaiting = decideAwaiting([missing], newest.value.waiting, nowMs, referencesMs);
    if (awaiting.kind === 'announce') return head(awaiting);
    if (awaiting.kind === 'wait') return head({ kind: 'wait', ms: Math.min(awaiting.ms, SKU_LOOK_MS) });
    return { kind: 'ended', end: endOf(newest, invalid(missingReasons([missing], language)), 'none') };
  }
  const { prepared } = newest;
  if (prepared.kind === 'invalid') throw new Error('A value that is invalid is not sent');
  const body = bodyOf(prepared.data);
  const sent = all.flatMap((each) => (each.was === 'sent' ? [each.progress.turn] : []));
  if (!prepared.force && sent.length === 0 && isApplied(state, body)) {
    return { kind: 'ended', end: endOf(newest, unchanged(), 'none') };
  }
  if (freeInMs > 0) return head({ kind: 'wait', ms: freeInMs });
  const turn = Math.max(state.turn, ...sent) + 1;
  return head({
    kind: 'send',
    progress: { body, sourceVersion: prepared.sourceVersion, turn, attempts: [], blocked: null },
  });
}

function endOf(judged: Judged, conclusion: Conclusion, effect: ValueEffect): ValueEnd {
  const progress = judged.was === 'sent' ? judged.progress : null;
  const operationIds = progress === null ? [] : operationIdsOf(progress);
  return { id: judged.value.id, conclusion, effect, progress, sourceVersion: judged.sourceVersion, operationIds };
}
