import type { OrderCommandName } from '@gondola/shared/orders/order-commands.dto';
import { type OrderStatusCode, CLOSED_TO_COMMANDS } from '@gondola/shared/orders/order-statuses';
import { BY_RESULT, defineOrderCommand, type OrderCommandDefinition } from './order-command.ts';
import { doubledMs } from '@gondola/shared/backoff';
import { isLost } from '@gondola/shared/commands/attempts';
import type { Evidence } from '@gondola/shared/outcomes/outcomes';
import type { OrderAttempt } from './command-progress.ts';
import { type CommandBasis, type CommandSettings, type Decision, conclude, invalid, mayRead } from './decision.ts';
import type { OrderFact } from '../facts/order-fact.ts';
import { statusOf } from '../facts/order-state.ts';
import {
  afterDeadline,
  afterLostAnswer,
  answersTo,
  evidenceOf,
  findRefusal,
  isOurs,
  type OrderLook,
  type Refusal,
} from './sent-change.ts';

/** Commands that set a status by PATCH. Reason, carrier and tracking of some are validated, not sent. */
export const statusCommands: readonly OrderCommandDefinition[] = [
  setsStatus('StartPreparation', 400),
  setsStatus('MarkReady', 500),
  setsStatus('Ship', 600),
  setsStatus('ConfirmDelivery', 700),
  setsStatus('ReportDeliveryFailure', 900),
  setsStatus('RegisterReturn', 1000),
];

function setsStatus(name: OrderCommandName, target: OrderStatusCode): OrderCommandDefinition {
  return defineOrderCommand({
    name,
    queue: 'main',
    deadline: 'commandMs',
    target,
    read: () => null,
    skusOf: () => [],
    decide: (_, turn, settings) => decideStatusCommand({ ...turn, target }, settings),
    change: () => ({ kind: 'status', target }),
    publishedBy: BY_RESULT,
  });
}

export interface CommandSituation extends CommandBasis {
  /** Status that the command sets. */
  readonly target: number;
}

/** Event names of refusals without the operation's id. */
const STATUS_REFUSALS = ['Order_StatusUpdateFailed'];

/**
 * Decides the next action for a command that sets an order's status by PATCH (rules 5, 10, 16, 17, 19).
 *
 *   queued ── not allowed ─────────────────────────────────────────▶ invalid    (its reason says which)
 *     │   └── is so already ───────────────────────────────────────▶ unchanged  already-in-state
 *     ▼ send ◀──────────────────────────────────────┐
 *   sent ── our echo, or the target newly reached ──┼──────────────▶ applied    event, or read-back
 *     ├── refused, then read: target ───────────────┼──────────────▶ applied    already-in-state
 *     │                 else ───────────────────────┼──────────────▶ refused    PLATFORM_REFUSED
 *     ├── answer lost, then read: as before ────────┘ (three at most, the last late)
 *     │                           closed ──────────────────────────▶ refused    ORDER_CANCELLED
 *     └── deadline, then read: closed ─────────────────────────────▶ refused    ORDER_CANCELLED
 *                              else ───────────────────────────────▶ unconfirmed PLATFORM_SILENT
 *
 * An accepted call is read now and then while it stays silent, but not sent again: it may still be in the platform's
 * queue, and a second one could set the order back behind a later status. A 401, 403, 429 or refused connection is no
 * attempt and leaves the command where it was.
 */
export function decideStatusCommand(situation: CommandSituation, settings: CommandSettings): Decision {
  const last = situation.progress.attempts.at(-1);
  return last === undefined ? beforeFirstAttempt(situation) : decideSent(situation, last, settings);
}

/** Decides after the first attempt, for every change that ends in a status. */
export function decideSent(
  situation: CommandSituation,
  last: OrderAttempt,
  settings: CommandSettings,
  refusals: readonly string[] = STATUS_REFUSALS,
): Decision {
  const { progress } = situation;
  const refusal = findRefusal(situation, progress, refusals);
  const confirmed = findConfirmation(situation);
  if (confirmed !== null && (refusal === null || isOurs(confirmed, progress)))
    return applied(situation, evidenceOf(confirmed));
  if (refusal !== null) return afterRefusal(situation, refusal, settings);
  const { deadlineInMs } = situation;
  if (deadlineInMs !== null && deadlineInMs <= 0) return afterDeadline(situation, lookOf(situation), settings);
  if (isLost(last)) return afterLostAnswer(situation, last, lookOf(situation), settings);
  return untilHeard(situation, last, deadlineInMs ?? settings.deadlineMs);
}

function beforeFirstAttempt({ state, target }: CommandSituation): Decision {
  if (state === null) return invalid('ORDER_UNKNOWN');
  const status = statusOf(state);
  // "Already in this state" is decided before "not allowed" (contract, "Order commands").
  if (state.paid && status === target) return conclude('unchanged', 'already-in-state');
  if (status !== null && CLOSED_TO_COMMANDS.has(status)) return invalid('STATUS_NOT_SETTABLE', { status });
  if (!state.paid) return invalid('NOT_PAID');
  return { kind: 'send' };
}

/**
 * Finds the fact that confirms the command: the event of its operation, or a fact with the
 * target status that was stored after the attempt and is newer than the status before it. Never
 * compares the platform's clock with Gondola's.
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
 * Rule 16: a refusal counts as applied if the order already has the target status, so the status is read before the
 * result.
 */
function afterRefusal(situation: CommandSituation, refusal: Refusal, settings: CommandSettings): Decision {
  const { state, target, progress } = situation;
  if (state !== null && statusOf(state) === target) return applied(situation, 'already-in-state');
  if (progress.read?.purpose !== 'refusal' && mayRead(situation, settings)) return { kind: 'read', purpose: 'refusal' };
  return conclude('refused', refusal.evidence, { code: 'PLATFORM_REFUSED' }, refusal.platform);
}

/** The order's status, read. */
function lookOf({ progress: { read, attempts } }: CommandSituation): OrderLook {
  return {
    kind: 'read',
    read,
    statusFor: (purpose) => (read?.purpose === purpose ? read.status : null),
    hasMoved: read !== null && read.status !== attempts.at(-1)?.before.status,
  };
}

/** Pause before the first read of an accepted call whose event may be lost; doubled with each further one. */
const SILENCE_READ_MS = 30_000;

/** Reads now and then after an accepted call, since its only event may be lost: a read of the target confirms it. */
function untilHeard(
  { progress: { read, attempts }, nowMs }: CommandSituation,
  last: OrderAttempt,
  untilDeadlineMs: number,
): Decision {
  const isFirst = read?.purpose !== 'silence' || read.attempts !== attempts.length;
  const [since, count] = isFirst ? [last.at, 1] : [read.at, read.count + 1];
  const inMs = Date.parse(since) + doubledMs(SILENCE_READ_MS, count) - nowMs;
  return inMs > 0 ? { kind: 'wait', ms: Math.min(inMs, untilDeadlineMs) } : { kind: 'read', purpose: 'silence' };
}

function applied({ target }: CommandSituation, evidence: Evidence): Decision {
  return {
    kind: 'conclude',
    conclusion: { outcome: 'applied', evidence, reason: null, platform: null, setsStatus: target },
  };
}
