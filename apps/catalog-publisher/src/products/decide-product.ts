import { hasConsumed, lookInMs } from '@gondola/shared/commands/retry';
import type { Language } from '@gondola/shared/results/reason-codes';
import { skuReferences } from './applied-product.ts';
import { unconfirmed } from './product-conclusion.ts';
import { judgeReports, type OperationReport } from '../outcomes/operation-report.ts';
import type { ProductProgress } from './product-progress.ts';
import type { StoredReport } from '../outcomes/product-report.ts';
import { answeringReport, type RecordAttempt } from '../records/record-attempts.ts';
import type { PublishSettings } from '../records/record-plan.ts';
import { type Settled, settleByReadBack, settleByReport, settleRefused } from './settle-report.ts';

type ProductSettings = Omit<PublishSettings, 'settleMs'>;

/** What is to be done next for the oldest open record of a product that has been prepared. */
export type Decision =
  | { readonly kind: 'conclude'; readonly settled: Settled; readonly anomaly: boolean }
  | { readonly kind: 'send' }
  /** `final`: the deadline has passed, and what is read now decides. */
  | { readonly kind: 'read'; readonly final: boolean }
  | { readonly kind: 'wait'; readonly ms: number }
  /** Notifications up to that time (milliseconds since 1970) have to be stored before a silence counts. */
  | { readonly kind: 'catch-up'; readonly untilMs: number };

export interface ProductSituation {
  readonly progress: ProductProgress;
  readonly externalReference: string;
  readonly reports: readonly StoredReport[];
  /** What came of its operations beside reports of the product. */
  readonly operationReports: readonly OperationReport[];
  /** Operations of records that ended before: their late reports are no answer to this one. */
  readonly pastOperationIds: ReadonlySet<string>;
  /** Milliseconds left, by the database's clock; null before the first sending. */
  readonly deadlineInMs: number | null;
  readonly nowMs: number;
  readonly language: Language;
  /**
   * Notifications up to then have been stored; null while that is not known. A later silence may be one of ours only
   * (rule 5).
   */
  readonly consumedUpToMs: number | null;
}

/**
 * One product record on its way (rules 5, 16, 25, 26, 27). Pure: everything it looks at is an argument.
 *
 *   prepared ──▶ send ──▶ sent ── report of our operation ─────────────▶ applied or refused   event
 *                 ▲        ├──── answer lost: a report that came since ─▶ applied or refused   event
 *                 │        ├──── 4xx to it alone, or its operation failed ▶ refused
 *                 │        ├──── silent (lost answer: soon; batch failed: now; else a share of the deadline)
 *                 │        ▼
 *                 │       read ── as asked ─────────────────────────────▶ applied              read-back
 *                 └──────── else, while sendings and time are left
 *                           else, at the deadline ──────────────────────▶ unconfirmed          PLATFORM_SILENT
 */
export function decideProduct(situation: ProductSituation, settings: ProductSettings): Decision {
  const { progress, language, nowMs } = situation;
  const last = progress.sendings.at(-1);
  if (last === undefined) return { kind: 'send' };
  const answer = answeringReport(progress, situation.reports, situation.pastOperationIds);
  if (answer !== null) {
    const settled = settleByReport(progress.body, answer.report, language);
    return { kind: 'conclude', settled, anomaly: !answer.report.addsUp };
  }
  const { failures, someoneFailed } = judgeReports(situation.operationReports, {
    ...situation,
    kind: 'product',
    externalReferences: [situation.externalReference],
  });
  const failure = failures.get(situation.externalReference);
  if (failure !== undefined) return conclude(settleRefused(progress.body, failure, 'event', language));
  if (last.answer.kind === 'refused') {
    const error = { statusCode: last.answer.status, message: last.answer.message };
    return conclude(settleRefused(progress.body, error, 'none', language));
  }
  const deadlineInMs = situation.deadlineInMs ?? settings.deadlineMs;
  const isOver = deadlineInMs <= 0;
  const silentInMs = isOver ? deadlineInMs : untilSilent(progress, last, { deadlineInMs, nowMs }, settings);
  // Of a batch that failed over nobody knows whom, no report will come.
  if (silentInMs > 0 && !(someoneFailed && progress.sendings.length < settings.maxSendings))
    return { kind: 'wait', ms: silentInMs };
  const silentAtMs = nowMs + silentInMs;
  if (silentInMs <= 0 && !hasConsumed(situation.consumedUpToMs, silentAtMs))
    return { kind: 'catch-up', untilMs: silentAtMs };
  const { read } = progress;
  if (read === null || read.sendings !== progress.sendings.length || (isOver && !read.final)) {
    return { kind: 'read', final: isOver };
  }
  if (read.verdict === 'as-asked') return conclude(settleByReadBack(progress.body));
  if (isOver) {
    const conclusion = unconfirmed(language, skuReferences(progress.body));
    return conclude({ conclusion, effect: { kind: 'in-doubt', body: progress.body } });
  }
  return progress.sendings.length < settings.maxSendings ? { kind: 'send' } : { kind: 'wait', ms: deadlineInMs };
}

/** Each sending has its share of the deadline to be reported on; one whose answer was lost is looked after soon. */
function untilSilent(
  { sendings }: ProductProgress,
  last: RecordAttempt,
  { deadlineInMs, nowMs }: { deadlineInMs: number; nowMs: number },
  settings: ProductSettings,
): number {
  const elapsedMs = settings.deadlineMs - deadlineInMs;
  const shareMs = settings.deadlineMs / settings.maxSendings;
  const ms =
    last.answer.kind === 'accepted'
      ? sendings.length * shareMs - elapsedMs
      : lookInMs(last, 1, { nowMs, lostAnswerMs: settings.lostAnswerMs });
  return Math.min(ms, deadlineInMs);
}

function conclude(settled: Settled): Decision {
  return { kind: 'conclude', settled, anomaly: false };
}
