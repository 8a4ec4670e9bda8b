import type { ReferenceEffect, ReferenceProgress, StoredReference } from './stored-reference.ts';
import type { FinalOutcome } from '@gondola/shared/outcomes/outcomes';
import { highest } from '../records/read-record.ts';
import { pastOperations } from '../records/record-attempts.ts';

/**
 * A record concluded as `applied` on evidence `presumed`, or as `unconfirmed`, stored
 * until a late report corrects it.
 */
export interface SettledRecord {
  readonly commandId: string;
  readonly command: string;
  readonly outcome: FinalOutcome;
  /** `id` of its result. */
  readonly resultId: string;
  readonly progress: ReferenceProgress;
  readonly operationIds: readonly string[];
  /**
   * State of the sent brands or categories before the record, whose end raised each revision by one. The revision is
   * absent in what an earlier version stored.
   */
  readonly before: readonly (Omit<StoredReference, 'inDoubt' | 'revision'> & { readonly revision?: string })[];
  /** RFC 3339. */
  readonly receivedAt: string;
  readonly attempts: number;
  readonly traceparent: string;
}

/** Stored state of a brand's or category's lane between two records. */
export interface ReferenceLaneState {
  /** The highest `sourceVersion` received; decimal text, null before the first. */
  readonly sourceVersion: string | null;
  /** Operations of concluded records, newest last. */
  readonly pastOperationIds: readonly string[];
  /** Records concluded as presumed or unconfirmed, newest last: a late report corrects each once. */
  readonly settled: readonly SettledRecord[];
  /**
   * References that the last changing record made known: their waiting lanes are woken after the transaction that saves
   * this state.
   */
  readonly entered: readonly string[];
}

export const NEW_REFERENCE_LANE: ReferenceLaneState = {
  sourceVersion: null,
  pastOperationIds: [],
  settled: [],
  entered: [],
};

const REMEMBERED_RECORDS = 5;

/** The state after a record's outcome. */
export function afterReferenceRecord(
  state: ReferenceLaneState,
  ended: {
    readonly effect: ReferenceEffect;
    readonly sourceVersion: string | null;
    readonly operationIds: readonly string[];
    readonly settled: SettledRecord | null;
  },
): ReferenceLaneState {
  const { entered, inDoubt, removed } = ended.effect;
  const isChanged = entered.length + inDoubt.length + removed.length > 0;
  return {
    sourceVersion: highest(state.sourceVersion, ended.sourceVersion),
    pastOperationIds: pastOperations(state.pastOperationIds, ended.operationIds),
    settled: [...state.settled, ...(ended.settled === null ? [] : [ended.settled])].slice(-REMEMBERED_RECORDS),
    entered: isChanged ? entered.map(({ externalReference }) => externalReference) : state.entered,
  };
}
