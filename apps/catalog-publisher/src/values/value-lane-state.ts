import type { JsonRecord } from '@gondola/shared/json/json-digits';
import type { FinalOutcome } from '@gondola/shared/results/outcomes';
import type { RecordProgress } from '../records/record-attempts.ts';

/** What a value's record went through, as it is stored between two lane steps. */
export interface ValueProgress extends RecordProgress {
  /** Rises with each value of the lane that is sent. */
  readonly turn: number;
}

/** What the end of a record says of the platform's value: it is the record's, it may be, or it is as before. */
export type ValueEffect = 'entered' | 'in-doubt' | 'none';

/** A record that ended `applied` on evidence `presumed`, or `unconfirmed`: a late report corrects it, once. */
export interface SettledValue {
  readonly commandId: string;
  readonly command: string;
  readonly outcome: FinalOutcome;
  /** `id` of the result that said so. */
  readonly resultId: string;
  readonly progress: ValueProgress;
  readonly operationIds: readonly string[];
  /** RFC 3339. */
  readonly receivedAt: string;
  readonly attempts: number;
  readonly traceparent: string;
}

/** What is known of the price, warehouse or stock of a lane. */
export interface ValueLaneState {
  /** The highest `sourceVersion` that came; decimal text, null before the first. */
  readonly sourceVersion: string | null;
  /** What the platform has; null: nothing is known of it. */
  readonly applied: JsonRecord | null;
  /** When the platform was last seen to take it, RFC 3339; null: not yet. Shown to operators, decides nothing. */
  readonly appliedAt: string | null;
  /** Turn of the value that `applied` is about. */
  readonly turn: number;
  /** Operations of records that ended, newest last. */
  readonly pastOperationIds: readonly string[];
  /** Newest last. */
  readonly settled: readonly SettledValue[];
}

export const NEW_VALUE_LANE: ValueLaneState = {
  sourceVersion: null,
  applied: null,
  appliedAt: null,
  turn: 0,
  pastOperationIds: [],
  settled: [],
};

const REMEMBERED_OPERATIONS = 20;
const REMEMBERED_VALUES = 5;

/** The end of a record, as its lane remembers it. */
export interface EndedValue {
  /** Null: nothing was sent. */
  readonly progress: ValueProgress | null;
  readonly effect: ValueEffect;
  readonly sourceVersion: string | null;
  readonly operationIds: readonly string[];
  /** Where a late report may still correct it. */
  readonly settled: SettledValue | null;
  /** RFC 3339. */
  readonly at: string;
}

/** The state after a record ended. An older value that ends after a newer one says nothing of what the platform has. */
export function afterValue(state: ValueLaneState, ended: EndedValue): ValueLaneState {
  const { progress, effect, operationIds, settled, at } = ended;
  const known = progress === null ? state : withEffect(state, { ...progress, effect, at });
  return {
    ...known,
    sourceVersion: highest(state.sourceVersion, ended.sourceVersion),
    pastOperationIds: [...state.pastOperationIds, ...operationIds].slice(-REMEMBERED_OPERATIONS),
    settled: [...state.settled, ...(settled === null ? [] : [settled])].slice(-REMEMBERED_VALUES),
  };
}

/** The state after a late outcome was published. */
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

/** The higher of two versions, as decimal text. */
export function highest(one: string | null, other: string | null): string | null {
  if (one === null || other === null) return one ?? other;
  return BigInt(one) < BigInt(other) ? other : one;
}
