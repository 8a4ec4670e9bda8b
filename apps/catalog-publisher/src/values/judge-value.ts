import { hasConsumed, lookInMs } from '@gondola/shared/commands/retry';
import type { JsonRecord } from '@gondola/shared/json/json-digits';
import { applied, type Conclusion, refused, unconfirmed } from '@gondola/shared/results/conclusion';
import type { Language } from '@gondola/shared/results/reason-codes';
import { judgeReports, type OperationReport, type OperationVerdict } from '../outcomes/operation-report.ts';
import { type ErrorPlace, platformErrors, shownError } from '../platform/platform-error.ts';
import type { ValueKind } from '../records/catalog-kinds.ts';
import type { PublishSettings } from '../records/record-plan.ts';
import type { SettledValue, ValueEffect, ValueProgress } from './value-lane-state.ts';
import { platformIdentity } from './value-rules.ts';

/** Its fields are the platform's, which the ERP wrote into `data`. */
const DATA_PLACE: ErrorPlace = { fieldOf: (property) => property, prefix: 'data.' };

/** How a value's record ended, and what that says of the value that the platform has. */
export interface ConcludedValue {
  readonly conclusion: Conclusion;
  readonly effect: ValueEffect;
}

/** What became of a value that was sent. */
export type SentFate =
  | ({ readonly kind: 'concluded' } & ConcludedValue)
  /** Accepted; without a failure it counts as applied after `ms`. */
  | { readonly kind: 'settling'; readonly ms: number }
  /** Its answer was lost: for `freeInMs` it may still arrive, so that the lane sends nothing. Looked at after `ms`. */
  | { readonly kind: 'lost'; readonly freeInMs: number; readonly ms: number }
  /** It may be sent again. */
  | { readonly kind: 'again' }
  /** Notifications up to that time (milliseconds since 1970) have to be stored before a silence counts. */
  | { readonly kind: 'catch-up'; readonly untilMs: number };

export interface SentValue {
  readonly kind: ValueKind;
  readonly progress: ValueProgress;
  readonly reports: readonly OperationReport[];
  readonly pastOperationIds: ReadonlySet<string>;
  /** Milliseconds left, by the database's clock; null before the first attempt. */
  readonly deadlineInMs: number | null;
  readonly nowMs: number;
  readonly consumedUpToMs: number | null;
  readonly language: Language;
}

/**
 * One price, warehouse or stock on its way (rules 5, 16, 30). Its route answers and cannot be read, and no success is
 * documented. Pure.
 *
 *   sent ──▶ accepted ── a failure of it ──────────────────────────────────▶ refused      event
 *     ▲         ├─────── a notification of it without an error ────────────▶ applied      event
 *     │         ├─────── a failure of its batch over nobody knows whom: again, alone in the end
 *     │         └─────── settled, nothing said ────────────────────────────▶ applied      presumed
 *     ├──── lost answer, while attempts and time are left: it is absolute, and newer ones wait until it may go again
 *     │        else, at the deadline ──────────────────────────────────────▶ unconfirmed  PLATFORM_SILENT
 *     └──── 4xx to it alone ───────────────────────────────────────────────▶ refused
 */
export function judgeSent(value: SentValue, settings: PublishSettings): SentFate {
  const { progress, language, nowMs, consumedUpToMs } = value;
  const last = progress.attempts.at(-1);
  if (last === undefined) return { kind: 'again' };
  const verdict = verdictOf(value);
  if (verdict.failures.size > 0)
    return concluded(refusal([...verdict.failures.values()][0] ?? null, 'event', language));
  if (verdict.successes.size > 0) return concluded({ conclusion: applied('event'), effect: 'entered' });
  if (last.answer.kind === 'refused') {
    const { status, message } = last.answer;
    return concluded(refusal({ statusCode: status, message }, 'none', language));
  }
  const deadlineInMs = value.deadlineInMs ?? settings.deadlineMs;
  const isOver = deadlineInMs <= 0;
  const maySendAgain = !isOver && progress.attempts.length < settings.maxAttempts;
  if (verdict.someoneFailed && maySendAgain) return { kind: 'again' };
  if (last.answer.kind === 'accepted') {
    const ms = Date.parse(last.answer.at ?? last.at) + settings.settleMs - nowMs;
    if (ms > 0) return { kind: 'settling', ms };
    if (!hasConsumed(consumedUpToMs, nowMs + ms)) return { kind: 'catch-up', untilMs: nowMs + ms };
    if (verdict.someoneFailed) return concluded(silence(language));
    return concluded({ conclusion: applied('presumed'), effect: 'entered' });
  }
  if (isOver) {
    const untilMs = nowMs + deadlineInMs;
    return hasConsumed(consumedUpToMs, untilMs) ? concluded(silence(language)) : { kind: 'catch-up', untilMs };
  }
  const freeInMs = lookInMs(last, 1, { nowMs, lostAnswerMs: settings.lostAnswerMs });
  if (freeInMs > 0) return { kind: 'lost', freeInMs, ms: Math.min(freeInMs, deadlineInMs) };
  return maySendAgain ? { kind: 'again' } : { kind: 'lost', freeInMs: 0, ms: deadlineInMs };
}

/**
 * The late outcome of a record that ended presumed or unconfirmed, if the reports say one (guarantee 3: at most one
 * `corrected`).
 */
export function lateOutcome(
  kind: ValueKind,
  record: SettledValue,
  reports: readonly OperationReport[],
  language: Language,
): ConcludedValue | null {
  const { progress, outcome } = record;
  const verdict = verdictOf({ kind, progress, reports, pastOperationIds: new Set() });
  if (verdict.failures.size > 0) {
    const { conclusion } = refusal([...verdict.failures.values()][0] ?? null, 'event', language);
    return { conclusion, effect: outcome === 'applied' ? 'in-doubt' : 'none' };
  }
  if (outcome === 'unconfirmed') {
    return verdict.successes.size > 0 ? { conclusion: applied('event'), effect: 'entered' } : null;
  }
  return verdict.someoneFailed ? silence(language) : null;
}

/** What went alone in an operation is what its reports are about, whatever they name. */
function verdictOf(value: Pick<SentValue, 'kind' | 'progress' | 'reports' | 'pastOperationIds'>): OperationVerdict {
  const { kind, progress, pastOperationIds } = value;
  // A value that nothing names has no shared operation, so that any text stands for it.
  const reference = platformIdentity(kind, progress.body) ?? '';
  const alone = new Set(
    progress.attempts.flatMap(({ answer, shared }) =>
      !shared && answer.kind === 'accepted' && answer.operationId !== null ? [answer.operationId] : [],
    ),
  );
  const reports = value.reports.map((report) =>
    alone.has(report.operationId) ? { ...report, entity: { kind, externalReference: reference } } : report,
  );
  return judgeReports(reports, { progress, kind, externalReferences: [reference], pastOperationIds });
}

function refusal(error: JsonRecord | null, evidence: 'event' | 'none', language: Language): ConcludedValue {
  const errors = platformErrors(error, language, DATA_PLACE);
  return { conclusion: refused(language, { evidence, errors, platform: shownError(error) }), effect: 'none' };
}

/** Sent, and nobody knows. */
function silence(language: Language): ConcludedValue {
  return { conclusion: unconfirmed(language), effect: 'in-doubt' };
}

function concluded(value: ConcludedValue): SentFate {
  return { kind: 'concluded', ...value };
}
