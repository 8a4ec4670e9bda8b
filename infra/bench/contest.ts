// Paired, interleaved rounds: in every round the candidates run one after the other, in a rotating order, so that
// other load on the machine affects all of them. Only ratios within a round are compared; absolute figures are
// shown, never checked.

interface Candidate {
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
export interface RatioCheck {
  /** Name of the candidate. */
  of: string;
  /** Name of the candidate that it is compared to. */
  to: string;
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

/** A candidate and its figure per second in each round. */
export interface Series {
  name: string;
  figures: readonly number[];
}

export interface Standing {
  name: string;
  medianPerSecond: number;
  /** Median over the rounds of this candidate's figure divided by the baseline's in the same round. */
  medianRatio: number;
}

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
export async function hold(contest: Contest, rounds: number): Promise<Series[]> {
  const figures = contest.candidates.map((): number[] => []);
  for (let round = 0; round <= rounds; round += 1) {
    for (const index of turn(contest.candidates.length, round)) {
      const perSecond = await contest.candidates[index]?.run(round === 0);
      if (round > 0 && perSecond !== undefined) figures[index]?.push(perSecond);
    }
  }
  return contest.candidates.map(({ name }, index) => ({ name, figures: figures[index] ?? [] }));
}

/** Order of the candidates in a round: each is first in turn. */
export function turn(count: number, round: number): number[] {
  return Array.from({ length: count }, (_, place) => (place + round) % count);
}

export function standings(series: readonly Series[]): Standing[] {
  return series.map(({ name, figures }) => ({
    name,
    medianPerSecond: median(figures),
    medianRatio: medianRatio(figures, series[0]?.figures ?? []),
  }));
}

/** The result of a check over all rounds. */
export function verdictOf({ of, to, target, atLeast }: RatioCheck, series: readonly Series[]): Verdict {
  const figuresOf = (name: string): readonly number[] => {
    const found = series.find((each) => each.name === name);
    if (found === undefined) throw new Error(`No candidate is named ${name}`);
    return found.figures;
  };
  return { what: `${of} : ${to}`, measured: medianRatio(figuresOf(of), figuresOf(to)), target, atLeast };
}

function medianRatio(figures: readonly number[], yardstick: readonly number[]): number {
  return median(figures.map((figure, round) => figure / (yardstick[round] ?? Number.NaN)));
}

/** The middle value, or the mean of the two in the middle; NaN for an empty list. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2;
}
