import type { LocalStack } from '@gondola/local-stack/local-stack';
import { median } from '@gondola/local-stack/testing/median';
import { type Contest, hold, ratio, type Verdict } from './contest.ts';

export interface Servers {
  kafkaBrokers: string;
  databaseUrl: string;
}

/** The servers of a bench, of which it may read what they cost. */
export type BenchStack = Servers & Pick<LocalStack, 'kafka' | 'postgres'>;

export type Say = (line: string) => void;

/**
 * A bench that `npm run bench -- <name>` runs by its name, on servers of its own. It prints its figures while it runs
 * and returns its verdicts.
 */
export interface Bench {
  name: string;
  run: (stack: BenchStack, say: Say) => Promise<Verdict[]>;
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
      const figures = await hold(contest, rounds);
      for (const candidate of contest.candidates) {
        const perSecond = Math.round(median(figures.get(candidate) ?? [])).toString();
        const share = ratio(figures, candidate, contest.candidates[0]).toFixed(2);
        say(`  ${candidate.name.padEnd(NAME_WIDTH)} ${perSecond.padStart(FIGURE_WIDTH)}   ×${share}`);
      }
      return contest.checks.map(({ of, to, target, atLeast }) => {
        return { what: `${of.name} : ${to.name}`, measured: ratio(figures, of, to), target, atLeast };
      });
    } finally {
      await contest.close();
    }
  };
  return { name, run };
}

/** The benches of these names; without a name all. Throws an error that names them if there is no such bench. */
export function chosen(benches: readonly Bench[], names: readonly string[]): readonly Bench[] {
  const known = benches.map(({ name }) => name);
  const unknown = names.filter((name) => !known.includes(name));
  if (unknown.length > 0) throw new Error(`No bench is named ${unknown.join(', ')}; there are ${known.join(', ')}`);
  return benches.filter(({ name }) => names.length === 0 || names.includes(name));
}

/** A measurement of NaN fails, too. */
export function holds({ measured, atLeast }: Verdict): boolean {
  return atLeast === null || measured >= atLeast;
}

/** `held  ours : bare  ×0.63  target ×0.60  checked ×0.55` */
export function lineOf(verdict: Verdict): string {
  const { what, measured, target, atLeast } = verdict;
  const word = atLeast === null ? 'shown' : holds(verdict) ? 'held ' : 'BROKE';
  const checked = atLeast === null ? 'not checked' : `checked ${times(atLeast)}`;
  return `${word}  ${what}  ${times(measured)}  target ${times(target)}  ${checked}`;
}

function times(ratio: number): string {
  return `×${ratio.toFixed(2)}`;
}

/** Prints delays in milliseconds, and returns the one that hardly any exceeds. */
export function sayDelays(what: string, delays: readonly number[], say: Say): number {
  const ascending = delays.toSorted((a, b) => a - b);
  const p99 = percentile(ascending, 0.99);
  const [p50, most] = [percentile(ascending, 0.5), percentile(ascending, 1)];
  say(`${what}: ${delays.length}, p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms, most ${most.toFixed(1)} ms`);
  return p99;
}

/**
 * Smallest of ascending values that at least this share (above 0, up to 1) of them does not exceed; NaN for an
 * empty list.
 */
export function percentile(ascending: readonly number[], share: number): number {
  return ascending[Math.ceil(ascending.length * share) - 1] ?? Number.NaN;
}
