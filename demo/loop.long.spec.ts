import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { waitFor } from '@gondola/local-stack/wait-for';
import { readByContract } from '@gondola/kafka/testing/read-by-contract';
import { drawsOf } from '@gondola/local-stack/testing/seeded';
import { describe, expect, it } from '@jest/globals';
import { type AppName, type Gondola, ROOT } from './play/gondola.ts';
import { playLoop, STEPS } from './play/loop.ts';
import { outputIn, sameForEveryRun } from './testing/readme-output.ts';
import { testRun } from './testing/test-run.ts';

// The whole product from outside: an ERP that knows only the contract on one side, the shop on the other, and every
// app as a separate process.

const SEEDS = [1, 2, 3];
const KILL_WITHIN_MS = 250;
const VICTIMS: readonly AppName[] = ['catalog-publisher', 'order-command-handler', 'file-gateway'];
/** Steps at which the shop's webhook sender is quiet: webhooks to a dead address are lost after three attempts. */
const INGEST_DIES_AT: readonly string[] = ['load-products', 'order-approved'];

/** Topics of the demo's day; all their records are checked against the contract at the end. */
const TOPICS_OF_THE_DAY: ReadonlySet<string> = new Set([
  'erp.catalog.brands.v1',
  'erp.catalog.categories.v1',
  'erp.catalog.products.v1',
  'erp.catalog.prices.v1',
  'erp.catalog.warehouses.v1',
  'erp.catalog.stock.v1',
  'erp.orders.commands.v1',
  'erp.files.commands.v1',
  'erp.catalog.results.v1',
  'erp.orders.results.v1',
  'erp.files.results.v1',
  'erp.orders.events.v1',
  'catalog.skus.v1',
  'platform.notifications.catalog.v1',
  'platform.notifications.orders.v1',
]);

/** Kills an app and waits until it is restarted. */
async function killed({ supervisor }: Gondola, app: AppName): Promise<void> {
  await supervisor.kill(app);
  await waitFor(() => !supervisor.isRunning(app), { describe: `the end of ${app}` });
  await waitFor(() => supervisor.isRunning(app), { describe: `${app} to be back` });
}

describe('the loop', () => {
  it.each(SEEDS)(
    'holds in each step, as the README shows it, with each service killed at a seeded one (seed %i)',
    async (seed) => {
      const draw = drawsOf(seed);
      const victims = VICTIMS.map((app) => ({ app, step: STEPS[draw(STEPS.length)] }));
      const deaths: Promise<void>[] = [];
      let deathsOfIngest = 0;
      const { lines } = await testRun(`killed-${seed}`, async (gondola) => {
        const { shop } = gondola.context;
        await playLoop({
          ...gondola.context,
          beforeStep: async (step) => {
            for (const { app } of victims.filter((victim) => victim.step === step))
              deaths.push(after(draw(KILL_WITHIN_MS)).then(() => killed(gondola, app)));
            if (!INGEST_DIES_AT.includes(step)) return;
            await shop.pauseSender(true);
            await killed(gondola, 'webhook-ingest');
            await shop.pauseSender(false);
            deathsOfIngest += 1;
          },
        });
        await Promise.all(deaths);
        const records = await readByContract(gondola.prefix);
        expect(new Set(records.map(({ topic }) => topic.slice(gondola.prefix.length)))).toEqual(TOPICS_OF_THE_DAY);
      });
      const shown = outputIn(await readFile(join(ROOT, 'README.md'), 'utf8'));
      const ofSteps = lines.filter((line) => !line.includes('ended by itself and is started again'));
      expect(sameForEveryRun(shown)).toEqual(sameForEveryRun(ofSteps));
      expect(deaths).toHaveLength(VICTIMS.length);
      expect(deathsOfIngest).toBe(INGEST_DIES_AT.length);
    },
  );
});
