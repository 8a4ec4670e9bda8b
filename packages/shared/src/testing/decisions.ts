import type { AttemptAnswer } from '../commands/attempts.ts';

/** A call whose answer never came. */
export const LOST = { kind: 'unknown', cause: 'timeout' } as const satisfies AttemptAnswer;
/** A call that was written down, and of whose answer nothing is: its process ended. */
export const PENDING = { kind: 'pending' } as const satisfies AttemptAnswer;

/**
 * A decision as a suite asks for it: *given* what differs from the standard situation, *when* so many milliseconds have
 * passed, *then* what it returns.
 *
 * @param decide the pure decision
 * @param standard the situation after that time with nothing special in it; it sees what is given
 */
export function decisionOf<Situation, Settings, Decision>(
  decide: (situation: Situation, settings: Settings) => Decision,
  standard: (elapsedMs: number, given: Partial<Situation>) => Situation,
  settings: Settings,
): (given: Partial<Situation>, whenMs?: number) => Decision {
  return (given, whenMs = 0) => decide({ ...standard(whenMs, given), ...given }, settings);
}
