import type { JsonRecord } from '@gondola/shared/json/json-digits';
import type { Language } from '@gondola/shared/outcomes/reason-codes';
import { judgeReports, type OperationReport } from '../outcomes/operation-report.ts';
import type { StoredReport } from '../outcomes/product-report.ts';
import { type LaneOperations, otherOperations, type RecordAttempt } from '../records/record-attempts.ts';
import { type Concluded, concludeByReport, concludeRefused } from './conclude-product.ts';

/** A record concluded as `unconfirmed`, stored until a late report of the platform corrects it. */
export interface UnconfirmedRecord {
  readonly commandId: string;
  readonly command: string;
  /** `id` of its result. */
  readonly resultId: string;
  readonly body: JsonRecord;
  readonly calls: readonly RecordAttempt[];
  readonly operationIds: readonly string[];
  /** RFC 3339. */
  readonly receivedAt: string;
  readonly attempts: number;
  readonly traceparent: string;
  /** True if a later record has changed the product. */
  readonly overtaken: boolean;
}

/** Late outcome of an `unconfirmed` record. */
export interface Correction {
  readonly record: UnconfirmedRecord;
  readonly concluded: Concluded;
}

/**
 * Finds late outcomes among the reports (guarantee 3: after `unconfirmed` at most one `corrected`). Only a report of
 * the record's own operation counts. The effect of an overtaken record on the product stays unknown.
 */
export function findCorrections(
  unconfirmed: readonly UnconfirmedRecord[],
  { reports, operationReports }: LateReports,
  externalReference: string,
  { language, operations }: { readonly language: Language; readonly operations: LaneOperations },
): Correction[] {
  return unconfirmed.flatMap((record) => {
    const late = reports.findLast(({ operationId }) => record.operationIds.includes(operationId));
    const { failures } = judgeReports(operationReports, {
      progress: { attempts: record.calls },
      kind: 'product',
      externalReferences: [externalReference],
      otherOperations: otherOperations(operations, { attempts: record.calls }),
    });
    if (late === undefined) {
      const error = failures.get(externalReference);
      return error === undefined ? [] : [{ record, concluded: concludeRefused(record.body, error, 'event', language) }];
    }
    const { conclusion, effect } = concludeByReport(record.body, late.report, language);
    if (!record.overtaken || effect.kind === 'none') return [{ record, concluded: { conclusion, effect } }];
    return [{ record, concluded: { conclusion, effect: { kind: 'in-doubt' as const, body: record.body } } }];
  });
}

/** Late reports about a product, and about its operations. */
export interface LateReports {
  readonly reports: readonly StoredReport[];
  readonly operationReports: readonly OperationReport[];
}
