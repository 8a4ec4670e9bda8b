import { isLost } from '@gondola/shared/commands/attempts';
import { landsUntilMs } from '@gondola/shared/commands/late-calls';
import { againInMs, atDeadline, hasConsumed } from '@gondola/shared/commands/retry';
import type { FieldReason } from '@gondola/shared/outcomes/reason-codes';
import { type Effect, skuReferences } from '../product-state/applied-product.ts';
import {
  invalid,
  concludeByReadBack,
  concludeByReport,
  type Concluded,
  concludeRefused,
  unconfirmed,
} from './conclude-product.ts';
import { judgeReports, type OperationReport } from '../notifications/operation-report.ts';
import type { ProductProgress } from './product-progress.ts';
import type { StoredReport } from '../notifications/product-report.ts';
import { answeringReport, type RecordAttempt } from '../records/record-attempts.ts';
import {
  concludePlan,
  type Decision,
  planAwaiting,
  type PlanContext,
  type PublishSettings,
  type RecordPlan,
  type RecordSituation,
} from '../records/record-plan.ts';
import type { Conclusion } from '@gondola/shared/results/conclusion';
import type { Waiting } from '../waiting/awaiting.ts';
import type { KnownProduct } from '../product-state/known-product.ts';
import { immutableReasons, type KnownSkus } from '../product-state/known-sku.ts';
import type { Prepared } from './prepare-product.ts';

type ProductSettings = Omit<PublishSettings, 'settleMs'>;

/** Next action for a prepared record; a `final` read, after the deadline, decides the outcome. */
export type ProductDecision =
  | Decision<{ readonly concluded: Concluded; readonly anomaly: boolean }>
  | { readonly kind: 'read'; readonly final: boolean };

export interface ProductSituation extends RecordSituation {
  readonly progress: ProductProgress;
  readonly externalReference: string;
  readonly reports: readonly StoredReport[];
  /** Reports about its operations that are no product reports. */
  readonly operationReports: readonly OperationReport[];
}

/**
 * Decides the next action for one product record (rules 5, 16, 25, 26, 27).
 *
 *   prepared ──▶ send ──▶ sent ── report of our operation ─────────────▶ applied or refused   event
 *                 ▲        ├──── answer lost: a report that came since ─▶ applied or refused   event
 *                 │        ├──── 4xx to it alone, or its operation failed ▶ refused
 *                 │        ├──── silent (lost answer: soon; batch failed: now; else a share of the deadline)
 *                 │        ▼
 *                 │       read ── as asked ─────────────────────────────▶ applied              read-back
 *                 └──────── else, while attempts and time are left
 *                           else, at the deadline ──────────────────────▶ unconfirmed          PLATFORM_SILENT
 */
export function decideProduct(situation: ProductSituation, settings: ProductSettings): ProductDecision {
  const { progress, language, nowMs } = situation;
  const last = progress.attempts.at(-1);
  if (last === undefined) return { kind: 'send' };
  const answer = answeringReport(progress, situation.reports, situation.otherOperations);
  if (answer !== null) {
    const concluded = unlessLost(progress, concludeByReport(progress.body, answer.report, language));
    return { kind: 'conclude', concluded, anomaly: !answer.report.addsUp };
  }
  const { failures, someoneFailed } = judgeReports(situation.operationReports, {
    ...situation,
    kind: 'product',
    externalReferences: [situation.externalReference],
  });
  const failure = failures.get(situation.externalReference);
  if (failure !== undefined)
    return conclude(unlessLost(progress, concludeRefused(progress.body, failure, 'event', language)));
  if (last.answer.kind === 'refused') {
    const error = { statusCode: last.answer.status, message: last.answer.message };
    return conclude(unlessLost(progress, concludeRefused(progress.body, error, 'none', language)));
  }
  const deadlineInMs = situation.deadlineInMs ?? settings.deadlineMs;
  const isOver = deadlineInMs <= 0;
  const reportsInMs = isOver ? deadlineInMs : untilSilent(progress, last, { deadlineInMs, nowMs }, settings);
  // A batch that failed without a culprit brings no more reports.
  const isSilent = reportsInMs > 0 && someoneFailed && progress.attempts.length < settings.maxAttempts;
  const silentInMs = isSilent ? 0 : reportsInMs;
  const untilMs = nowMs + silentInMs;
  const isBehind = !isSilent && !hasConsumed(situation.consumedUpToMs, untilMs);
  const { read } = progress;
  const hasRead = read?.attempts === progress.attempts.length && (!isOver || read.final);
  // A read that failed has been stored as one that cannot tell.
  const next = atDeadline({ deadlineInMs: silentInMs, isBehind, hasRead, hasFailed: false }, 0);
  if (next === 'open') return { kind: 'wait', ms: silentInMs };
  if (next === 'catch-up') return { kind: 'catch-up', untilMs };
  if (next === 'read') return { kind: 'read', final: isOver };
  if (read?.verdict === 'as-asked') return conclude(concludeByReadBack(progress.body));
  if (isOver) {
    const conclusion = unconfirmed(language, skuReferences(progress.body));
    return conclude({ conclusion, effect: { kind: 'in-doubt', body: progress.body } });
  }
  if (isLost(last) || progress.attempts.length < settings.maxAttempts) return { kind: 'send' };
  return { kind: 'wait', ms: deadlineInMs };
}

/** A refused record of which a call was lost may have entered by that one. */
function unlessLost({ attempts, body }: ProductProgress, concluded: Concluded): Concluded {
  const isDoubted = concluded.effect.kind === 'none' && attempts.some(isLost);
  return isDoubted ? { ...concluded, effect: { kind: 'in-doubt', body } } : concluded;
}

/** Time for the report of an attempt: an equal share of the deadline, or until it is repeated after a lost answer. */
function untilSilent(
  { attempts }: ProductProgress,
  last: RecordAttempt,
  { deadlineInMs, nowMs }: { deadlineInMs: number; nowMs: number },
  settings: ProductSettings,
): number {
  const elapsedMs = settings.deadlineMs - deadlineInMs;
  const shareMs = settings.deadlineMs / settings.maxAttempts;
  const ms =
    last.answer.kind === 'accepted'
      ? attempts.length * shareMs - elapsedMs
      : againInMs(attempts, Infinity, { nowMs, ...settings });
  return Math.min(ms, deadlineInMs);
}

function conclude(concluded: Concluded): ProductDecision {
  return { kind: 'conclude', concluded, anomaly: false };
}

/** The oldest open record of a product, with the state that its plan depends on. */
export interface PlannedProductRecord {
  readonly externalReference: string;
  readonly prepared: Prepared;
  readonly waiting: Waiting | null;
  readonly deadlineInMs: number | null;
  readonly known: KnownProduct;
  readonly reports: readonly StoredReport[];
  readonly operationReports: readonly OperationReport[];
}

export interface ProductContext extends PlanContext {
  /** SKUs of the record and of the product, among those of other records. */
  readonly skus: KnownSkus;
}

type ProductPlan = RecordPlan<ProductProgress, Effect>;

/** Plans the next action for the oldest open record of a product. */
export function planProduct(situation: PlannedProductRecord, context: ProductContext): ProductPlan {
  const { prepared } = situation;
  if (prepared.kind === 'look') return { kind: 'read', progress: null, final: false };
  if (prepared.kind === 'concluded') return stopped(prepared);
  return prepared.progress.attempts.length === 0
    ? planUnsent(situation, prepared, context)
    : planSent(situation, prepared.progress, context);
}

/**
 * Before the first attempt: SKUs that break rule 29 make the record `invalid` at once; unknown references are waited
 * for, and a lost call of an earlier record for as long as it may still take effect (rule 16).
 */
function planUnsent(
  { externalReference, known, waiting }: PlannedProductRecord,
  ready: Extract<Prepared, { kind: 'ready' }>,
  context: ProductContext,
): ProductPlan {
  const { body, sourceVersion, warnings } = ready.progress;
  const record = { content: ready.content, body, productExternalReference: externalReference };
  const immutable = immutableReasons(record, context.skus, known.applied, context.tenant.language);
  const isInvalid = (errors: readonly FieldReason[]) =>
    stopped({ conclusion: invalid(errors, skuReferences(body)), sourceVersion, warnings });
  if (immutable.length > 0) return isInvalid(immutable);
  const plan = planAwaiting(ready, waiting, context);
  if (plan.kind === 'missing') return isInvalid(plan.errors);
  const landsInMs = landsUntilMs(known.lostCallEndAt, context.tenant.settings.timeoutMs) - context.nowMs;
  return plan.kind === 'send' && landsInMs > 0 ? { kind: 'wait', progress: null, ms: landsInMs } : plan;
}

function planSent(situation: PlannedProductRecord, progress: ProductProgress, context: ProductContext): ProductPlan {
  const { known } = situation;
  const { nowMs, consumedUpToMs, tenant } = context;
  const otherOperations = new Set(known.pastOperationIds);
  const about = { ...situation, progress, otherOperations, nowMs, consumedUpToMs, language: tenant.language };
  const decision = decideProduct(about, tenant.settings);
  if (decision.kind !== 'conclude') return { ...decision, progress };
  const { sourceVersion, warnings } = progress;
  return concludePlan(progress, { ...decision.concluded, sourceVersion, warnings, anomaly: decision.anomaly });
}

/** Concludes a record of which nothing was sent. */
function stopped(end: {
  readonly conclusion: Conclusion;
  readonly sourceVersion: string | null;
  readonly warnings: readonly FieldReason[];
}): ProductPlan {
  return concludePlan<ProductProgress, Effect>(null, { ...end, effect: { kind: 'none' }, anomaly: false });
}
