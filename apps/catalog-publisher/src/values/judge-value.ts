import { notificationIdentity } from '@gondola/shared/topics/identities';
import { type ValueKind, VALUES } from '@gondola/shared/topics/values';
import type { JsonRecord } from '@gondola/shared/json/json-digits';
import { applied, type Conclusion, refused, unconfirmed } from '@gondola/shared/results/conclusion';
import type { Language } from '@gondola/shared/outcomes/reason-codes';
import { judgeReports, type OperationReport, type OperationVerdict } from '../notifications/operation-report.ts';
import { type ErrorPlace, platformErrors, shownError } from '../platform/platform-error.ts';
import { type LaneOperations, otherOperations } from '../records/record-attempts.ts';
import type { PublishSettings, RecordSituation } from '../records/record-plan.ts';
import { judgeSilence } from '../records/silence.ts';
import type { SettledValue, ValueEffect, ValueProgress } from './value-lane-state.ts';

/** Names of its fields: the platform's, as the ERP wrote them into `data`. */
const DATA_PLACE: ErrorPlace = { fieldOf: (property) => property, prefix: 'data.' };

/** Conclusion of a value's record, with its effect on the platform's value. */
export interface ConcludedValue {
  readonly conclusion: Conclusion;
  readonly effect: ValueEffect;
}

/** State of a price, warehouse or stock record after its call. */
export type SentFate =
  | ({ readonly kind: 'concluded' } & ConcludedValue)
  /** Accepted; without a failure it counts as applied after `ms`. */
  | { readonly kind: 'settling'; readonly ms: number }
  /** Answer lost. Checked after `ms`. */
  | { readonly kind: 'lost'; readonly ms: number }
  /** The platform has it, but a lost call of another value may overwrite it for `ms`. Then it is sent once more. */
  | { readonly kind: 'exposed'; readonly ms: number; readonly conclusion: Conclusion }
  /** It may be sent again. */
  | { readonly kind: 'again' }
  /** Notifications up to that time (milliseconds since 1970) have to be stored before a silence counts. */
  | { readonly kind: 'catch-up'; readonly untilMs: number };

export interface SentValue extends RecordSituation {
  readonly kind: ValueKind;
  readonly progress: ValueProgress;
  readonly reports: readonly OperationReport[];
  /** Time after which no lost call of another value can take effect, in milliseconds since 1970. */
  readonly othersLandUntilMs: number;
}

/**
 * Judges one sent price, warehouse or stock (rules 5, 16, 30). It cannot be read back, and no success event is
 * documented.
 *
 *   sent ──▶ accepted ── a failure of it ──────────────────────────────────▶ refused      event
 *     ▲         ├─────── a notification of it without an error ────────────▶ applied      event
 *     │         ├─────── a failure of its batch over nobody knows whom: again, alone in the end
 *     │         └─────── settled, nothing said ────────────────────────────▶ applied      presumed
 *     │                    before a lost call of another value can no longer land: sent once more then
 *     ├──── lost answer: it is absolute and goes again, ever later, until two thirds of its deadline are over
 *     │        then, at the deadline ──────────────────────────────────────▶ unconfirmed  PLATFORM_SILENT
 *     └──── 4xx to it alone ───────────────────────────────────────────────▶ refused
 */
export function judgeSent(value: SentValue, settings: PublishSettings): SentFate {
  const { progress, language } = value;
  const last = progress.attempts.at(-1);
  if (last === undefined) return { kind: 'again' };
  const verdict = verdictOf(value);
  if (verdict.failures.size > 0)
    return concluded(refusalOf(progress, [...verdict.failures.values()][0] ?? null, 'event', language));
  const exposedForMs = Math.max(0, value.othersLandUntilMs - Date.parse(last.at));
  if (verdict.successes.size > 0 && exposedForMs === 0) return entered('event');
  if (last.answer.kind === 'refused') {
    const { status, message } = last.answer;
    return concluded(refusalOf(progress, { statusCode: status, message }, 'none', language));
  }
  const silence = judgeSilence({ ...value, someoneFailed: verdict.someoneFailed }, settings);
  if (silence.kind === 'presumed') {
    const evidence = verdict.successes.size > 0 ? 'event' : 'presumed';
    if (exposedForMs === 0) return entered(evidence);
    const ms = Date.parse(last.at) + exposedForMs - value.nowMs;
    return { kind: 'exposed', ms, conclusion: applied(evidence) };
  }
  if (silence.kind === 'unknown') return concluded(unknownOutcome(language));
  return silence;
}

/**
 * Finds the late outcome of a presumed or unconfirmed record among the reports
 * (guarantee 3: at most one `corrected`).
 */
export function lateOutcome(
  kind: ValueKind,
  record: SettledValue,
  reports: readonly OperationReport[],
  { language, operations }: { readonly language: Language; readonly operations: LaneOperations },
): ConcludedValue | null {
  const { progress, outcome } = record;
  const verdict = verdictOf({ kind, progress, reports, otherOperations: otherOperations(operations, progress) });
  if (verdict.failures.size > 0) {
    const { conclusion } = refusalOf(progress, [...verdict.failures.values()][0] ?? null, 'event', language);
    return { conclusion, effect: outcome === 'applied' ? 'in-doubt' : 'none' };
  }
  if (outcome === 'unconfirmed') {
    // Another lost call may have come over it meanwhile.
    return verdict.successes.size > 0 ? { conclusion: applied('event'), effect: 'in-doubt' } : null;
  }
  return verdict.someoneFailed ? unknownOutcome(language) : null;
}

/** Name of a posted value in the platform's notifications; null for none, so that it is sent in a call of its own. */
export function platformIdentity(kind: ValueKind, body: JsonRecord): string | null {
  return notificationIdentity(VALUES[kind].relatedEntity, body)?.identity ?? null;
}

/** Text that reports name the value by; a value alone in its operation matches any report of it. */
function verdictOf(value: Pick<SentValue, 'kind' | 'progress' | 'reports' | 'otherOperations'>): OperationVerdict {
  const { kind, progress } = value;
  // A value without a name never shares an operation, so any text stands for it.
  const reference = platformIdentity(kind, progress.body) ?? '';
  const alone = new Set(
    progress.attempts.flatMap(({ answer, shared }) =>
      !shared && answer.kind === 'accepted' && answer.operationId !== null ? [answer.operationId] : [],
    ),
  );
  const reports = value.reports.map((report) =>
    alone.has(report.operationId) ? { ...report, entity: { kind, externalReference: reference } } : report,
  );
  return judgeReports(reports, {
    progress,
    kind,
    externalReferences: [reference],
    otherOperations: value.otherOperations,
  });
}

/** One of several attempts may have entered before the refusal of another. */
function refusalOf(
  { attempts }: Pick<ValueProgress, 'attempts'>,
  error: JsonRecord | null,
  evidence: 'event' | 'none',
  language: Language,
): ConcludedValue {
  const errors = platformErrors(error, language, DATA_PLACE);
  const conclusion = refused(language, { evidence, errors, platform: shownError(error) });
  return { conclusion, effect: attempts.length > 1 ? 'in-doubt' : 'none' };
}

function entered(evidence: 'event' | 'presumed'): SentFate {
  return concluded({ conclusion: applied(evidence), effect: 'entered' });
}

/** Concludes a sent value whose outcome is unknown. */
function unknownOutcome(language: Language): ConcludedValue {
  return { conclusion: unconfirmed(language), effect: 'in-doubt' };
}

function concluded(value: ConcludedValue): SentFate {
  return { kind: 'concluded', ...value };
}
