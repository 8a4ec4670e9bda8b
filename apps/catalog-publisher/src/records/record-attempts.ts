import { type Attempt, type AttemptProgress, isNameless, operationIdsOf } from '@gondola/shared/commands/attempts';
import { isPlainRecord, type JsonRecord, parseWithDigits, stringifyWithDigits } from '@gondola/shared/json/json-digits';

/** One call that may have reached the platform's queue. */
export interface RecordAttempt extends Attempt {
  /** The newest report stored when it was written down: what was there before is no answer to it. */
  readonly seenReportId: string;
  /** Other records went in the same call. */
  readonly shared: boolean;
}

/** What a record of any kind went through, as it is stored between two lane steps. */
export interface RecordProgress extends AttemptProgress<RecordAttempt> {
  /** What is posted: the translated record with the ERP's own digits (rule 21). */
  readonly body: JsonRecord;
  /** Decimal text; null where the ERP gave none. */
  readonly sourceVersion: string | null;
}

/**
 * The newest report of one of our operations; where an answer named none, the newest that came since that attempt and
 * is of no operation that ended (rules 16, 25).
 */
export function answeringReport<R extends { readonly id: string; readonly operationId: string }>(
  { attempts }: Pick<RecordProgress, 'attempts'>,
  reports: readonly R[],
  pastOperationIds: ReadonlySet<string>,
): R | null {
  const own = new Set(operationIdsOf({ attempts }));
  const ours = reports.findLast(({ operationId }) => own.has(operationId));
  if (ours !== undefined) return ours;
  const nameless = attempts.find(isNameless);
  if (nameless === undefined) return null;
  const since = BigInt(nameless.seenReportId);
  return reports.findLast(({ id, operationId }) => BigInt(id) > since && !pastOperationIds.has(operationId)) ?? null;
}

/**
 * Progress from its JSON text; null for a record that was not ready yet. Only this app writes it, so another form is a
 * bug.
 */
export function progressFromText(text: string | null): RecordProgress | null {
  if (text === null) return null;
  const value = parseWithDigits(text);
  if (!isPlainRecord(value)) throw new Error('Stored progress has another form');
  return value['body'] === undefined ? null : (value as unknown as RecordProgress);
}

/** Progress as JSON text, in the digits of the record. */
export function progressToText(progress: RecordProgress): string {
  return stringifyWithDigits(progress as unknown as JsonRecord);
}
