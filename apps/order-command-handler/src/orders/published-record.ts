import type { Conclusion } from '@gondola/shared/results/conclusion';
import type { Result } from '@gondola/shared/results/result';
import { resultKey } from '@gondola/shared/topics/dedup-keys';
import { ORDER_COMMANDS } from './order-topics.ts';
import type { PendingEvent } from './plan-events.ts';

/**
 * History entry of a published event or result of an order, without its content. The outbox deletes a record once
 * Kafka has it, and the content of an event is personal data.
 */
export interface PublishedRecord {
  readonly at: Date;
  readonly kind: 'event' | 'result';
  /** `ce_id`. */
  readonly recordId: string;
  /** Type of the event, or command of the result. */
  readonly type: string;
  /** Revision of an event; of a result, the one in its `revision`. */
  readonly revision: number | null;
  /** Status of an event. */
  readonly status: number | null;
  /** Command of the result, or command that caused the event. */
  readonly commandId: string | null;
  /** `cause.kind` of an event. */
  readonly cause: string | null;
  /** Outcome of a result. */
  readonly outcome: string | null;
  /** True for a result `corrected`; `outcome` is then its `correctedOutcome`. */
  readonly isCorrection: boolean;
  readonly reasonCode: string | null;
  readonly evidence: string | null;
}

/** History entry of an event. */
export function publishedEvent(event: PendingEvent, recordId: string, at: Date): PublishedRecord {
  const { type, revision, status, cause } = event;
  const commandId = cause.kind === 'command' ? cause.commandId : null;
  const noResult = { outcome: null, isCorrection: false, reasonCode: null, evidence: null };
  return { at, kind: 'event', recordId, type, revision, status, commandId, cause: cause.kind, ...noResult };
}

/** History entry of a final result. */
export function publishedResult(result: Result, at: Date): PublishedRecord {
  const { id: recordId, command: type, commandId, outcome } = result;
  return { ...resultAt(at), recordId, type, commandId, outcome, ...saysOf(result) };
}

/** History entry of a correction. */
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
