import { type Attempt, type AttemptProgress, isNameless, operationIdsOf } from '@gondola/shared/commands/attempts';
import { isPlainRecord, type JsonRecord, parseWithDigits, stringifyWithDigits } from '@gondola/shared/json/json-digits';

/** One call that may have reached the platform's queue. */
export interface RecordAttempt extends Attempt {
  /** The newest report stored before the attempt: older reports do not answer it. */
  readonly seenReportId: string;
  /** True if other records were in the same call. */
  readonly shared: boolean;
}

/** Progress of a record of any kind, stored between two lane steps. */
export interface RecordProgress extends AttemptProgress<RecordAttempt> {
  /** Body to post: the translated record with the ERP's own digits (rule 21). */
  readonly body: JsonRecord;
  /** Decimal text; null where the ERP gave none. */
  readonly sourceVersion: string | null;
}

/**
 * The newest report of one of our operations. If an answer named no operation: the newest report since that attempt
 * that belongs to no concluded operation (rules 16, 25).
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

/** More than the attempts of the last days; a later report belongs to no record. */
const REMEMBERED_OPERATIONS = 20;

/** The operations of concluded records, newest last, after a record's outcome; the oldest are forgotten. */
export function pastOperations(before: readonly string[], ended: readonly string[]): readonly string[] {
  return [...before, ...ended].slice(-REMEMBERED_OPERATIONS);
}

/**
 * Progress from its JSON text; null for an unprepared record. Only this app writes it, so any other form is a bug.
 */
export function progressFromText(text: string | null): RecordProgress | null {
  if (text === null) return null;
  const value = parseWithDigits(text);
  if (!isPlainRecord(value)) throw new Error('The stored progress of a record has an unknown form');
  return value['body'] === undefined ? null : (value as unknown as RecordProgress);
}

/** Progress as JSON text, in the digits of the record. */
export function progressToText(progress: RecordProgress): string {
  return stringifyWithDigits(progress as unknown as JsonRecord);
}
