import { type Attempt, type AttemptProgress, isNameless, operationIdsOf } from '@gondola/shared/commands/attempts';
import { type JsonRecord, stringifyWithDigits } from '@gondola/shared/json/json-digits';

/** One call that may have reached the platform's queue. */
export interface RecordAttempt extends Attempt {
  /** The newest report stored when it was written down: what was there before is no answer to it. */
  readonly seenReportId: string;
  /** Other records went in the same call. */
  readonly shared: boolean;
}

/** The part of a record's progress that is about its attempts. */
export type RecordProgress = AttemptProgress<RecordAttempt>;

/**
 * The newest report of one of our operations; where an answer named none, the newest that came since that attempt and
 * is of no operation that ended (rules 16, 25).
 */
export function answeringReport<R extends { readonly id: string; readonly operationId: string }>(
  { sendings }: Pick<RecordProgress, 'sendings'>,
  reports: readonly R[],
  pastOperationIds: ReadonlySet<string>,
): R | null {
  const own = new Set(operationIdsOf({ sendings }));
  const ours = reports.findLast(({ operationId }) => own.has(operationId));
  if (ours !== undefined) return ours;
  const nameless = sendings.find(isNameless);
  if (nameless === undefined) return null;
  const since = BigInt(nameless.seenReportId);
  return reports.findLast(({ id, operationId }) => BigInt(id) > since && !pastOperationIds.has(operationId)) ?? null;
}

/** Progress as JSON text, digits kept. */
export function progressToText(progress: RecordProgress): string {
  return stringifyWithDigits(progress as unknown as JsonRecord);
}
