import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type PostgresServer, startPostgres } from '@gondola/local-stack/postgres';
import { waitFor } from '@gondola/local-stack/wait-for';
import { deliver, envelope } from './support/deliver.ts';
import { firstRecords } from './support/first-records.ts';
import { IngestBench, ORDERS, readMetric } from './support/ingest-bench.ts';

const STEPS = 100;

/** A server of this suite alone, because it is frozen and killed. Each test has its own schema there. */
let postgres: PostgresServer;
let bench: IngestBench;
let benches = 0;

beforeAll(async () => {
  postgres = await startPostgres({ durable: false });
});

beforeEach(async () => {
  benches += 1;
  const schema = { DATABASE_SCHEMA: `webhook_ingest_${benches}` };
  bench = await IngestBench.open('outage', schema, { databaseUrl: postgres.url });
});

afterEach(async () => {
  postgres.thaw();
  await bench.close();
});

afterAll(() => postgres.stop());

/** Delivers the steps of a few orders; each step waits for the answer to the one before. */
async function deliverSteps(app: { url: string }, from: number, to: number): Promise<string[]> {
  const orders = [1, 2, 3, 4, 5, 6, 7, 8];
  const bodies: string[] = [];
  await Promise.all(
    orders.map(async (number) => {
      for (let step = from; step < to; step += 1) {
        const body = envelope({ data: { number, step, status: 300 } });
        expect(await deliver(app, body)).toMatchObject({ status: 200 });
        bodies.push(body);
      }
    }),
  );
  return bodies;
}

async function spoolIsLeft(app: { url: string }): Promise<void> {
  await waitFor(async () => (await readMetric(app, 'gondola_spool_active')) === 0, {
    describe: 'notifications to go into the inbox again',
  });
}

/** Each body is on its topic once, and those of one order are in the order of delivery. */
async function expectTold(bodies: readonly string[]): Promise<void> {
  await bench.everythingSent();
  const orders = await bench.read(ORDERS);
  const records = await orders.waitForRecords((seen) => firstRecords(seen).length >= bodies.length);
  const firsts = firstRecords(records);
  expect(firsts.map(({ value }) => value!.toString()).toSorted()).toEqual(bodies.toSorted());
  const steps = firsts.map(
    ({ value }) => (JSON.parse(value!.toString()) as { data: Record<'number' | 'step', number> }).data,
  );
  for (const ofOne of Map.groupBy(steps, ({ number }) => number).values()) {
    expect(ofOne.map(({ step }) => step)).toEqual(ofOne.map((_, step) => step));
  }
}

describe.each([
  ['frozen', async () => postgres.freeze(), async () => postgres.thaw()],
  ['killed', () => postgres.kill(), () => postgres.restart()],
])('while PostgreSQL is %s', (_how, fail, recover) => {
  it('deliveries are stored in the spool and answered 200, and published once and in order afterwards (rule 4, guarantee 1)', async () => {
    const app = await bench.start();
    const before = await deliverSteps(app, 0, STEPS);
    await fail();
    const during = await deliverSteps(app, STEPS, 2 * STEPS);
    expect(await readMetric(app, 'gondola_spool_active')).toBe(1);
    expect(await readMetric(app, 'gondola_spool_records')).toBeGreaterThanOrEqual(during.length);
    expect(await readMetric(app, 'gondola_spool_oldest_age_seconds')).toBeGreaterThan(0);
    expect((await fetch(`${app.url}/health/ready`)).status).toBe(200);
    // PostgreSQL comes back while more notifications arrive: imported ones are published before newer ones.
    const [after] = await Promise.all([deliverSteps(app, 2 * STEPS, 4 * STEPS), recover()]);
    await spoolIsLeft(app);
    const last = await deliverSteps(app, 4 * STEPS, 5 * STEPS);
    await expectTold([...before, ...during, ...after, ...last]);
    await waitFor(async () => (await readMetric(app, 'gondola_spool_records')) === 0, { describe: 'an empty spool' });
  });

  it('and the spool cannot be written, a delivery is 503 and the app not ready, and the sender’s repeat is taken later (rule 4)', async () => {
    const folder = join(bench.folder, 'no-folder');
    await writeFile(folder, '');
    const app = await bench.start({ SPOOL_DIR: folder, INBOX_BUDGET_MS: '2000' });
    await waitFor(async () => (await deliver(app, envelope())).status === 200, {
      describe: 'a delivery to be taken',
    });
    await fail();
    const body = envelope();
    expect(await deliver(app, body)).toMatchObject({ status: 503 });
    expect((await fetch(`${app.url}/health/ready`)).status).toBe(503);
    await recover();
    await waitFor(async () => (await deliver(app, body)).status === 200, {
      describe: 'the repeat to be taken',
    });
    // The obstacle to the folder is gone: the spool opens without a restart.
    await rm(folder);
    await waitFor(async () => (await readMetric(app, 'gondola_spool_writable')) === 1, {
      describe: 'the spool to be opened',
    });
  });
});
