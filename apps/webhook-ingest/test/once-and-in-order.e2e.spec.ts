import { randomInt } from 'node:crypto';
import { sized } from '@gondola/local-stack/testing/sized';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { TopicReader } from '@gondola/local-stack/testing/topic-reader';
import { waitFor } from '@gondola/local-stack/wait-for';
import type { RunningApp } from '@gondola/service-kit/run/create-app';
import { deliver, envelope } from './support/deliver.ts';
import { firstRecords } from './support/first-records.ts';
import { IngestBench, ORDERS, PATIENT_INBOX } from './support/ingest-bench.ts';

let bench: IngestBench;
let replicas: RunningApp[];
let orders: TopicReader;

beforeEach(async () => {
  bench = await IngestBench.open('once', PATIENT_INBOX);
  replicas = await Promise.all([bench.start(), bench.start()]);
  orders = await bench.read(ORDERS);
});

afterEach(async () => {
  await bench.close();
});

/**
 * Delivers as the platform does: up to three times without a pause. A stopping replica answers 503 or closes the
 * connection, and stores nothing.
 */
async function deliverTo(replica: number, body: string, attempts = 3): Promise<number> {
  const answer = await deliver(replicas[replica % replicas.length]!, body).catch(() => ({ status: 0 }));
  return answer.status === 200 || attempts === 1 ? answer.status : deliverTo(replica + 1, body, attempts - 1);
}

/** Key and `data` of the first record of each notification, in the order of its partition. */
async function told(count: number) {
  await bench.everythingSent();
  const records = await orders.waitForRecords((seen) => firstRecords(seen).length >= count, {
    describe: `${count} different records`,
  });
  return firstRecords(records).map(({ key, partition, value }) => ({
    key,
    partition,
    ...(JSON.parse(value!.toString()) as { data: { number: number; step: number; status: number } }).data,
  }));
}

describe('one platform event', () => {
  it('is one record, though all three deliveries are past every look-up when the first is stored (rule 2)', async () => {
    const gate = randomInt(2 ** 31);
    await bench.rows(`CREATE FUNCTION wait_at_the_gate() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN PERFORM pg_advisory_xact_lock_shared(${gate}); RETURN NEW; END $$`);
    await bench.rows(`CREATE TRIGGER gate BEFORE INSERT ON notifications
      FOR EACH ROW EXECUTE FUNCTION wait_at_the_gate()`);
    const holder = await bench.database.connection();
    await holder.query(`SELECT pg_advisory_lock(${gate})`);
    const body = envelope();
    const answers = Promise.all([0, 1, 2].map((turn) => deliverTo(turn, body)));
    const waiting = `SELECT count(*)::int AS count FROM pg_locks WHERE locktype = 'advisory' AND objid = ${gate} AND NOT granted`;
    await waitFor(async () => (await bench.rows<{ count: number }>(waiting))[0]?.count === 2, {
      describe: 'an insert of each replica at the gate',
    });
    holder.release(true);
    expect(await answers).toEqual([200, 200, 200]);
    expect(await told(1)).toHaveLength(1);
    expect(await bench.rows('SELECT count(*)::int AS count FROM notifications')).toEqual([{ count: 1 }]);
  });

  it('is not another one of the same operation: 750 and 800 of a cancel are two records (rule 1)', async () => {
    const operationId = '33333333-3333-4333-8333-333333333333';
    const cancel = [750, 800].map((status) => envelope({ operationId, data: { number: 100_234, status } }));
    for (const body of [...cancel, ...cancel]) expect(await deliverTo(0, body)).toBe(200);
    expect((await told(2)).map(({ status }) => status)).toEqual([750, 800]);
  });
});

describe('an entity', () => {
  it('has its records in the order in which they were answered, through two replicas and the loss of the active one', async () => {
    const entities = 20;
    const steps = sized(20, 200);
    const replaced = Promise.withResolvers<void>();
    const deliverAll = async (number: number): Promise<void> => {
      for (let step = 0; step < steps; step += 1) {
        if (step === steps / 2) await replaced.promise;
        expect(await deliverTo(number + step, envelope({ data: { number, step, status: 300 } }))).toBe(200);
      }
    };
    const delivered = Promise.all(Array.from({ length: entities }, (_, number) => deliverAll(number)));
    const replaceActive = async (): Promise<void> => {
      await orders.waitForRecords((seen) => seen.length > 0);
      const [first] = replicas.splice(0, 1);
      await first!.stop();
      replicas.push(await bench.start());
      replaced.resolve();
    };
    const ended = await Promise.allSettled([delivered, replaceActive().catch(replaced.reject)]);
    expect(ended.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled']);
    const records = await told(entities * steps);
    const byEntity = Map.groupBy(records, ({ number }) => number);
    expect(byEntity.size).toBe(entities);
    for (const ofOne of byEntity.values()) {
      expect(new Set(ofOne.map(({ partition }) => partition)).size).toBe(1);
      expect(ofOne.map(({ step }) => step)).toEqual(Array.from({ length: steps }, (_, step) => step));
    }
  });
});
