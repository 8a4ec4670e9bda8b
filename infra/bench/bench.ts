import { type Contest, hold, standings, verdictOf } from './contest.ts';
import type { Verdict } from './verdict.ts';

export interface Servers {
  kafkaBrokers: string;
  databaseUrl: string;
}

export type Say = (line: string) => void;

/**
 * A bench that `npm run bench -- <name>` runs by its name. It prints its figures while it runs and returns its
 * verdicts.
 */
export interface Bench {
  name: string;
  /** Too long for `npm run bench` without a name. Default false. */
  isByNameAlone?: true;
  run: (servers: Servers, say: Say) => Promise<Verdict[]>;
}

const NAME_WIDTH = 34;
const FIGURE_WIDTH = 8;

/**
 * Turns a contest into a bench: `rounds` rounds after one to warm up, one line for each candidate, its checks as
 * verdicts.
 */
export function contestBench(name: string, prepare: (servers: Servers) => Promise<Contest>, rounds = 5): Bench {
  const run = async (servers: Servers, say: Say): Promise<Verdict[]> => {
    const contest = await prepare(servers);
    try {
      say(`${contest.name} (${contest.unit}, median of ${rounds} rounds after one to warm up)`);
      const series = await hold(contest, rounds);
      for (const standing of standings(series)) {
        const figure = Math.round(standing.medianPerSecond).toString().padStart(FIGURE_WIDTH);
        say(`  ${standing.name.padEnd(NAME_WIDTH)} ${figure}   ×${standing.medianRatio.toFixed(2)}`);
      }
      return contest.checks.map((check) => verdictOf(check, series));
    } finally {
      await contest.close?.();
    }
  };
  return { name, run };
}

/**
 * The benches of these names; without a name all but those that run by their name alone. Throws an error that names
 * them if there is no such bench.
 */
export function chosen(benches: readonly Bench[], names: readonly string[]): readonly Bench[] {
  const known = benches.map(({ name }) => name);
  const unknown = names.filter((name) => !known.includes(name));
  if (unknown.length > 0) throw new Error(`No bench is named ${unknown.join(', ')}; there are ${known.join(', ')}`);
  return benches.filter(({ name, isByNameAlone }) => (names.length === 0 ? !isByNameAlone : names.includes(name)));
}
