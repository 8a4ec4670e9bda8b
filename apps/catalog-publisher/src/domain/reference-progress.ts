import { isPlainRecord, type JsonRecord, parseWithDigits } from '@gondola/shared/json/json-digits';
import type { SentReference } from './stored-reference.ts';
import type { RecordProgress } from './record-attempts.ts';

/** What a brand's or category's record went through, as it is kept between two lane steps. */
export interface ReferenceProgress extends RecordProgress {
  readonly route: 'post' | 'delete';
  /** What is posted: the whole brand, or the category with its tree. */
  readonly body: JsonRecord;
  /** All that it sends, parents before children, the record's own first; of a delete its own alone. */
  readonly sent: readonly SentReference[];
  /** Decimal text; null where the ERP gave none. */
  readonly sourceVersion: string | null;
}

/**
 * Progress from its JSON text; null for a record that was not sent yet. Only this app writes it, so another form is a
 * bug.
 */
export function referenceProgressFromText(text: string | null): ReferenceProgress | null {
  if (text === null) return null;
  const value = parseWithDigits(text);
  if (!isPlainRecord(value)) throw new Error('Stored progress has another form');
  return value['body'] === undefined ? null : (value as unknown as ReferenceProgress);
}
