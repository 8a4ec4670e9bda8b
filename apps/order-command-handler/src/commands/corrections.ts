import type { JsonValue } from '@gondola/shared/json/json-digits';
import { applied, type Conclusion, refused } from '@gondola/shared/results/conclusion';
import type { Language } from '@gondola/shared/outcomes/reason-codes';
import type { Result } from '@gondola/shared/results/result';
import { type OrderState, statusOf } from '../facts/order-state.ts';
import type { UnconfirmedCommand } from '../orders/order-row.ts';
import { orderCommand } from './order-commands.ts';

/**
 * Returns the command to store for a later correction: one concluded as `unconfirmed` whose operation the platform
 * named; else none.
 */
export function rememberUnconfirmed(result: Result, traceparent: string): readonly UnconfirmedCommand[] {
  const { outcome, operationIds, commandId, command, id: resultId, receivedAt, attempts } = result;
  // By its name: it may have become unreadable.
  const target = orderCommand(command)?.target ?? null;
  if (outcome !== 'unconfirmed' || target === null || operationIds.length === 0) return [];
  return [{ commandId, command, resultId, target, operationIds, receivedAt, attempts, traceparent }];
}

/** Late outcome of an `unconfirmed` command. */
export interface Correction {
  readonly unconfirmed: UnconfirmedCommand;
  readonly correctedOutcome: 'applied' | 'refused';
  /** The platform's error object. */
  readonly platform: JsonValue;
  /** Status that the correction publishes; null if the order has left it. */
  readonly setsStatus: number | null;
}

/** Conclusion of a correction; `revision` is the last published one, null for none. */
export function correctedConclusion(
  { correctedOutcome, platform }: Correction,
  language: Language,
  revision: number | null,
): Conclusion {
  if (correctedOutcome === 'refused') return { ...refused(language, { evidence: 'event', platform }), revision };
  return { ...applied('event'), platform, revision };
}

/**
 * Finds late outcomes among the facts (guarantee 3: after `unconfirmed` at most one `corrected`). Only an event of
 * the command's own operation counts: after the deadline, an equal status proves nothing.
 */
export function findCorrections(state: OrderState | null, remembered: readonly UnconfirmedCommand[]): Correction[] {
  if (state === null) return [];
  return remembered.map((unconfirmed) => correctionOf(state, unconfirmed)).filter((correction) => correction !== null);
}

/** True for commands whose effect is published by events that name the command. */
function isPublishedByEvents({ command }: UnconfirmedCommand): boolean {
  return orderCommand(command)?.publishedBy.kind === 'event';
}

function correctionOf(state: OrderState, unconfirmed: UnconfirmedCommand): Correction | null {
  const { target, operationIds } = unconfirmed;
  const ours = state.facts.filter(({ operationId }) => operationId !== null && operationIds.includes(operationId));
  if (ours.some(({ failure, status }) => !failure && status === target)) {
    const setsStatus = !isPublishedByEvents(unconfirmed) && statusOf(state) === target ? target : null;
    return { unconfirmed, correctedOutcome: 'applied', platform: null, setsStatus };
  }
  const refusal = ours.find(({ failure }) => failure);
  if (refusal === undefined) return null;
  return { unconfirmed, correctedOutcome: 'refused', platform: refusal.error, setsStatus: null };
}
