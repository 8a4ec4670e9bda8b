import { isNameless, operationIdsOf } from '@gondola/shared/commands/attempts';
import type { JsonValue } from '@gondola/shared/json/json-digits';
import type { Evidence } from '@gondola/shared/results/outcomes';
import type { CommandProgress, AttemptMarker } from './command-progress.ts';
import { type OrderFact, compareRecency, isStoredAfter } from '../notifications/order-fact.ts';
import type { OrderState } from '../orders/order-state.ts';

/** What facts say about what was sent (rules 5, 10, 16). */

/**
 * Whether a fact was stored after something was written down and is newer than what was known then. Two clocks are
 * never compared.
 */
export function answersTo(fact: OrderFact, { seenFactId, before }: AttemptMarker): boolean {
  const known = { ...before, ticks: before.ticks === null ? null : BigInt(before.ticks) };
  return isStoredAfter(fact, seenFactId) && compareRecency(fact, known) > 0;
}

/** Whether the fact names an operation that the platform gave us for this command. */
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
 * The platform's no: in the answer; by an event of our operation, which may have come before the answer that names it;
 * or, where no answer named an operation, by the next refusal of this kind, since only one such change of an order is
 * open at a time.
 */
export function findRefusal(
  state: OrderState | null,
  progress: CommandProgress,
  namelessEvents: readonly string[],
): Refusal | null {
  const failures = (state?.facts ?? []).filter((fact) => fact.failure);
  const published =
    failures.find((fact) => isOurs(fact, progress)) ??
    failures.find(
      (fact) =>
        namelessEvents.includes(fact.eventType) &&
        progress.attempts.some((attempt) => isNameless(attempt) && isStoredAfter(fact, attempt.seenFactId)),
    );
  if (published !== undefined) return { platform: published.error, evidence: 'event' };
  const answer = progress.attempts.find((attempt) => attempt.answer.kind === 'refused')?.answer;
  if (answer?.kind !== 'refused') return null;
  return { platform: { statusCode: answer.status, message: answer.message }, evidence: 'none' };
}
