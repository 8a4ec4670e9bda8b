import { join } from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';
import { freePort } from '@gondola/local-stack/free-port';
import { waitFor } from '@gondola/local-stack/wait-for';
import { deliver, envelope } from './support/deliver.ts';
import { firstRecords } from './support/first-records.ts';
import { IngestBench, ORDERS, readMetric } from './support/ingest-bench.ts';

let bench: IngestBench;

afterEach(() => bench.close());

async function deliverMany(app: { url: string }, from: number, to: number): Promise<string[]> {
  const bodies: string[] = [];
  for (let step = from; step < to; step += 1) {
    const body = envelope({ data: { number: 7, step, status: 300 } });
    expect(await deliver(app, body)).toMatchObject({ status: 200 });
    bodies.push(body);
  }
  return bodies;
}

async function expectTold(bodies: readonly string[]): Promise<void> {
  const orders = await bench.read(ORDERS);
  const records = await orders.waitForRecords((seen) => firstRecords(seen).length >= bodies.length);
  expect(firstRecords(records).map(({ value }) => value!.toString())).toEqual(bodies);
}

describe('without PostgreSQL and Kafka', () => {
  it('the app starts, is ready and answers 200; killed and restarted with both, it publishes everything in order (guarantee 1)', async () => {
    bench = await IngestBench.open('absent');
    const spool = { SPOOL_DIR: join(bench.folder, 'spool-of-one') };
    const nowhere = {
      ...spool,
      KAFKA_BROKERS: `127.0.0.1:${await freePort()}`,
      DATABASE_URL: `postgres://gondola:x@127.0.0.1:${await freePort()}/gondola`,
    };
    const first = await bench.startProcess(nowhere);
    const bodies = await deliverMany(first, 0, 30);
    expect(await readMetric(first, 'gondola_spool_records')).toBe(30);
    await first.kill();
    const second = await bench.startProcess(nowhere);
    bodies.push(...(await deliverMany(second, 30, 60)));
    await second.kill();
    const third = await bench.start(spool);
    bodies.push(...(await deliverMany(third, 60, 90)));
    await expectTold(bodies);
    await waitFor(async () => (await readMetric(third, 'gondola_spool_bytes')) === 0, {
      describe: 'an empty spool',
    });
  });
});

describe('with MIGRATIONS=off and migrations pending', () => {
  it('the app is ready, answers 200, names the pending migrations, and imports the spool after they ran', async () => {
    bench = await IngestBench.open('pending');
    const app = await bench.start({ MIGRATIONS: 'off' }, { inboxIsAway: true });
    const bodies = await deliverMany(app, 0, 5);
    const { checks } = (await (await fetch(`${app.url}/health/ready`)).json()) as {
      checks: { database: Record<string, unknown> };
    };
    expect(checks.database).toMatchObject({ ok: false, required: false, reason: 'MIGRATIONS_PENDING' });
    await bench.start();
    await expectTold(bodies);
  });
});
