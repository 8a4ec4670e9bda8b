import type { SettledRecord } from './settled-record.ts';

/** What is known of the records of a brand's or category's lane. */
export interface ReferenceLaneState {
  /** The highest `sourceVersion` that came; decimal text, null before the first. */
  readonly sourceVersion: string | null;
  /** Operations of records that ended, newest last. */
  readonly pastOperationIds: readonly string[];
  /** Records that ended presumed or unconfirmed, newest last: a late report corrects them, once. */
  readonly settled: readonly SettledRecord[];
}

export const NEW_REFERENCE_LANE: ReferenceLaneState = { sourceVersion: null, pastOperationIds: [], settled: [] };

const REMEMBERED_OPERATIONS = 20;
const REMEMBERED_RECORDS = 5;

/** The state after a record ended. */
export function afterReferenceRecord(
  state: ReferenceLaneState,
  ended: {
    readonly changed: boolean;
    readonly sourceVersion: string | null;
    readonly operationIds: readonly string[];
    readonly settled: SettledRecord | null;
  },
): ReferenceLaneState {
  const before = ended.changed ? state.settled.map((record) => ({ ...record, overtaken: true })) : state.settled;
  return {
    sourceVersion: ended.sourceVersion ?? state.sourceVersion,
    pastOperationIds: [...state.pastOperationIds, ...ended.operationIds].slice(-REMEMBERED_OPERATIONS),
    settled: [...before, ...(ended.settled === null ? [] : [ended.settled])].slice(-REMEMBERED_RECORDS),
  };
}
