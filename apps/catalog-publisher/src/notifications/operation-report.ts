import type { JsonRecord } from '@gondola/shared/json/json-digits';
import type { CatalogKind } from '../records/catalog-kinds.ts';
import { operationIdsOf } from '@gondola/shared/commands/attempts';
import { mayBeNameless, type RecordAttempt, type RecordProgress } from '../records/record-attempts.ts';

/** Report of a notification without a product report: about a brand, a category, or a failed operation. */
export interface OperationReport {
  /** Rises with the order of storing. */
  readonly id: string;
  readonly operationId: string;
  /** The reported entity; null if the notification names none. */
  readonly entity: { readonly kind: CatalogKind; readonly externalReference: string } | null;
  readonly failed: boolean;
  /** The platform's error object. */
  readonly error: JsonRecord | null;
}

/** Verdict of the stored reports on a record. */
export interface OperationVerdict {
  /** Refusals of this record, by entity. */
  readonly failures: ReadonlyMap<string, JsonRecord | null>;
  /** Entities with a notification without an error. */
  readonly successes: ReadonlySet<string>;
  /** True if the operation of the last attempt failed, other records shared it, and no report names the culprit. */
  readonly someoneFailed: boolean;
}

/** A record whose reports are selected. */
export interface ReportedRecord {
  readonly progress: Pick<RecordProgress, 'attempts'>;
  readonly kind: CatalogKind;
  /** All entities that the record sends, the record's own first. */
  readonly externalReferences: readonly string[];
  /** Operations of the entity's other records, whose reports do not answer this one. */
  readonly otherOperations: ReadonlySet<string>;
}

/**
 * True if a report is about the record: by its operation, or, if an answer named no operation, by its
 * entity and since that attempt (rule 16).
 */
function isAbout(report: OperationReport, record: ReportedRecord): boolean {
  if (operationIdsOf(record.progress).includes(report.operationId)) return true;
  return isOf(report, record) && mayBeNameless(report, record.progress, record.otherOperations);
}

/**
 * Sorts the reports about a record. A failure without an entity belongs to the record of the operation, if no other
 * record shared it.
 */
export function judgeReports(reports: readonly OperationReport[], record: ReportedRecord): OperationVerdict {
  const failures = new Map<string, JsonRecord | null>();
  const successes = new Set<string>();
  let someoneFailed = false;
  for (const report of reports.filter((each) => isAbout(each, record))) {
    const named = isOf(report, record) ? report.entity?.externalReference : undefined;
    if (!report.failed) {
      if (named !== undefined) successes.add(named);
    } else if (named !== undefined) failures.set(named, report.error);
    else if (report.entity === null) {
      const attempt = attemptOf(record, report.operationId);
      if (attempt?.shared !== false) someoneFailed ||= attempt === record.progress.attempts.at(-1);
      else for (const reference of record.externalReferences) failures.set(reference, report.error);
    }
  }
  return { failures, successes, someoneFailed };
}

function isOf({ entity }: OperationReport, { kind, externalReferences }: ReportedRecord): boolean {
  return entity !== null && entity.kind === kind && externalReferences.includes(entity.externalReference);
}

function attemptOf({ progress }: ReportedRecord, operationId: string): RecordAttempt | undefined {
  return progress.attempts.find(({ answer }) => answer.kind === 'accepted' && answer.operationId === operationId);
}
