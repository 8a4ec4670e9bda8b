import type { FinalOutcome } from '@gondola/shared/results/outcomes';
import type { ReferenceProgress } from './reference-progress.ts';
import type { StoredReference } from './stored-reference.ts';

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
