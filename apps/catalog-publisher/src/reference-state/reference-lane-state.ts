import type { ReferenceEffect, ReferenceProgress, StoredReference } from './stored-reference.ts';
import type { FinalOutcome } from '@gondola/shared/results/outcomes';

/**
 * A record that ended `applied` on evidence `presumed`, or `unconfirmed`, as it is remembered until a report says
 * otherwise.
 */
export interface SettledRecord {
  readonly commandId: string;
  readonly command: string;
  readonly outcome: FinalOutcome;
  /** `id` of the result that said so. */
  readonly resultId: string;
  readonly progress: ReferenceProgress;
  readonly operationIds: readonly string[];
  /** What it sent, as it was known before. */
  readonly before: readonly Pick<StoredReference, 'externalReference' | 'record' | 'parent' | 'exists'>[];
  /** RFC 3339. */
  readonly receivedAt: string;
  readonly attempts: number;
  readonly traceparent: string;
  /** A later record changed the same since. */
  readonly overtaken: boolean;
}

/** What is known of the records of a brand's or category's lane. */
export interface ReferenceLaneState {
  /** The highest `sourceVersion` that came; decimal text, null before the first. */
  readonly sourceVersion: string | null;
  /** Operations of records that ended, newest last. */
  readonly pastOperationIds: readonly string[];
  /** Records that ended presumed or unconfirmed, newest last: a late report corrects them, once. */
  readonly settled: readonly SettledRecord[];
  /**
   * What the last record that changed something made known: who waits for these is woken after the transaction that
   * saves this.
   */
  readonly entered: readonly string[];
}

export const NEW_REFERENCE_LANE: ReferenceLaneState = {
  sourceVersion: null,
  pastOperationIds: [],
  settled: [],
  entered: [],
};

const REMEMBERED_OPERATIONS = 20;
const REMEMBERED_RECORDS = 5;

/** The state after a record ended. */
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
  const before = isChanged ? state.settled.map((record) => ({ ...record, overtaken: true })) : state.settled;
  return {
    sourceVersion: ended.sourceVersion ?? state.sourceVersion,
    pastOperationIds: [...state.pastOperationIds, ...ended.operationIds].slice(-REMEMBERED_OPERATIONS),
    settled: [...before, ...(ended.settled === null ? [] : [ended.settled])].slice(-REMEMBERED_RECORDS),
    entered: isChanged ? entered.map(({ externalReference }) => externalReference) : state.entered,
  };
}
