import type { JsonRecord } from '@gondola/shared/json/json-digits';
import type { FieldReason } from '@gondola/shared/outcomes/reason-codes';
import { progressFromText, type RecordProgress } from '../records/record-attempts.ts';

/** Stored state of one brand or category. */
export interface StoredReference {
  readonly externalReference: string;
  /** The whole record as last applied; null if none was. */
  readonly record: JsonRecord | null;
  /** Parent of a category; null at the root and for a brand. */
  readonly parent: string | null;
  /** True if it is in the shop. */
  readonly exists: boolean;
  /** True after a call with an unknown outcome: the shop may have other values than `record`. */
  readonly inDoubt: boolean;
  /** Rises with every change of the row. */
  readonly revision: string;
}

/** One brand or category of a record that is sent. */
export interface SentReference {
  readonly externalReference: string;
  readonly parent: string | null;
  /** The whole record without `children`. */
  readonly record: JsonRecord;
}

/** Effect of a record on brands or categories. */
export interface ReferenceEffect {
  readonly entered: readonly SentReference[];
  /** Sent, with an unknown outcome. */
  readonly inDoubt: readonly string[];
  readonly removed: readonly string[];
  /** Presumed as applied and then refused: their state before the record. */
  readonly restored: readonly Pick<StoredReference, 'externalReference' | 'record' | 'parent' | 'exists'>[];
}

export const NO_REFERENCE_EFFECT: ReferenceEffect = { entered: [], inDoubt: [], removed: [], restored: [] };

/** Progress of a brand or category record, stored between two lane steps. */
export interface ReferenceProgress extends RecordProgress {
  readonly route: 'post' | 'delete';
  /** Absent for none, and in what an earlier version stored. */
  readonly warnings?: readonly FieldReason[];
  /** Set for a removal that products do not prevent (rule 29). */
  readonly isForced?: true;
  /** All sent entities: the record's own first, parents before children; for a delete only its own. */
  readonly sent: readonly SentReference[];
}

export function referenceProgress(text: string | null): ReferenceProgress | null {
  return progressFromText<ReferenceProgress>(text, ['route', 'sent']);
}
