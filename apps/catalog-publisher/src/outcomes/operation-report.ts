import type { JsonRecord } from '@gondola/shared/json/json-digits';
import type { CatalogKind } from '../records/catalog-kinds.ts';
import { isNameless, operationIdsOf } from '@gondola/shared/commands/attempts';
import type { RecordAttempt, RecordProgress } from '../records/record-attempts.ts';

/** What a notification without a product report says: of a brand, a category, or an operation that failed. */
export interface OperationReport {
  /** Rises with the order of storing. */
  readonly id: string;
  readonly operationId: string;
  /** Whom it is about; null where it does not say. */
  readonly entity: { readonly kind: CatalogKind; readonly externalReference: string } | null;
  readonly failed: boolean;
  /** The platform's error object. */
  readonly error: JsonRecord | null;
}

/** What the reports that came say of a record. */
export interface OperationVerdict {
  /** By entity, the refusals that are this record's. */
  readonly failures: ReadonlyMap<string, JsonRecord | null>;
  /** Entities of which a notification without an error came. */
  readonly successes: ReadonlySet<string>;
  /** The operation of the last attempt failed, others shared it, and nobody said over whom. */
  readonly someoneFailed: boolean;
}

/** Whose reports are looked for. */
export interface ReportedRecord {
  readonly progress: Pick<RecordProgress, 'attempts'>;
  readonly kind: CatalogKind;
  /** All entities that the record sends, the record's own first. */
  readonly externalReferences: readonly string[];
  /** Operations of records that ended before: their late reports are no answer to this one. */
  readonly pastOperationIds: ReadonlySet<string>;
}

/**
 * Whether a report is about the record: by its operation; by its entity where an answer named none and it came since
 * (rule 16).
 */
function isAbout(report: OperationReport, record: ReportedRecord): boolean {
  if (operationIdsOf(record.progress).includes(report.operationId)) return true;
  const nameless = record.progress.attempts.find(isNameless);
  if (nameless === undefined || record.pastOperationIds.has(report.operationId)) return false;
  return BigInt(report.id) > BigInt(nameless.seenReportId) && isOf(report, record);
}

/**
 * Sorts the reports that are about a record. A failure that names nobody is of the record whose operation it was, if no
 * others shared it.
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
