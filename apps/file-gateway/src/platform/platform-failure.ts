import { isNameless, operationIdsOf } from '@gondola/shared/commands/attempts';
import { OPERATION_FAILED } from '@gondola/shared/topics/event-names';
import type { JsonValue } from '@gondola/shared/json/json-digits';
import type { Evidence } from '@gondola/shared/outcomes/outcomes';
import type { FileAttempt } from './file-attempt.ts';

/**
 * A refusal that the platform sent later, as an event (docs/platform.md, "Events that are actually delivered for
 * orders").
 */
export interface PlatformFailure {
  /** Rises in the order of storing. */
  readonly id: string;
  readonly operationId: string | null;
  readonly eventType: string;
  /** The envelope's `error`. */
  readonly error: JsonValue;
  /** Milliseconds since 1970. */
  readonly receivedAtMs: number;
  /** True if the operation belongs to another command of this app. */
  readonly isOfAnother: boolean;
}

/** The platform's refusal of a change. */
export interface Refusal {
  /** False: it names the entity, not the operation, so it may concern another change. */
  readonly isCertain: boolean;
  readonly evidence: Evidence;
  readonly platform: JsonValue;
  /** Time at which it became known, in milliseconds since 1970; null if the answer was the refusal. */
  readonly knownAtMs: number | null;
}

/**
 * Finds the refusal: in an answer; in an event of one of the command's operations, which may have arrived before
 * the answer that names the operation; or, if an answer named no operation (the answer of an invoice upload is not
 * documented), in the next `Operation_Failed` about the same entity.
 */
export function findRefusal(attempts: readonly FileAttempt[], failures: readonly PlatformFailure[]): Refusal | null {
  const own = new Set(operationIdsOf({ attempts }));
  const ours = failures.find(({ operationId }) => operationId !== null && own.has(operationId));
  if (ours !== undefined) return refusalByEvent(ours, true);
  const no = attempts.map(({ answer }) => answer).find((answer) => answer.kind === 'refused');
  if (no?.kind === 'refused') {
    const platform = { statusCode: no.status, message: no.message };
    return { isCertain: true, evidence: 'none', platform, knownAtMs: null };
  }
  const since = attempts.find(isNameless)?.seenFailureId;
  if (since === undefined) return null;
  const about = failures.find(
    ({ id, eventType, isOfAnother }) => eventType === OPERATION_FAILED && !isOfAnother && BigInt(id) > BigInt(since),
  );
  return about === undefined ? null : refusalByEvent(about, false);
}

function refusalByEvent({ error, receivedAtMs }: PlatformFailure, isCertain: boolean): Refusal {
  return { isCertain, evidence: 'event', platform: error, knownAtMs: receivedAtMs };
}
