import type { AppProcess } from '@gondola/local-stack/testing/app-process';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { freePort } from '@gondola/local-stack/free-port';
import { type KafkaServer, startKafka } from '@gondola/local-stack/kafka';
import { type PostgresServer, startPostgres } from '@gondola/local-stack/postgres';
import { Replicas } from './load/replicas.ts';
import { DISTURBANCES, planDisturbances } from './load/planned-disturbances.ts';
import { loadRound } from './load/load-round.ts';
import type { TestStack } from '@gondola/local-stack/test-stack';
import { waitFor } from '@gondola/local-stack/wait-for';
import { deliver, envelope } from './support/deliver.ts';
import { firstRecords } from './support/first-records.ts';
import { IngestBench, ORDERS, PATIENT_INBOX } from './support/ingest-bench.ts';

const REPLICAS = 3;
/** `OUTAGE_SEED` plays others, and `OUTAGES` more of them: the plan is the same, its timing is not. */
const SEED = process.env['OUTAGE_SEED'] ?? 'outages under load';
const OUTAGES = Number(process.env['OUTAGES'] ?? DISTURBANCES.length);
const STEPS = 300;

/** Servers of this suite alone, because they are frozen and killed. */
let kafka: KafkaServer;
let postgres: PostgresServer;

beforeAll(async () => {
  [kafka, postgres] = await Promise.all([startKafka(), startPostgres({ durable: false })]);
});

afterAll(async () => {
  await Promise.all([kafka.stop(), postgres.stop()]);
});

describe('what was answered 200', () => {
  const benches: IngestBench[] = [];

  afterEach(async () => {
    kafka.thaw();
    for (const bench of benches.splice(0)) await bench.close();
  });

  async function openBench(own: Partial<TestStack> = {}): Promise<IngestBench> {
    const bench = await IngestBench.open('outage', PATIENT_INBOX, own);
    benches.push(bench);
    return bench;
  }

  it('reaches its topic though the process is killed right after it and Kafka was frozen (guarantee 1)', async () => {
    const bench = await openBench({ kafkaBrokers: kafka.brokers });
    const first = await bench.startProcess();
    const orders = await bench.read(ORDERS);
    kafka.freeze();
    const bodies = await deliverMany(first);
    await first.kill();
    kafka.thaw();
    await bench.start();
    const records = await orders.waitForRecords((seen) => holdsAll(seen, bodies));
    const byEntity = Map.groupBy(records, ({ headers }) => headers['ce_subject']);
    for (const ofOne of byEntity.values()) {
      const steps = ofOne.map(({ value }) => (JSON.parse(value!.toString()) as { data: { step: number } }).data.step);
      const firsts = [...new Set(steps)];
      expect(firsts).toEqual(firsts.toSorted((one, other) => one - other));
    }
  });

  it('reaches its topic though Kafka was not there when the process started (guarantee 1)', async () => {
    const bench = await openBench();
    const nowhere = { KAFKA_BROKERS: `127.0.0.1:${await freePort()}` };
    const first = await bench.startProcess(nowhere);
    const bodies = await deliverMany(first);
    await waitFor(async () => (await metricOf(first, 'gondola_outbox_records')) === bodies.length, {
      describe: 'all notifications to be shown as waiting',
    });
    expect(await metricOf(first, 'gondola_outbox_oldest_age_seconds')).toBeGreaterThan(0);
    await first.kill();
    await bench.start();
    const orders = await bench.read(ORDERS);
    const records = await orders.waitForRecords((seen) => holdsAll(seen, bodies));
    expect(firstRecords(records)).toHaveLength(bodies.length);
  });
});

describe('PostgreSQL frozen, gone while a replica is killed, and gone together with Kafka with a start in between', () => {
  let bench: IngestBench;
  let replicas: Replicas;

  beforeAll(async () => {
    bench = await IngestBench.open('outages', {}, { kafkaBrokers: kafka.brokers, databaseUrl: postgres.url });
    replicas = await Replicas.start(bench, REPLICAS);
  });

  afterAll(async () => {
    postgres.thaw();
    kafka.thaw();
    await bench.close();
  });

  it('lose nothing: no delivery is refused, each one answered 200 is on its topic once and in order, and nothing else is (rule 4, guarantees 1, 2)', async () => {
    const disturbances = planDisturbances({
      seed: SEED,
      kinds: DISTURBANCES,
      count: OUTAGES,
      replicas: REPLICAS,
    });
    const { violations, log, records } = await loadRound({
      seed: SEED,
      bench,
      replicas,
      servers: { kafka, postgres },
      disturbances,
      senders: 4,
    });
    expect({ seed: SEED, violations, refused: log.refused() }).toEqual({ seed: SEED, violations: [], refused: 0 });
    expect(records).toBeGreaterThan(disturbances.length * 20);
  });
});

/** Delivers many notifications about a few orders; each is answered 200. */
async function deliverMany(app: AppProcess): Promise<string[]> {
  const bodies: string[] = [];
  for (let step = 0; step < STEPS; step += 1) {
    const together = [1, 2, 3, 4, 5].map((number) => envelope({ data: { number, step, status: 300 } }));
    const answers = await Promise.all(together.map((body) => deliver(app, body)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    bodies.push(...together);
  }
  return bodies;
}

async function metricOf(app: { url: string }, name: string): Promise<number> {
  const metrics = await (await fetch(`${app.url}/metrics`)).text();
  return Number(new RegExp(`^${name}\\{source="notifications"\\} (\\S+)$`, 'm').exec(metrics)?.[1]);
}

function holdsAll(seen: readonly { value: Buffer | null }[], bodies: readonly string[]): boolean {
  const values = new Set(seen.map(({ value }) => value?.toString()));
  return bodies.every((body) => values.has(body));
}
