const MAX_CAUSES = 8;

/** An error of kafkajs, with the broker's name and number for it. */
interface Cause extends Error {
  readonly type?: string;
  readonly code?: unknown;
  readonly originalError?: unknown;
}

/** An error of kafkajs, and the errors that it has as its causes. */
export function causesOf(error: unknown): readonly Cause[] {
  const causes: Cause[] = [];
  for (let cause = error; causes.length < MAX_CAUSES && cause instanceof Error;) {
    causes.push(cause);
    cause = cause.cause ?? causes.at(-1)!.originalError;
  }
  return causes;
}

/** True if the broker's name for the error, or for one of its causes, is `type`. */
export function hasCause(error: unknown, type: string): boolean {
  return causesOf(error).some((cause) => cause.type === type);
}
