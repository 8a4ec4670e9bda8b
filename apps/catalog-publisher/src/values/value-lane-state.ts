import { laterEndAt } from '@gondola/shared/commands/late-calls';
import type { JsonRecord } from '@gondola/shared/json/json-digits';
import type { FinalOutcome } from '@gondola/shared/outcomes/outcomes';
import type { ResultEntity } from '@gondola/shared/results/result';
import { highest } from '../records/read-record.ts';
import { operationsOf, pastOperations, progressFromText, type RecordProgress } from '../records/record-attempts.ts';

/** Progress of a value's record, stored between two lane steps. */
export interface ValueProgress extends RecordProgress {
  /** Counts the sent values of the lane. */
  readonly turn: number;
}

export function valueProgress(text: string | null): ValueProgress | null {
  return progressFromText<ValueProgress>(text, ['turn']);
}

/** Effect of a concluded record on the platform's value: it is the record's, it may be, or it is unchanged. */
export type ValueEffect = 'entered' | 'in-doubt' | 'none';

/** A record concluded as `applied` on evidence `presumed`, or as `unconfirmed`: a late report corrects it once. */
export interface SettledValue {
  readonly commandId: string;
  readonly command: string;
  readonly outcome: FinalOutcome;
  /** `id` of its result. */
  readonly resultId: string;
  /** Entity of that result; absent in what an earlier version stored. */
  readonly entity?: ResultEntity;
  readonly progress: ValueProgress;
  readonly operationIds: readonly string[];
  /** RFC 3339. */
  readonly receivedAt: string;
  readonly attempts: number;
  readonly traceparent: string;
}

/** Stored state of a price's, warehouse's or stock's lane. */
export interface ValueLaneState {
  /** The highest `sourceVersion` received; decimal text, null before the first. */
  readonly sourceVersion: string | null;
  /** The platform's value; null if unknown. */
  readonly applied: JsonRecord | null;
  /** Time of the last known acceptance, RFC 3339, for operators only; null before it. */
  readonly appliedAt: string | null;
  /** Turn of the value in `applied`. */
  readonly turn: number;
  /** End of the newest call of a concluded record whose answer was lost, RFC 3339; null for none. */
  readonly lostCallEndAt: string | null;
  /** Operations of concluded records, newest last. */
  readonly pastOperationIds: readonly string[];
  /** Newest last. */
  readonly settled: readonly SettledValue[];
  /** True once the lanes were looked at that an earlier version had for the same value under other names. */
  readonly isMerged: boolean;
}

export const NEW_VALUE_LANE: ValueLaneState = {
  sourceVersion: null,
  applied: null,
  appliedAt: null,
  turn: 0,
  lostCallEndAt: null,
  pastOperationIds: [],
  settled: [],
  isMerged: false,
};

const REMEMBERED_VALUES = 5;

/** Outcome of a record for its lane's state. */
export interface EndedValue {
  /** Null: nothing was sent. */
  readonly progress: ValueProgress | null;
  readonly effect: ValueEffect;
  readonly sourceVersion: string | null;
  /** End of its newest call whose answer was lost, in milliseconds since 1970; null for none. */
  readonly lostCallEndMs: number | null;
  /** Set if a late report may still correct it. */
  readonly settled: SettledValue | null;
  /** RFC 3339. */
  readonly at: string;
}

/** The state after a record's outcome. An older value concluded after a newer one does not change `applied`. */
export function afterValue(state: ValueLaneState, ended: EndedValue): ValueLaneState {
  const { progress, effect, settled, at } = ended;
  const known = progress === null ? state : withEffect(state, { ...progress, effect, at });
  return {
    ...known,
    sourceVersion: highest(state.sourceVersion, ended.sourceVersion),
    lostCallEndAt: laterEndAt(state.lostCallEndAt, ended.lostCallEndMs),
    pastOperationIds: pastOperations(state.pastOperationIds, operationsOf(progress)),
    settled: [...state.settled, ...(settled === null ? [] : [settled])].slice(-REMEMBERED_VALUES),
  };
}

/** The state after a correction was published. */
export function afterCorrection(
  state: ValueLaneState,
  record: SettledValue,
  { effect, at }: { readonly effect: ValueEffect; readonly at: string },
): ValueLaneState {
  return {
    ...withEffect(state, { ...record.progress, effect, at }),
    settled: state.settled.filter((each) => each !== record),
  };
}

function withEffect(
  state: ValueLaneState,
  { body, turn, effect, at }: Pick<ValueProgress, 'body' | 'turn'> & { effect: ValueEffect; at: string },
): ValueLaneState {
  if (effect === 'none' || turn < state.turn) return state;
  if (effect === 'in-doubt') return { ...state, applied: null, turn };
  return { ...state, applied: body, appliedAt: at, turn };
}

/**
 * The state of a lane whose value an earlier version had in further lanes, under other names: nobody knows which of
 * them was sent last, so that the platform's value is unknown.
 */
export function mergedState(
  state: ValueLaneState,
  others: readonly Pick<ValueLaneState, 'sourceVersion' | 'lostCallEndAt'>[],
): ValueLaneState {
  if (others.length === 0) return { ...state, isMerged: true };
  const sourceVersion = others.reduce((latest, other) => highest(latest, other.sourceVersion), state.sourceVersion);
  const ends = others.map((other) => (other.lostCallEndAt === null ? null : Date.parse(other.lostCallEndAt)));
  const lostCallEndAt = ends.reduce(laterEndAt, state.lostCallEndAt);
  return { ...state, sourceVersion, lostCallEndAt, applied: null, isMerged: true };
}
