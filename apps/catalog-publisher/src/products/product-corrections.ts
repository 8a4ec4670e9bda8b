import type { Language } from '@gondola/shared/outcomes/reason-codes';
import { judgeReports, type OperationReport } from '../notifications/operation-report.ts';
import type { StoredReport } from '../notifications/product-report.ts';
import type { Correction, UnconfirmedRecord } from '../product-state/known-product.ts';
import { type LaneOperations, otherOperations } from '../records/record-attempts.ts';
import { concludeByReport, concludeRefused } from './conclude-product.ts';

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
