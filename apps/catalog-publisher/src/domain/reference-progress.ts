import type { SentReference } from './stored-reference.ts';
import type { RecordProgress } from './record-attempts.ts';

/** What a brand's or category's record went through, as it is stored between two lane steps. */
export interface ReferenceProgress extends RecordProgress {
  readonly route: 'post' | 'delete';
  /** All that it sends, parents before children, the record's own first; of a delete its own alone. */
  readonly sent: readonly SentReference[];
}
