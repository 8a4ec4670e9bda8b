import type { JsonRecord } from '@gondola/shared/json/json-digits';
import type { RecordProgress } from '../records/record-attempts.ts';

/** One brand or category as it is known. */
export interface StoredReference {
  readonly externalReference: string;
  /** Whole, as last applied; null where nothing was. */
  readonly record: JsonRecord | null;
  /** Of a category; null at the root, and of a brand. */
  readonly parent: string | null;
  /** It is in the shop. */
  readonly exists: boolean;
  /** Something was sent over it, and nobody knows whether it entered: it may have other values than `record`. */
  readonly inDoubt: boolean;
  /** Rises with every change of the row. */
  readonly revision: string;
}

/** One brand or category as a record sends it. */
export interface SentReference {
  readonly externalReference: string;
  readonly parent: string | null;
  /** Whole, without `children`. */
  readonly record: JsonRecord;
}

/** What a record changed among brands or categories. */
export interface ReferenceEffect {
  readonly entered: readonly SentReference[];
  /** Sent, and nobody knows. */
  readonly inDoubt: readonly string[];
  readonly removed: readonly string[];
  /** What had been taken for entered and was not: as it was before. */
  readonly restored: readonly Pick<StoredReference, 'externalReference' | 'record' | 'parent' | 'exists'>[];
}

export const NO_REFERENCE_EFFECT: ReferenceEffect = { entered: [], inDoubt: [], removed: [], restored: [] };

/** What a brand's or category's record went through, as it is stored between two lane steps. */
export interface ReferenceProgress extends RecordProgress {
  readonly route: 'post' | 'delete';
  /** All that it sends, parents before children, the record's own first; of a delete its own alone. */
  readonly sent: readonly SentReference[];
}
