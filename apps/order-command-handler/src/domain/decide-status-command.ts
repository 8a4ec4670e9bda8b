import type { JsonValue } from '@gondola/shared/json-digits';
import { CLOSED_TO_COMMANDS } from '@gondola/shared/order-statuses';
import type { Evidence, FinalOutcome } from '@gondola/shared/outcomes';
import type { ReasonCode, ReasonParams } from '@gondola/shared/reason-codes';
import { type CommandProgress, type ReadPurpose, type Sending, operationIdsOf } from './command-progress.ts';
import { type OrderFact, compareRecency, isStoredAfter } from './order-fact.ts';
import { type OrderState, statusOf } from './order-state.ts';

/** How long things may take. All in milliseconds but the count. */
export interface CommandSettings {
  /** From the first sending to the end without an outcome. */
  readonly deadlineMs: number;
  /** After the deadline, how long a reading that cannot be made is tried again. */
  readonly readGraceMs: number;
  /** From a sending whose answer was lost to the reading of the status; doubled with each further sending. */
  readonly lostAnswerMs: number;
  /** A reading older than this says nothing any more about whether to send again. */
  readonly readFreshMs: number;
  /** Sendings of one command at most. */
  readonly maxSendings: number;
}

/** The end of a command. */
export interface Conclusion {
  readonly outcome: FinalOutcome;
  readonly evidence: Evidence;
  readonly reason: { readonly code: ReasonCode; readonly params?: ReasonParams; readonly hint?: string } | null;
  /** The platform's error object. */
  readonly platform: JsonValue;
  /** The status that counts as told by this result (rule 10); null for none. */
  readonly setsStatus: number | null;
}

/** What is to be done next for the oldest open command of an order. */
export type Decision =
  | { readonly kind: 'conclude'; readonly conclusion: Conclusion }
  | { readonly kind: 'send' }
  | { readonly kind: 'read'; readonly purpose: ReadPurpose }
  | { readonly kind: 'wait'; readonly ms: number };

export interface CommandSituation {
  readonly state: OrderState | null;
  /** The status that the command sets. */
  readonly target: number;
  readonly progress: CommandProgress;
  /** Milliseconds left, by the database's clock; null before the first sending. */
  readonly deadlineInMs: number | null;
  readonly nowMs: number;
  /** Notifications wait in Kafka that this process has not stored yet: the outcome may be among them (rule 5). */
  readonly isLagging: boolean;
}

/** While notifications are still on their way in. */
const LAG_WAIT_MS = 1_000;

/**
 * A command that sets an order's status by PATCH (rules 5, 10, 16, 17, 19). Pure: everything it looks at is an argument.
 *
 *   queued ── not allowed ─────────────────────────────────────────▶ invalid    ORDER_UNKNOWN, STATUS_NOT_SETTABLE, NOT_PAID
 *     │   └── is so already ───────────────────────────────────────▶ unchanged  already-in-state
 *     ▼ send ◀──────────────────────────────────────┐
 *   sent ── our echo, or the target newly reached ──┼──────────────▶ applied    event (read-back, if a reading said it)
 *     ├── refused, then read: target ───────────────┼──────────────▶ applied    already-in-state
 *     │                 else ───────────────────────┼──────────────▶ refused    PLATFORM_REFUSED
 *     ├── answer lost, then read: as before ────────┘ (bounded)
 *     │                           closed ──────────────────────────▶ refused    ORDER_CANCELLED
 *     └── deadline, then read: closed ─────────────────────────────▶ refused    ORDER_CANCELLED
 *                              else ───────────────────────────────▶ unconfirmed PLATFORM_SILENT
 *
 * An accepted call is not sent again, however long it stays silent: it may still be in the platform's queue, and a second one could set
 * the order back behind a later status. A 401, 403, 429 or refused connection is no sending and leaves the command where it was.
 */
export function decideStatusCommand(situation: CommandSituation, settings: CommandSettings): Decision {
  const { progress, state } = situation;
  const last = progress.sendings.at(-1);
  if (last === undefined) return beforeSending(situation);
  const refusal = findRefusal(state, progress);
  const confirmed = findConfirmation(situation);
  if (confirmed !== null && (refusal === null || isOurs(confirmed, progress)))
    return applied(situation, evidenceOf(confirmed));
  if (refusal !== null) return afterRefusal(situation, refusal, settings);
  if (situation.deadlineInMs !== null && situation.deadlineInMs <= 0) return afterDeadline(situation, settings);
  return whileSilent(situation, last, settings);
}

function beforeSending({ state, target }: CommandSituation): Decision {
  if (state === null) return invalid('ORDER_UNKNOWN');
  const status = statusOf(state);
  // What is so already is told before what is forbidden (contract, "Details that clients met").
  if (state.paid && status === target) return conclude('unchanged', 'already-in-state');
  if (status !== null && CLOSED_TO_COMMANDS.has(status)) return invalid('STATUS_NOT_SETTABLE', { status });
  if (!state.paid) return invalid('NOT_PAID');
  return { kind: 'send' };
}

/**
 * The fact that says it worked: the event of our operation, or the target reached by a fact that was stored after the sending and is newer
 * than the status before it. Clocks of the platform and ours are never compared.
 */
function findConfirmation({ state, target, progress }: CommandSituation): OrderFact | null {
  const reached = (state?.facts ?? []).filter((fact) => !fact.failure && fact.status === target);
  return (
    reached.find((fact) => isOurs(fact, progress)) ??
    reached.find((fact) => progress.sendings.some((sending) => answersTo(fact, sending))) ??
    null
  );
}

function answersTo(fact: OrderFact, { seenFactId, before }: Sending): boolean {
  const known = { ...before, ticks: before.ticks === null ? null : BigInt(before.ticks) };
  return isStoredAfter(fact, seenFactId) && compareRecency(fact, known) > 0;
}

function isOurs({ operationId }: OrderFact, progress: CommandProgress): boolean {
  return operationId !== null && operationIdsOf(progress).includes(operationId);
}

function evidenceOf(fact: OrderFact): Evidence {
  return fact.source === 'read' ? 'read-back' : 'event';
}

/**
 * The platform's no: in the answer; by an event of our operation, which may have come before the answer that names it; or, where no
 * answer named an operation, by the next refusal of a status change of this order, since only one is open at a time.
 */
function findRefusal(state: OrderState | null, progress: CommandProgress): Refusal | null {
  const failures = (state?.facts ?? []).filter((fact) => fact.failure);
  const told =
    failures.find((fact) => isOurs(fact, progress)) ??
    failures.find(
      (fact) =>
        fact.eventType === 'Order_StatusUpdateFailed' &&
        progress.sendings.some((sending) => isNameless(sending) && isStoredAfter(fact, sending.seenFactId)),
    );
  if (told !== undefined) return { platform: told.error, evidence: 'event' };
  const answer = progress.sendings.find((sending) => sending.answer.kind === 'refused')?.answer;
  if (answer?.kind !== 'refused') return null;
  return { platform: { statusCode: answer.status, message: answer.message }, evidence: 'none' };
}

interface Refusal {
  /** The platform's error object. */
  readonly platform: JsonValue;
  readonly evidence: Evidence;
}

function isNameless({ answer }: Sending): boolean {
  return (
    answer.kind === 'pending' ||
    answer.kind === 'unknown' ||
    (answer.kind === 'accepted' && answer.operationId === null)
  );
}

/** Rule 16: a refusal whose target state is already the current one counts as applied, so the platform is asked before the ERP is told. */
function afterRefusal(situation: CommandSituation, refusal: Refusal, settings: CommandSettings): Decision {
  const { state, target, progress, deadlineInMs } = situation;
  if (state !== null && statusOf(state) === target) return applied(situation, 'already-in-state');
  const mayAsk = (deadlineInMs ?? 0) > -settings.readGraceMs;
  if (progress.read?.purpose !== 'refusal' && mayAsk) return { kind: 'read', purpose: 'refusal' };
  return conclude('refused', refusal.evidence, { code: 'PLATFORM_REFUSED' }, refusal.platform);
}

/** No outcome in time: the state is read once more, and what it says is the end. */
function afterDeadline({ progress, deadlineInMs, isLagging }: CommandSituation, settings: CommandSettings): Decision {
  const { read } = progress;
  if (read?.purpose === 'deadline') {
    return isClosed(read.status) ? overtaken() : conclude('unconfirmed', 'none', { code: 'PLATFORM_SILENT' });
  }
  if (isLagging) return { kind: 'wait', ms: LAG_WAIT_MS };
  if ((deadlineInMs ?? 0) > -settings.readGraceMs) return { kind: 'read', purpose: 'deadline' };
  return conclude('unconfirmed', 'none', { code: 'PLATFORM_SILENT' });
}

/** Before the deadline: an accepted call is waited for; after a lost answer the state is read before trying again (rule 16). */
function whileSilent(situation: CommandSituation, last: Sending, settings: CommandSettings): Decision {
  const { progress, nowMs, deadlineInMs } = situation;
  const untilDeadline: Decision = { kind: 'wait', ms: deadlineInMs ?? settings.deadlineMs };
  if (last.answer.kind !== 'pending' && last.answer.kind !== 'unknown') return untilDeadline;
  const count = progress.sendings.length;
  const readInMs = Date.parse(last.at) + settings.lostAnswerMs * 2 ** (count - 1) - nowMs;
  if (readInMs > 0) return { kind: 'wait', ms: Math.min(readInMs, untilDeadline.ms) };
  const { read } = progress;
  if (read === null || read.purpose !== 'lost-answer' || read.sendings !== count)
    return { kind: 'read', purpose: 'lost-answer' };
  if (isClosed(read.status)) return overtaken();
  if (read.status !== last.before.status || count >= settings.maxSendings) return untilDeadline;
  const isFresh = nowMs - Date.parse(read.at) <= settings.readFreshMs;
  return isFresh ? { kind: 'send' } : { kind: 'read', purpose: 'lost-answer' };
}

function isClosed(status: number | null): boolean {
  return status !== null && CLOSED_TO_COMMANDS.has(status);
}

/** The order's state went past the command after it was sent. */
function overtaken(): Decision {
  return conclude('refused', 'read-back', { code: 'ORDER_CANCELLED' });
}

function invalid(code: ReasonCode, params?: ReasonParams): Decision {
  return conclude('invalid', 'none', params === undefined ? { code } : { code, params });
}

function applied({ target }: CommandSituation, evidence: Evidence): Decision {
  return {
    kind: 'conclude',
    conclusion: { outcome: 'applied', evidence, reason: null, platform: null, setsStatus: target },
  };
}

function conclude(
  outcome: FinalOutcome,
  evidence: Evidence,
  reason: Conclusion['reason'] = null,
  platform: JsonValue = null,
): Decision {
  return { kind: 'conclude', conclusion: { outcome, evidence, reason, platform, setsStatus: null } };
}
