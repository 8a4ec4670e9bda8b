import { isNameless, operationIdsOf } from '@gondola/shared/commands/attempts';
import { againInMs, isFresh, lookInMs } from '@gondola/shared/commands/retry';
import { CLOSED_TO_COMMANDS } from '@gondola/shared/orders/order-statuses';
import type { JsonValue } from '@gondola/shared/json/json-digits';
import type { Evidence } from '@gondola/shared/outcomes/outcomes';
import type { AttemptMarker, CommandProgress, OrderAttempt, PayloadRead, StatusRead } from './command-progress.ts';
import { type OrderFact, compareRecency, isStoredAfter } from '../facts/order-fact.ts';
import {
  type CommandBasis,
  type CommandSettings,
  conclude,
  type Decision,
  deadlineStep,
  LAG_WAIT_MS,
  overtaken,
} from './decision.ts';

/** Facts as answers to attempts (rules 5, 10, 16). */

/**
 * True if a fact was stored after an attempt and is newer than the status known before it. Never compares two clocks.
 */
export function answersTo(fact: OrderFact, { seenFactId, before }: AttemptMarker): boolean {
  const known = { ...before, ticks: before.ticks === null ? null : BigInt(before.ticks) };
  return isStoredAfter(fact, seenFactId) && compareRecency(fact, known) > 0;
}

export function isOurs({ operationId }: OrderFact, progress: CommandProgress): boolean {
  return operationId !== null && operationIdsOf(progress).includes(operationId);
}

export function evidenceOf(fact: OrderFact): Evidence {
  return fact.source === 'read' ? 'read-back' : 'event';
}

export interface Refusal {
  /** The platform's error object. */
  readonly platform: JsonValue;
  readonly evidence: Evidence;
}

/**
 * Finds the platform's refusal: in the answer; in an event of the operation, which may arrive before
 * the answer; or, if no answer named an operation, in the next refusal of this kind that is not known to be about
 * another command: an earlier one may be refused late.
 */
export function findRefusal(
  { state, otherOperationIds }: Pick<CommandBasis, 'state' | 'otherOperationIds'>,
  progress: CommandProgress,
  namelessEvents: readonly string[],
): Refusal | null {
  const isOthers = ({ operationId }: OrderFact) => operationId !== null && otherOperationIds.includes(operationId);
  const failures = (state?.facts ?? []).filter((fact) => fact.failure);
  const published =
    failures.find((fact) => isOurs(fact, progress)) ??
    failures.find(
      (fact) =>
        namelessEvents.includes(fact.eventType) &&
        !isOthers(fact) &&
        progress.attempts.some((attempt) => isNameless(attempt) && isStoredAfter(fact, attempt.seenFactId)),
    );
  if (published !== undefined) return { platform: published.error, evidence: 'event' };
  const answer = progress.attempts.find((attempt) => attempt.answer.kind === 'refused')?.answer;
  if (answer?.kind !== 'refused') return null;
  return { platform: { statusCode: answer.status, message: answer.message }, evidence: 'none' };
}

/** How the order is read to learn what became of a sent change: by its status, or by its payload. */
export interface OrderLook {
  readonly kind: 'read' | 'read-payload';
  /** The last read of this kind; null before the first. */
  readonly read: StatusRead | PayloadRead | null;
  /** Status of the order once it was read for this purpose; null for unknown. */
  readonly statusFor: (purpose: 'lost-answer' | 'deadline') => number | null;
  /** True if that read shows another state than before the call, of which an event will tell. */
  readonly hasMoved: boolean;
}

/** Without an outcome in time, one last read decides. */
export function afterDeadline(basis: CommandBasis, { kind, read, statusFor }: OrderLook, settings: CommandSettings) {
  const next = deadlineStep(basis, read?.purpose === 'deadline', settings);
  if (next === 'catch-up') return { kind: 'wait', ms: LAG_WAIT_MS } as const;
  if (next === 'read') return { kind, purpose: 'deadline' } as const;
  return isClosed(statusFor('deadline'))
    ? overtaken('read-back')
    : conclude('unconfirmed', 'none', { code: 'PLATFORM_SILENT' });
}

/**
 * After a lost answer the order is read; if it is as before, the change is sent once more, unless that is too often or
 * too late (rule 16).
 */
export function afterLostAnswer(
  { progress, nowMs, deadlineInMs }: CommandBasis,
  last: OrderAttempt,
  { kind, read, statusFor, hasMoved }: OrderLook,
  settings: CommandSettings,
): Decision {
  const untilDeadlineMs = deadlineInMs ?? settings.deadlineMs;
  const wait = (ms: number): Decision => ({ kind: 'wait', ms: Math.min(ms, untilDeadlineMs) });
  const readInMs = lookInMs(last, { nowMs, lostAnswerMs: settings.lostAnswerMs });
  if (readInMs > 0) return wait(readInMs);
  if (read?.purpose !== 'lost-answer' || read.attempts !== progress.attempts.length)
    return { kind, purpose: 'lost-answer' };
  if (isClosed(statusFor('lost-answer'))) return overtaken('read-back');
  if (hasMoved) return wait(untilDeadlineMs);
  const againMs = againInMs(progress.attempts, settings.maxAttempts, { nowMs, ...settings });
  if (againMs > 0) return wait(againMs);
  return isFresh(read, nowMs, settings.readFreshMs) ? { kind: 'send' } : { kind, purpose: 'lost-answer' };
}

function isClosed(status: number | null): boolean {
  return status !== null && CLOSED_TO_COMMANDS.has(status);
}
