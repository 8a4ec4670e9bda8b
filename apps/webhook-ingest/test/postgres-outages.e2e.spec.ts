import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type PostgresServer, startPostgres } from '@gondola/local-stack/postgres';
import { waitFor } from '@gondola/local-stack/wait-for';
import { deliver, envelope } from '../src/testing/deliver.ts';
import { IngestBench, ORDERS } from '../src/testing/ingest-bench.ts';

/** Within which the sender must have its answer, whatever is down (rule 4). */
const ANSWER_MS = 1_000;

let postgres: PostgresServer;
let bench: IngestBench;

beforeEach(async () => {
  postgres = await startPostgres({ durable: false });
  bench = await IngestBench.open('outage', {}, { databaseUrl: postgres.url });
});

afterEach(async () => {
  postgres.thaw();
  await bench.close();
  await postgres.stop();
});

describe('while PostgreSQL is frozen', () => {
  it('a delivery is answered 503 in time, and after the thaw the sender’s repeat makes it one record (rule 4)', async () => {
    const app = await bench.start();
    const orders = await bench.read(ORDERS);
    const bodies = Array.from({ length: 40 }, (_, number) => envelope({ data: { number, status: 300 } }));
    expect(await deliver(app, bodies[0]!)).toMatchObject({ status: 200 });

    postgres.freeze();
    const frozen = await Promise.all(bodies.map((body) => deliver(app, body)));
    expect(new Set(frozen.map(({ status }) => status))).toEqual(new Set([503]));
    expect(Math.max(...frozen.map(({ ms }) => ms))).toBeLessThan(ANSWER_MS);
    postgres.thaw();

    for (const body of bodies) expect(await deliverUntilTaken(app, body)).toBe(200);
    await bench.everythingSent();
    const records = await orders.waitForRecords((seen) => seen.length >= bodies.length);
    expect(records.map(({ value }) => value!.toString()).toSorted()).toEqual(bodies.toSorted());
  });
});

describe('when PostgreSQL is killed and comes back', () => {
  it('deliveries are 503 in time, then 200 again, and the relay goes on (rule 4, guarantee 1)', async () => {
    const app = await bench.start();
    const orders = await bench.read(ORDERS);
    const [before, after] = [envelope(), envelope()];
    expect(await deliver(app, before)).toMatchObject({ status: 200 });
    await postgres.kill();
    const { status, ms } = await deliver(app, after);
    expect(status).toBe(503);
    expect(ms).toBeLessThan(ANSWER_MS);
    await postgres.restart();
    expect(await deliverUntilTaken(app, after)).toBe(200);
    const records = await orders.waitForRecords((seen) => new Set(seen.map(({ key }) => key)).size >= 2);
    expect(new Set(records.map(({ value }) => value!.toString()))).toEqual(new Set([before, after]));
  });
});

async function deliverUntilTaken(app: { url: string }, body: string): Promise<number> {
  const { status } = await waitFor(
    async () => {
      const answer = await deliver(app, body);
      return answer.status === 200 && answer;
    },
    { describe: 'a delivery to be taken' },
  );
  return status;
}
