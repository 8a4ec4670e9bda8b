import type { FieldReason } from '@gondola/shared/outcomes/reason-codes';
import type { ReadVerdict } from '../product-state/read-back.ts';
import { progressFromText, type RecordProgress } from '../records/record-attempts.ts';

/** Read-back of the product after a number of attempts; stored rows have these names. */
interface ProductRead {
  readonly attempts: number;
  readonly verdict: ReadVerdict;
  /** True for the last read, after the deadline. */
  readonly final: boolean;
}

/** Progress of a product record, stored between two lane steps. */
export interface ProductProgress extends RecordProgress {
  readonly warnings: readonly FieldReason[];
  /** The last read-back; null before the first. */
  readonly read: ProductRead | null;
}

export function productProgress(text: string | null): ProductProgress | null {
  return progressFromText<ProductProgress>(text, ['warnings', 'read']);
}

export function withRead(progress: ProductProgress, verdict: ReadVerdict, final: boolean): ProductProgress {
  return { ...progress, blocked: null, read: { attempts: progress.attempts.length, verdict, final } };
}
