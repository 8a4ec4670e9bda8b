import { median } from '@gondola/local-stack/testing/median';
import { type AllApps, APPS, DELIVERIES, LOADED_PRODUCTS, startAllApps } from './all-apps.ts';
import type { Bench, BenchStack, Say } from './bench.ts';
import type { Verdict } from './contest.ts';
import { processorMs } from './usage.ts';

/** Numbers among which the connections and deliveries of a round are divided without a rest. */
const DIVISORS = [1, 2, 3, 4, 6, 8];
const ROUNDS = 3;
/** Rounds before those that count, for each replica: the work of one process is spread over all of them. */
const WARM_UP_ROUNDS = 2;
const SERVERS = ['Kafka', 'PostgreSQL'] as const;
/** Load, platform and consumers of the bench, which compete for the same cores. */
const BENCH = 'bench';

const WORKS = [
  { unit: 'order event', count: DELIVERIES, run: (apps: AllApps) => apps.deliver() },
  { unit: 'product', count: LOADED_PRODUCTS, run: (apps: AllApps) => apps.load() },
] as const;

type Unit = (typeof WORKS)[number]['unit'];

/** Wanted ratio of a rate with this many replicas of each app to that with one. */
const WANTED: ReadonlyArray<readonly [unit: Unit, replicas: number, ratio: number]> = [
  ['order event', 3, 0.9],
  ['order event', 6, 0.8],
  ['product', 3, 0.95],
];

/** Processor milliseconds by process, all replicas of an app together. */
type Milliseconds = Readonly<Record<string, number>>;

interface Figures {
  readonly perSecond: number;
  /** For each order event or product. */
  readonly ms: Milliseconds;
}

/** Numbers of replicas such as `1,3`. */
export function replicasFrom(text: string): readonly number[] {
  return text.split(',').map((part) => {
    const count = DIVISORS.find((divisor) => String(divisor) === part.trim());
    if (count === undefined)
      throw new Error(`--replicas takes ${DIVISORS.join(', ')}, with commas between; "${part}" is none of them`);
    return count;
  });
}

/**
 * The cost of replicas on a machine whose cores are busy: rates, and the processor time of each process for one order
 * event and one product, with each of these numbers of replicas of every app, one after the other in rising order.
 */
export function scaleBench(counts: readonly number[]): Bench {
  const run = async (stack: BenchStack, say: Say): Promise<Verdict[]> => {
    const apps = await startAllApps(stack);
    try {
      const found = new Map<number, ReadonlyMap<Unit, Figures>>();
      for (const count of counts.toSorted((one, other) => one - other)) {
        await apps.growTo(count);
        for (let round = 0; round < WARM_UP_ROUNDS * count; round += 1)
          for (const { run: work } of WORKS) await work(apps);
        found.set(count, await measure(apps, stack));
        sayFigures(count, found.get(count)!, say);
      }
      return verdictsOf(found);
    } finally {
      await apps.close();
    }
  };
  return { name: 'scale', run };
}

async function measure(apps: AllApps, stack: BenchStack): Promise<ReadonlyMap<Unit, Figures>> {
  const rounds: [Unit, Figures][] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const { unit, count, run } of WORKS) {
      const before = await machineTime(apps, stack);
      const perSecond = await run(apps);
      const after = await machineTime(apps, stack);
      const ms = Object.fromEntries(Object.keys(after).map((key) => [key, (after[key]! - before[key]!) / count]));
      rounds.push([unit, { perSecond, ms }]);
    }
  }
  return new Map(
    WORKS.map(({ unit }) => {
      const its = rounds.flatMap(([of, figures]) => (of === unit ? [figures] : []));
      const names = Object.keys(its[0]!.ms);
      const ms = Object.fromEntries(names.map((name) => [name, median(its.map((each) => each.ms[name]!))]));
      return [unit, { perSecond: median(its.map(({ perSecond }) => perSecond)), ms }];
    }),
  );
}

async function machineTime({ replicas }: AllApps, { kafka, postgres }: BenchStack): Promise<Milliseconds> {
  const pids = {
    ...Object.fromEntries(APPS.map((app) => [app, replicas[app].map(({ pid }) => pid)])),
    [SERVERS[0]]: [kafka?.pid],
    [SERVERS[1]]: [postgres?.pid],
    [BENCH]: [process.pid],
  };
  return processorMs(pids);
}

function sayFigures(count: number, figures: ReadonlyMap<Unit, Figures>, say: Say): void {
  for (const [unit, { perSecond, ms }] of figures) {
    const shown = Object.entries(ms).filter(([name]) => name !== BENCH);
    const total = shown.reduce((sum, [, each]) => sum + each, 0);
    say(`${count} of each app: ${perSecond.toFixed(0)} ${unit}s/s, ${total.toFixed(3)} ms of a core each`);
    const parts = Object.entries(ms).map(([name, each]) => `${name} ${each.toFixed(3)}`);
    say(`  ${parts.join(', ')}`);
  }
}

/** Ratios to the smallest number of replicas, where that is one. */
function verdictsOf(found: ReadonlyMap<number, ReadonlyMap<Unit, Figures>>): Verdict[] {
  const one = found.get(1);
  if (one === undefined) return [];
  return WANTED.flatMap(([unit, replicas, target]) => {
    const many = found.get(replicas);
    if (many === undefined) return [];
    const measured = many.get(unit)!.perSecond / one.get(unit)!.perSecond;
    return [{ what: `${replicas} replicas : one, ${unit}s`, measured, target, atLeast: null }];
  });
}
