import type { Conclusion } from '@gondola/shared/results/conclusion';
import type { Result } from '@gondola/shared/results/result';
import { resultKey } from '@gondola/shared/topics/dedup-keys';
import { ORDER_COMMANDS } from '../orders/order-topics.ts';
import type { PendingEvent } from '../orders/plan-events.ts';

/**
 * What stays of a record that was published about an order: when, what and why, in the words of the record, without its
 * content. The outbox deletes a record once Kafka has it, and the content of an event is personal.
 */
export interface PublishedRecord {
  readonly at: Date;
  readonly kind: 'event' | 'result';
  /** `ce_id`. */
  readonly recordId: string;
  /** The event's type, or the command that the result is about. */
  readonly type: string;
  /** Of an event, its own; of a result, the last one that it names. */
  readonly revision: number | null;
  /** The status that an event publishes. */
  readonly status: number | null;
  /** The command that the record is the result of, or that caused it. */
  readonly commandId: string | null;
  /** `cause.kind` of an event. */
  readonly cause: string | null;
  /** Of a result. */
  readonly outcome: string | null;
  /** Of a result `corrected`; `outcome` is then the true one. */
  readonly isCorrection: boolean;
  readonly reasonCode: string | null;
  readonly evidence: string | null;
}

/** An event of the order, under the key of its revision. */
export function publishedEvent(event: PendingEvent, recordId: string, at: Date): PublishedRecord {
  const { type, revision, status, cause } = event;
  const commandId = cause.kind === 'command' ? cause.commandId : null;
  const noResult = { outcome: null, isCorrection: false, reasonCode: null, evidence: null };
  return { at, kind: 'event', recordId, type, revision, status, commandId, cause: cause.kind, ...noResult };
}

/** The final result of a command. */
export function publishedResult(result: Result, at: Date): PublishedRecord {
  const { id: recordId, command: type, commandId, outcome } = result;
  return { ...resultAt(at), recordId, type, commandId, outcome, ...saysOf(result) };
}

/** The late outcome of a command that had another one. */
export function publishedCorrection(
  { commandId, command, conclusion }: { commandId: string; command: string; conclusion: Conclusion },
  tenant: string,
  at: Date,
): PublishedRecord {
  const recordId = resultKey(tenant, ORDER_COMMANDS, commandId, 'corrected');
  const { outcome } = conclusion;
  return { ...resultAt(at), recordId, type: command, commandId, outcome, ...saysOf(conclusion), isCorrection: true };
}

function resultAt(at: Date) {
  return { at, kind: 'result', status: null, cause: null, isCorrection: false } as const;
}

function saysOf({ evidence, reason, revision = null }: Pick<Conclusion, 'evidence' | 'reason' | 'revision'>) {
  return { evidence, reasonCode: reason?.code ?? null, revision };
}
