import { afterEach, describe, expect, it } from '@jest/globals';
import { freePort } from '@gondola/local-stack/free-port';
import { startKafka } from '@gondola/local-stack/kafka';
import { deliver, envelope } from './support/deliver.ts';
import { IngestBench, ORDERS, type OwnServers } from './support/ingest-bench.ts';
import { type IngestProcess, startIngestProcess } from './support/ingest-process.ts';
import { PATIENT_INBOX } from './support/patient-inbox.ts';
import { sized } from './support/size.ts';

const opened: { stop(): Promise<unknown> }[] = [];

async function opening<T extends { stop(): Promise<unknown> }>(starting: Promise<T>): Promise<T> {
  const started = await starting;
  opened.push(started);
  return started;
}

async function openBench(own: OwnServers = {}): Promise<IngestBench> {
  const bench = await IngestBench.open('outage', PATIENT_INBOX, own);
  opened.push({ stop: () => bench.close() });
  return bench;
}

afterEach(async () => {
  for (const each of opened.splice(0).toReversed()) await each.stop();
});

describe('what was answered 200', () => {
  it('reaches its topic though the process is killed right after it and Kafka was frozen (guarantee 1)', async () => {
    const kafka = await opening(startKafka());
    const bench = await openBench({ kafkaBrokers: kafka.brokers });
    const first = await startIngestProcess(bench);
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
    const first = await startIngestProcess(bench, nowhere);
    const bodies = await deliverMany(first);
    expect(await metricOf(first, 'gondola_outbox_records')).toBe(bodies.length);
    expect(await metricOf(first, 'gondola_outbox_oldest_age_seconds')).toBeGreaterThan(0);
    await first.kill();
    await bench.start();
    const orders = await bench.read(ORDERS);
    const records = await orders.waitForRecords((seen) => holdsAll(seen, bodies));
    expect(records).toHaveLength(bodies.length);
  });
});

/** Many deliveries to a few orders, each answered 200. */
async function deliverMany(app: IngestProcess): Promise<string[]> {
  const bodies: string[] = [];
  for (let step = 0; step < sized(20, 300); step += 1) {
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
