import type { AttemptAnswer } from '../commands/attempts.ts';

/** A call whose answer never arrived. */
export const LOST = { kind: 'unknown', cause: 'timeout' } as const satisfies AttemptAnswer;
/** A call that was stored and has no answer, because its process ended. */
export const PENDING = { kind: 'pending' } as const satisfies AttemptAnswer;

/**
 * A decision in the form of a suite: *given* the differences from the standard situation, *when* so many
 * milliseconds have passed, *then* the returned value.
 *
 * @param decide the pure decision
 * @param standard the standard situation after that time; it receives the given differences
 */
export function decisionOf<Situation, Settings, Decision>(
  decide: (situation: Situation, settings: Settings) => Decision,
  standard: (elapsedMs: number, given: Partial<Situation>) => Situation,
  settings: Settings,
): (given: Partial<Situation>, whenMs?: number) => Decision {
  return (given, whenMs = 0) => decide({ ...standard(whenMs, given), ...given }, settings);
}

/** The progress with its attempts at `seconds` after the first. */
export function attemptedAt<P extends { readonly attempts: readonly { readonly at: string }[] }>(
  progress: P,
  seconds: readonly number[],
): P {
  const startMs = Date.parse(progress.attempts[0]?.at ?? '');
  const attempts = progress.attempts.map((attempt, index) => ({
    ...attempt,
    at: new Date(startMs + (seconds[index] ?? 0) * 1_000).toISOString(),
  }));
  return { ...progress, attempts };
}
