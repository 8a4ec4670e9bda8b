import { type Attempt, type AttemptProgress, isNameless, operationIdsOf } from '@gondola/shared/commands/attempts';
import type { JsonRecord } from '@gondola/shared/json/json-digits';
import { objectFromText, objectWith } from './stored-text.ts';

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
 * that belongs to no other record's operation (rules 16, 25).
 *
 * @param others operations of the entity's other records
 */
export function answeringReport<R extends { readonly id: string; readonly operationId: string }>(
  { attempts }: Pick<RecordProgress, 'attempts'>,
  reports: readonly R[],
  others: ReadonlySet<string>,
): R | null {
  const own = new Set(operationIdsOf({ attempts }));
  const ours = reports.findLast(({ operationId }) => own.has(operationId));
  if (ours !== undefined) return ours;
  return reports.findLast((report) => mayBeNameless(report, { attempts }, others)) ?? null;
}

/**
 * True if a report may be of an attempt whose answer named no operation: it came since, and is of no other record. With
 * two such records in a row nobody knows whose it is, so that only the next attempt or a read tells.
 */
export function mayBeNameless(
  { id, operationId }: { readonly id: string; readonly operationId: string },
  { attempts }: Pick<RecordProgress, 'attempts'>,
  others: ReadonlySet<string>,
): boolean {
  const nameless = attempts.find(isNameless);
  if (nameless === undefined || others.has(operationId) || others.has(UNNAMED_OPERATION)) return false;
  return BigInt(id) > BigInt(nameless.seenReportId);
}

/** Stands among the operations of a record for one that no answer named. */
const UNNAMED_OPERATION = 'unnamed';

/** Operations of a record, by which the reports of other records are told from its own. */
export function operationsOf(progress: Pick<RecordProgress, 'attempts'> | null): string[] {
  if (progress === null) return [];
  return [...operationIdsOf(progress), ...(progress.attempts.some(isNameless) ? [UNNAMED_OPERATION] : [])];
}

/** Operations of an entity's records. */
export interface LaneOperations {
  /** Those of its concluded records. */
  readonly past: readonly string[];
  readonly open: readonly Pick<RecordProgress, 'attempts'>[];
}

/** Operations of all records of an entity but a concluded one. */
export function otherOperations(
  { past, open }: LaneOperations,
  own: Pick<RecordProgress, 'attempts'>,
): ReadonlySet<string> {
  const others = [...past];
  for (const operation of operationsOf(own)) {
    const index = others.lastIndexOf(operation);
    if (index >= 0) others.splice(index, 1);
  }
  return new Set([...others, ...open.flatMap(operationsOf)]);
}

/** More than the attempts of the last days; a later report belongs to no record. */
const REMEMBERED_OPERATIONS = 20;

/** The operations of concluded records, newest last, after a record's outcome; the oldest are forgotten. */
export function pastOperations(before: readonly string[], ended: readonly string[]): readonly string[] {
  return [...before, ...ended].slice(-REMEMBERED_OPERATIONS);
}

/** Progress of a kind from its JSON text, with all its `keys`; null for an unprepared record. */
export function progressFromText<P extends RecordProgress>(
  text: string | null,
  keys: readonly (keyof P & string)[],
): P | null {
  if (text === null) return null;
  const value = objectFromText<Partial<P>>(text);
  return value.body === undefined ? null : objectWith<P>(value, ['attempts', ...keys]);
}
