import { isPlainRecord, type JsonRecord, parseWithDigits } from '@gondola/shared/json/json-digits';
import type { FieldReason } from '@gondola/shared/results/reason-codes';
import type { ReadVerdict } from './read-back.ts';
import type { RecordProgress } from './record-attempts.ts';

/** What the product was seen to be after so many sendings. */
interface ProductRead {
  readonly sendings: number;
  readonly verdict: ReadVerdict;
  /** It was read after the deadline: there is no later look. */
  readonly final: boolean;
}

/** What a record went through, as it is kept between two lane steps. */
export interface ProductProgress extends RecordProgress {
  /** What is posted: the translated record with the ERP's own digits (rule 21). */
  readonly body: JsonRecord;
  readonly warnings: readonly FieldReason[];
  /** Decimal text; null where the ERP gave none. */
  readonly sourceVersion: string | null;
  /** The last reading; null before the first. */
  readonly read: ProductRead | null;
}

/**
 * Progress from its JSON text; null for a record that was not ready yet. Only this app writes it, so another form is a
 * bug.
 */
export function progressFromText(text: string | null): ProductProgress | null {
  if (text === null) return null;
  const value = parseWithDigits(text);
  if (!isPlainRecord(value)) throw new Error('Stored progress has another form');
  return value['body'] === undefined ? null : (value as unknown as ProductProgress);
}

export function withRead(progress: ProductProgress, verdict: ReadVerdict, final: boolean): ProductProgress {
  return { ...progress, blocked: null, read: { sendings: progress.sendings.length, verdict, final } };
}
