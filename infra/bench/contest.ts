// Paired, interleaved rounds: in every round the candidates run one after the other, in a rotating order, so that
// other load on the machine affects all of them. Only ratios within a round are compared; absolute figures are
// shown, never checked.
import { median } from '@gondola/local-stack/testing/median';

export interface Candidate {
  name: string;
  /**
   * Does one round's work and returns its rate per second, in the contest's unit. The round with `isWarmUp` does
   * not count and may do more work.
   */
  run: (isWarmUp: boolean) => Promise<number>;
}

/**
 * A ratio between two candidates with its goal (`target`, shown) and the minimum below which the run fails
 * (`atLeast`).
 */
interface RatioCheck {
  of: Candidate;
  to: Candidate;
  target: number;
  atLeast: number;
}

export interface Contest {
  name: string;
  /** Unit of a figure, per second: `records/s`, `requests/s`. */
  unit: string;
  /** The first one is the baseline for all others. */
  candidates: readonly [Candidate, ...Candidate[]];
  checks: readonly RatioCheck[];
  close: () => Promise<void>;
}

/** Each candidate's rate per second, round by round. */
export type Figures = ReadonlyMap<Candidate, readonly number[]>;

/** A measured ratio, or a figure that is only shown (`atLeast` null), with its goal. More is better. */
export interface Verdict {
  what: string;
  measured: number;
  target: number;
  /**
   * Minimum below which the run fails; null: shown and never checked, as any figure that depends on the machine.
   */
  atLeast: number | null;
}

/** Runs `rounds` rounds after a warm-up round. */
export async function hold({ candidates }: Pick<Contest, 'candidates'>, rounds: number): Promise<Figures> {
  const figures = new Map(candidates.map((candidate): [Candidate, number[]] => [candidate, []]));
  for (let round = 0; round <= rounds; round += 1) {
    for (const candidate of turn(candidates, round)) {
      const perSecond = await candidate.run(round === 0);
      if (round > 0) figures.get(candidate)?.push(perSecond);
    }
  }
  return figures;
}

/** The candidates in the order of a round: each is first in turn. */
export function turn<T>(candidates: readonly T[], round: number): T[] {
  const first = round % candidates.length;
  return [...candidates.slice(first), ...candidates.slice(0, first)];
}

/** Median over the rounds of one candidate's figure divided by another's in the same round. */
export function ratio(figures: Figures, of: Candidate, to: Candidate): number {
  const yardstick = figures.get(to) ?? [];
  return median((figures.get(of) ?? []).map((figure, round) => figure / (yardstick[round] ?? Number.NaN)));
}
