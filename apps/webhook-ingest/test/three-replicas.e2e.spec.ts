import { sized } from '@gondola/local-stack/testing/sized';
import { describe, expect, it } from '@jest/globals';
import { withTestDatabase } from '@gondola/local-stack/test-stack';
import { deadlocksIn } from './support/deadlocks.ts';
import { deliver, envelope } from './support/deliver.ts';
import { firstRecords } from './support/first-records.ts';
import { IngestBench, ORDERS, PATIENT_INBOX } from './support/ingest-bench.ts';
import { seededRandom } from './load/seeded-random.ts';

const REPLICAS = 3;
const AT_ONCE = 40;

/** Runs three replicas over their own database; returns the number of deadlocks. */
async function withReplicas(
  use: (bench: IngestBench, replicas: readonly { url: string }[]) => Promise<void>,
): Promise<number> {
  return await withTestDatabase('three', async (databaseUrl) => {
    const bench = await IngestBench.open('three', PATIENT_INBOX, { databaseUrl });
    try {
      await use(bench, await Promise.all(Array.from({ length: REPLICAS }, () => bench.start())));
    } finally {
      await bench.close();
    }
    return await deadlocksIn(databaseUrl);
  });
}

/** Delivers all bodies to one replica, with as many open requests as a busy sender has. */
async function deliverAll(replica: { url: string }, bodies: readonly string[]): Promise<number[]> {
  const waiting = bodies.values();
  const worker = async (): Promise<number[]> => {
    const statuses: number[] = [];
    for (const body of waiting) statuses.push((await deliver(replica, body)).status);
    return statuses;
  };
  return (await Promise.all(Array.from({ length: AT_ONCE }, worker))).flat();
}

/** Values on the orders topic once everything is published. */
async function valuesTold(bench: IngestBench, count: number): Promise<string[]> {
  await bench.everythingSent();
  const orders = await bench.read(ORDERS);
  const records = await orders.waitForRecords((seen) => firstRecords(seen).length >= count);
  return firstRecords(records)
    .map(({ value }) => value?.toString() ?? '')
    .toSorted();
}

describe('three replicas that are given the same notifications at once, each in another order', () => {
  it('answer each three times 200, tell each once, and do not meet a deadlock (guarantee 2, rules 1, 2)', async () => {
    const bodies = Array.from({ length: sized(200, 1_000) }, (_, number) => envelope({ data: { number } }));
    const deadlocks = await withReplicas(async (bench, replicas) => {
      const random = seededRandom('three replicas');
      const answers = replicas.map(async (replica) => deliverAll(replica, random.shuffled(bodies)));
      const statuses = (await Promise.all(answers)).flat();
      expect(statuses).toHaveLength(REPLICAS * bodies.length);
      expect(new Set(statuses)).toEqual(new Set([200]));
      expect(await valuesTold(bench, bodies.length)).toEqual(bodies.toSorted());
      // The same bodies are delivered once more after they were published.
      const again = replicas.map(async (replica) => deliverAll(replica, bodies.slice(0, AT_ONCE)));
      expect(new Set((await Promise.all(again)).flat())).toEqual(new Set([200]));
      expect(await valuesTold(bench, bodies.length)).toEqual(bodies.toSorted());
      expect(await bench.rows('SELECT count(*)::int AS count FROM notifications')).toEqual([{ count: bodies.length }]);
    });
    expect(deadlocks).toBe(0);
  });

  it('tell 500 outcomes of one operation as 500 records (rule 1)', async () => {
    const operationId = '33333333-3333-4333-8333-333333333333';
    const bodies = Array.from({ length: 500 }, (_, index) =>
      envelope({
        operationId,
        relatedEntity: 'ProductWithSKUs',
        eventType: 'Operation_Failed',
        data: { product: { externalReference: `p-${index}` } },
      }),
    );
    await withReplicas(async (bench, replicas) => {
      const random = seededRandom('one operation');
      const answers = replicas.map(async (replica) => deliverAll(replica, random.shuffled(bodies)));
      expect(new Set((await Promise.all(answers)).flat())).toEqual(new Set([200]));
      expect(await valuesTold(bench, bodies.length)).toEqual(bodies.toSorted());
    });
  });
});
