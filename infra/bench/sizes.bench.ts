import { readFile } from 'node:fs/promises';
import { median } from '@gondola/local-stack/testing/median';
import { type AllApps, APPS, type App, DELIVERIES, LOADED_PRODUCTS, startAllApps } from './all-apps.ts';
import type { Bench, Say } from './bench.ts';
import { type BenchApp, cpuSeconds } from './bench-app.ts';

const REPLICAS = 3;
const ROUNDS = 3;
const MEGABYTE_IN_KILOBYTES = 1_024;

/** One machine with everything on it: figures of work that went the whole way. */
interface Rates {
  readonly events: number;
  readonly products: number;
}

/**
 * Work of a small machine with all apps, Kafka, PostgreSQL and the load on it; memory and connections of each app; and
 * the same with three replicas of each. Shown, never checked.
 */
export const sizesBench: Bench = {
  name: 'sizes',
  run: async (stack, say) => {
    const apps = await startAllApps(stack);
    try {
      await rounds(apps);
      const before = await cpuOf(apps);
      const alone = await rounds(apps);
      await sayWork(apps, before, say);
      await apps.growTo(REPLICAS);
      await rounds(apps);
      const together = await rounds(apps);
      sayRates('one replica of each app', alone, say);
      sayRates(`${REPLICAS} replicas of each app`, together, say);
      const shown = { target: 1, atLeast: null };
      return [
        { what: `${REPLICAS} replicas : one, order events`, measured: together.events / alone.events, ...shown },
        { what: `${REPLICAS} replicas : one, products`, measured: together.products / alone.products, ...shown },
      ];
    } finally {
      await apps.close();
    }
  },
};

/** Median rates of deliveries to events, and of products to results. */
async function rounds(apps: AllApps): Promise<Rates> {
  const [delivered, loaded]: number[][] = [[], []];
  for (let round = 0; round < ROUNDS; round += 1) {
    delivered!.push(await apps.deliver());
    loaded!.push(await apps.load());
  }
  return { events: median(delivered!), products: median(loaded!) };
}

async function cpuOf({ replicas }: AllApps): Promise<Readonly<Record<App, number>>> {
  const found: [App, number][] = [];
  for (const app of APPS) found.push([app, await cpuSeconds(replicas[app][0]!)]);
  return Object.fromEntries(found) as Record<App, number>;
}

async function sayWork(apps: AllApps, before: Readonly<Record<App, number>>, say: Say): Promise<void> {
  say(`after ${ROUNDS} rounds of ${DELIVERIES} deliveries and ${LOADED_PRODUCTS} products`);
  const after = await cpuOf(apps);
  for (const app of APPS) {
    const [replica] = apps.replicas[app];
    const spent = (after[app] - before[app]).toFixed(1);
    const [memory, connections] = [await memoryOf(replica!), await connectionsOf(replica!)];
    say(`  ${app.padEnd(24)} ${memory} resident, ${connections} connections, ${spent} s of a core`);
  }
}

function sayRates(who: string, { events, products }: Rates, say: Say): void {
  const [orders, loaded] = [events.toFixed(0), products.toFixed(0)];
  say(`${who}: ${orders} order events/s from the webhook, ${loaded} products/s from their topic to their results`);
}

async function memoryOf({ pid }: BenchApp): Promise<string> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return `${Math.round(Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? Number.NaN) / MEGABYTE_IN_KILOBYTES)} MB`;
}

/** Connections to PostgreSQL, used or idle. */
async function connectionsOf({ url }: BenchApp): Promise<number> {
  const metrics = await (await fetch(`${url}/metrics`)).text();
  const found = metrics.matchAll(/^gondola_database_connections\{[^}]*state="(?:used|idle)"[^}]*\} (\d+)/gm);
  return [...found].reduce((sum, [, count]) => sum + Number(count), 0);
}
