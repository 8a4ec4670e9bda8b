import { isFresh, lookInMs } from '@gondola/shared/commands/retry';
import { isLost } from '@gondola/shared/commands/attempts';
import { CLOSED_TO_COMMANDS } from '@gondola/shared/orders/order-statuses';
import type { Evidence } from '@gondola/shared/results/outcomes';
import type { OrderAttempt } from './command-progress.ts';
import {
  type CommandBasis,
  type CommandSettings,
  type Decision,
  LAG_WAIT_MS,
  conclude,
  deadlineStep,
  invalid,
  mayRead,
  overtaken,
} from './decision.ts';
import type { OrderFact } from '../notifications/order-fact.ts';
import { statusOf } from '../orders/order-state.ts';
import { type Refusal, answersTo, evidenceOf, findRefusal, isOurs } from './sent-change.ts';

export interface CommandSituation extends CommandBasis {
  /** The status that the command sets. */
  readonly target: number;
}

/** Names of refusals that may not name our operation. */
const STATUS_REFUSALS = ['Order_StatusUpdateFailed'];

/**
 * A command that sets an order's status by PATCH (rules 5, 10, 16, 17, 19). Pure: everything it looks at is an
 * argument.
 *
 *   queued ── not allowed ─────────────────────────────────────────▶ invalid    (its reason says which)
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
 * An accepted call is not sent again, however long it stays silent: it may still be in the platform's queue, and a
 * second one could set the order back behind a later status. A 401, 403, 429 or refused connection is no attempt and
 * leaves the command where it was.
 */
export function decideStatusCommand(situation: CommandSituation, settings: CommandSettings): Decision {
  const last = situation.progress.attempts.at(-1);
  return last === undefined ? beforeFirstAttempt(situation) : decideSent(situation, last, settings);
}

/** The same once something was sent, for every change whose outcome is a status. */
export function decideSent(
  situation: CommandSituation,
  last: OrderAttempt,
  settings: CommandSettings,
  refusals: readonly string[] = STATUS_REFUSALS,
): Decision {
  const { progress, state } = situation;
  const refusal = findRefusal(state, progress, refusals);
  const confirmed = findConfirmation(situation);
  if (confirmed !== null && (refusal === null || isOurs(confirmed, progress)))
    return applied(situation, evidenceOf(confirmed));
  if (refusal !== null) return afterRefusal(situation, refusal, settings);
  if (situation.deadlineInMs !== null && situation.deadlineInMs <= 0) return afterDeadline(situation, settings);
  return whileSilent(situation, last, settings);
}

function beforeFirstAttempt({ state, target }: CommandSituation): Decision {
  if (state === null) return invalid('ORDER_UNKNOWN');
  const status = statusOf(state);
  // What is so already goes before what is forbidden (contract, "Order commands").
  if (state.paid && status === target) return conclude('unchanged', 'already-in-state');
  if (status !== null && CLOSED_TO_COMMANDS.has(status)) return invalid('STATUS_NOT_SETTABLE', { status });
  if (!state.paid) return invalid('NOT_PAID');
  return { kind: 'send' };
}

/**
 * The fact that says it worked: the event of our operation, or the target reached by a fact that was stored after the
 * attempt and is newer than the status before it. Clocks of the platform and ours are never compared.
 */
function findConfirmation({ state, target, progress }: CommandSituation): OrderFact | null {
  const reached = (state?.facts ?? []).filter((fact) => !fact.failure && fact.status === target);
  return (
    reached.find((fact) => isOurs(fact, progress)) ??
    reached.find((fact) => progress.attempts.some((attempt) => answersTo(fact, attempt))) ??
    null
  );
}

/**
 * Rule 16: a refusal whose target state is already the current one counts as applied, so the platform is asked before
 * the ERP gets its result.
 */
function afterRefusal(situation: CommandSituation, refusal: Refusal, settings: CommandSettings): Decision {
  const { state, target, progress } = situation;
  if (state !== null && statusOf(state) === target) return applied(situation, 'already-in-state');
  if (progress.read?.purpose !== 'refusal' && mayRead(situation, settings)) return { kind: 'read', purpose: 'refusal' };
  return conclude('refused', refusal.evidence, { code: 'PLATFORM_REFUSED' }, refusal.platform);
}

/** No outcome in time: the state is read once more, and what it says is the end. */
function afterDeadline(situation: CommandSituation, settings: CommandSettings): Decision {
  const { read } = situation.progress;
  const hasRead = read?.purpose === 'deadline';
  const next = deadlineStep(situation, hasRead, settings);
  if (next === 'catch-up') return { kind: 'wait', ms: LAG_WAIT_MS };
  if (next === 'read') return { kind: 'read', purpose: 'deadline' };
  if (hasRead && isClosed(read.status)) return overtaken('read-back');
  return conclude('unconfirmed', 'none', { code: 'PLATFORM_SILENT' });
}

/**
 * Before the deadline: an accepted call is waited for; after a lost answer the state is read before trying again (rule
 * 16).
 */
function whileSilent(situation: CommandSituation, last: OrderAttempt, settings: CommandSettings): Decision {
  const { progress, nowMs, deadlineInMs } = situation;
  const untilDeadline = { kind: 'wait', ms: deadlineInMs ?? settings.deadlineMs } as const;
  if (!isLost(last)) return untilDeadline;
  const count = progress.attempts.length;
  const readInMs = lookInMs(last, count, { nowMs, lostAnswerMs: settings.lostAnswerMs });
  if (readInMs > 0) return { kind: 'wait', ms: Math.min(readInMs, untilDeadline.ms) };
  const { read } = progress;
  if (read === null || read.purpose !== 'lost-answer' || read.attempts !== count)
    return { kind: 'read', purpose: 'lost-answer' };
  if (isClosed(read.status)) return overtaken('read-back');
  if (read.status !== last.before.status || count >= settings.maxAttempts) return untilDeadline;
  return isFresh(read, nowMs, settings.readFreshMs) ? { kind: 'send' } : { kind: 'read', purpose: 'lost-answer' };
}

function isClosed(status: number | null): boolean {
  return status !== null && CLOSED_TO_COMMANDS.has(status);
}

function applied({ target }: CommandSituation, evidence: Evidence): Decision {
  return {
    kind: 'conclude',
    conclusion: { outcome: 'applied', evidence, reason: null, platform: null, setsStatus: target },
  };
}
