// Paired, interleaved rounds: the candidates run one after the other in every round, in an order that turns, so that what the machine does
// meanwhile meets all of them. Only ratios within a round are compared; absolute figures are told, never checked.

interface Candidate {
  name: string;
  /** One round's work; answers how much was done per second, in the contest's unit. */
  run: () => Promise<number>;
}

export interface Contest {
  name: string;
  /** What a figure counts, per second: `records`, `requests`. */
  unit: string;
  /** The first is the yardstick that all others are compared to. */
  candidates: readonly [Candidate, ...Candidate[]];
  close?: () => Promise<void>;
}

export interface Standing {
  name: string;
  medianPerSecond: number;
  /** Median over the rounds of this candidate's figure divided by the yardstick's in the same round. */
  medianRatio: number;
}

/** Runs `rounds` rounds after one that only warms up. */
export async function hold(contest: Contest, rounds: number): Promise<Standing[]> {
  const figures = contest.candidates.map((): number[] => []);
  for (let round = 0; round <= rounds; round += 1) {
    for (const index of turn(contest.candidates.length, round)) {
      const perSecond = await contest.candidates[index]?.run();
      if (round > 0 && perSecond !== undefined) figures[index]?.push(perSecond);
    }
  }
  return standings(
    contest.candidates.map(({ name }) => name),
    figures,
  );
}

/** The order of the candidates in a round: each goes first in turn. */
export function turn(count: number, round: number): number[] {
  return Array.from({ length: count }, (_, place) => (place + round) % count);
}

export function standings(names: readonly string[], figures: readonly (readonly number[])[]): Standing[] {
  const yardstick = figures[0] ?? [];
  return names.map((name, index) => {
    const own = figures[index] ?? [];
    const ratios = own.map((figure, round) => figure / (yardstick[round] ?? Number.NaN));
    return { name, medianPerSecond: median(own), medianRatio: median(ratios) };
  });
}

/** The middle value, or the mean of the two in the middle; NaN of nothing. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2;
}
