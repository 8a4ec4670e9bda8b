import type { JsonRecord } from '@gondola/shared/json-digits';
import type { Language } from '@gondola/shared/reason-codes';
import { type AppliedProduct, referenceOf, splitBody } from './applied-product.ts';
import { type Conclusion, refused, unconfirmed } from './conclusion.ts';
import { operationIdsOf, type ProductProgress, type Sending } from './product-progress.ts';
import type { ProductReport } from './product-report.ts';
import { settleByReadBack, settleByReport } from './settle-report.ts';

/** How long things may take, in milliseconds, but for the count. */
export interface PublishSettings {
  /** From the first sending to the end without an outcome. */
  readonly deadlineMs: number;
  /** From a sending whose answer was lost to the reading of the product. */
  readonly lostAnswerMs: number;
  /** Sendings of one record at most: a repeat is idempotent (rule 27). */
  readonly maxSendings: number;
}

/** A notification about this product, as it was stored. */
export interface StoredReport {
  /** Rises with the order of storing. */
  readonly id: string;
  readonly operationId: string;
  readonly report: ProductReport;
}

/** What is to be done next for the oldest open record of a product that has been prepared. */
export type Decision =
  | { readonly kind: 'conclude'; readonly conclusion: Conclusion; readonly anomaly: boolean }
  | { readonly kind: 'send' }
  | { readonly kind: 'read' }
  | { readonly kind: 'wait'; readonly ms: number };

export interface ProductSituation {
  readonly progress: ProductProgress;
  readonly reports: readonly StoredReport[];
  /** Operations of records that ended before: their late reports are no answer to this one. */
  readonly pastOperationIds: ReadonlySet<string>;
  readonly applied: AppliedProduct;
  /** Milliseconds left, by the database's clock; null before the first sending. */
  readonly deadlineInMs: number | null;
  readonly nowMs: number;
  readonly language: Language;
  /** Notifications up to then have been stored; null while that is not known. A later silence may be one of ours only (rule 5). */
  readonly consumedUpToMs: number | null;
}

const LAG_WAIT_MS = 1_000;

/**
 * One product record on its way (rules 5, 16, 25, 26, 27). Pure: everything it looks at is an argument.
 *
 *   prepared ──▶ send ──▶ sent ── report of our operation ─────────────▶ applied or refused   event
 *                 ▲        ├──── answer lost: a report that came since ─▶ applied or refused   event
 *                 │        ├──── silent (lost answer: soon; else a share of the deadline)
 *                 │        ▼
 *                 │       read ── as asked ─────────────────────────────▶ applied              read-back
 *                 └──────── else, while sendings are left
 *                           else, at the deadline ──────────────────────▶ unconfirmed          PLATFORM_SILENT
 */
export function decideProduct(situation: ProductSituation, settings: PublishSettings): Decision {
  const { progress, applied, language } = situation;
  const last = progress.sendings.at(-1);
  if (last === undefined) return { kind: 'send' };
  const answer = findAnswer(situation);
  if (answer !== null) {
    const conclusion = settleByReport(progress.body, answer.report, applied, language);
    return { kind: 'conclude', conclusion, anomaly: !answer.report.addsUp };
  }
  if (last.answer.kind === 'refused') return conclude(refusedAlone(progress.body, last.answer, language));
  const silentInMs = untilSilent(situation, last, settings);
  if (silentInMs > 0) return { kind: 'wait', ms: silentInMs };
  if (isLagging(situation, silentInMs)) return { kind: 'wait', ms: LAG_WAIT_MS };
  if (progress.read?.sendings !== progress.sendings.length) return { kind: 'read' };
  if (progress.read.asAsked) return conclude(settleByReadBack(progress.body, applied));
  if (progress.sendings.length < settings.maxSendings) return { kind: 'send' };
  const deadlineInMs = situation.deadlineInMs ?? 0;
  return deadlineInMs > 0 ? { kind: 'wait', ms: deadlineInMs } : conclude(unconfirmed(language));
}

/** The newest report of one of our operations; where an answer named none, the newest that came since and is nobody else's. */
function findAnswer({ progress, reports, pastOperationIds }: ProductSituation): StoredReport | null {
  const own = new Set(operationIdsOf(progress));
  const ours = reports.findLast(({ operationId }) => own.has(operationId));
  if (ours !== undefined) return ours;
  const nameless = progress.sendings.find(isNameless);
  if (nameless === undefined) return null;
  const since = BigInt(nameless.seenReportId);
  return reports.findLast(({ id, operationId }) => BigInt(id) > since && !pastOperationIds.has(operationId)) ?? null;
}

function isNameless({ answer }: Sending): boolean {
  return (
    answer.kind === 'pending' ||
    answer.kind === 'unknown' ||
    (answer.kind === 'accepted' && answer.operationId === null)
  );
}

/** Each sending has its share of the deadline to be reported on; one whose answer was lost is looked after soon. */
function untilSilent(situation: ProductSituation, last: Sending, settings: PublishSettings): number {
  const { progress, nowMs, deadlineInMs } = situation;
  if (last.answer.kind !== 'accepted') return Date.parse(last.at) + settings.lostAnswerMs - nowMs;
  const elapsedMs = settings.deadlineMs - (deadlineInMs ?? settings.deadlineMs);
  const shareMs = settings.deadlineMs / settings.maxSendings;
  return Math.min(progress.sendings.length * shareMs - elapsedMs, Math.max(deadlineInMs ?? shareMs, 0));
}

/** The outcome may stand in Kafka, unread: a silence counts once everything up to its end is stored. */
function isLagging({ consumedUpToMs, nowMs }: ProductSituation, silentInMs: number): boolean {
  return consumedUpToMs === null || consumedUpToMs < nowMs + silentInMs;
}

/** A 4xx to a batch that held this record alone (rule 25). */
function refusedAlone(body: JsonRecord, no: { status: number; message: string }, language: Language): Conclusion {
  const skus = splitBody(body).skus.map((sku) => ({
    externalReference: referenceOf(sku),
    outcome: 'refused' as const,
    errors: [],
  }));
  const platform = { statusCode: no.status, message: no.message };
  return refused({ evidence: 'none', language, errors: [], platform, skus, appliedProduct: null });
}

function conclude(conclusion: Conclusion): Decision {
  return { kind: 'conclude', conclusion, anomaly: false };
}
