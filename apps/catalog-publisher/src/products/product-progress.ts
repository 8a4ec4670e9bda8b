import type { FieldReason } from '@gondola/shared/results/reason-codes';
import type { ReadVerdict } from '../product-state/read-back.ts';
import type { RecordProgress } from '../records/record-attempts.ts';

/** What the product was seen to be after so many attempts, by the name that stored rows have. */
interface ProductRead {
  readonly attempts: number;
  readonly verdict: ReadVerdict;
  /** It was read after the deadline: there is no later look. */
  readonly final: boolean;
}

/** What a product's record went through, as it is stored between two lane steps. */
export interface ProductProgress extends RecordProgress {
  readonly warnings: readonly FieldReason[];
  /** The last reading; null before the first. */
  readonly read: ProductRead | null;
}

export function withRead(progress: ProductProgress, verdict: ReadVerdict, final: boolean): ProductProgress {
  return { ...progress, blocked: null, read: { attempts: progress.attempts.length, verdict, final } };
}
