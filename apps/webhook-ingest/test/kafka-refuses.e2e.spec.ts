import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Admin } from 'kafkajs';
import { freePort } from '@gondola/local-stack/free-port';
import { deleteTopics } from '@gondola/local-stack/test-stack';
import { waitFor } from '@gondola/local-stack/wait-for';
import { createKafka } from '@gondola/kafka/client/kafka-client';
import { ConfigResourceTypes } from '@gondola/kafka/client/kafkajs-native';
import type { CheckReport, ReadinessReport } from '@gondola/service-kit/health/health';
import { createLogger } from '@gondola/service-kit/logging/logger';
import type { RunningApp } from '@gondola/service-kit/run/create-app';
import { fullTopicName } from '@gondola/shared/topics/topics';
import { deliver, envelope } from './support/deliver.ts';
import { IngestBench, ORDERS, PARTITIONS, PATIENT_INBOX } from './support/ingest-bench.ts';

const LARGE_ENOUGH = 8_388_608;
const RELAY = 'notifications relay';
const LOGIN = { KAFKA_SASL_MECHANISM: 'plain', KAFKA_SASL_USERNAME: 'ingest', KAFKA_SASL_PASSWORD: 'canary' };

let bench: IngestBench;
let brokers: string;

beforeEach(async () => {
  bench = await IngestBench.open('refused', PATIENT_INBOX);
  brokers = bench.env['KAFKA_BROKERS']!;
});

afterEach(() => bench.close());

/** Forwards the connections to `port` to the Kafka of the tests, which knows no login, until the bench closes. */
async function kafkaComesBackOn(port: number): Promise<void> {
  const [host, kafkaPort] = brokers.split(':');
  const server = createServer((from) => {
    const to = connect(Number(kafkaPort), host);
    for (const [one, other] of [
      [from, to],
      [to, from],
    ] as const)
      one.on('error', () => other.destroy()).on('close', () => other.destroy());
    from.pipe(to).pipe(from);
  });
  await once(server.listen(port, '127.0.0.1'), 'listening');
  bench.keep({ stop: () => new Promise((resolve) => server.close(resolve)) });
}

async function readiness({ operationsUrl }: RunningApp): Promise<ReadinessReport> {
  return (await (await fetch(`${operationsUrl}/health/ready`)).json()) as ReadinessReport;
}

async function relayShows(app: RunningApp, shown: Partial<CheckReport>): Promise<void> {
  const wanted = Object.entries({ ok: false, required: false, ...shown });
  await waitFor(
    async () => {
      const { checks } = await readiness(app);
      const relay = Object.entries(checks[RELAY] ?? {});
      return wanted.every(([name, value]) => relay.some(([key, has]) => key === name && has === value));
    },
    { describe: `the readiness of the relay to be ${JSON.stringify(shown)}` },
  );
  expect(await readiness(app)).toMatchObject({ status: 'ready' });
}

const errors = () => bench.log.filter((line) => line.includes('"level":"error"')).join('');

describe('an ingest', () => {
  it('goes on receiving while a Kafka that was away comes back and refuses the login, and says so (guarantee 1)', async () => {
    const port = await freePort();
    const app = await bench.start({ ...LOGIN, KAFKA_BROKERS: `127.0.0.1:${port}` });
    expect(await deliver(app, envelope())).toMatchObject({ status: 200 });
    await kafkaComesBackOn(port);
    await relayShows(app, { state: 'retrying', variable: 'KAFKA_SASL_*' });
    expect(errors()).toContain('KAFKA_SASL_*');
    expect(errors()).not.toContain('canary');
    expect(await deliver(app, envelope())).toMatchObject({ status: 200 });
  });

  it('starts, receives and says so while its topics are unfit, and publishes once they fit (guarantee 1)', async () => {
    const configEntries = [{ name: 'max.message.bytes', value: '1048588' }];
    const tooSmall = { topic: fullTopicName(bench.prefix, ORDERS), numPartitions: PARTITIONS, configEntries };
    await administer((admin) => admin.createTopics({ topics: [tooSmall], waitForLeaders: false }));
    const app = await bench.start();
    expect(await deliver(app, envelope())).toMatchObject({ status: 200 });
    await relayShows(app, { state: 'retrying', reason: 'TOPICS_UNFIT' });
    expect(errors()).toContain('max.message.bytes');
    await makeFit();
    await bench.everythingSent();
    await relayShows(app, { ok: true, state: 'started' });
  });

  it('says why it publishes nothing once it has started, and goes on receiving (guarantee 1)', async () => {
    const app = await bench.start();
    await bench.read(ORDERS);
    await relayShows(app, { ok: true, state: 'started' });
    await deleteTopics(brokers, bench.prefix);
    await waitFor(async () => !(await topicsOfKafka()).some((topic) => topic.startsWith(bench.prefix)), {
      describe: 'the end of the topics',
    });
    expect(await deliver(app, envelope())).toMatchObject({ status: 200 });
    await relayShows(app, { state: 'started', reason: 'KAFKA_SEND_FAILED' });
    expect(await deliver(app, envelope())).toMatchObject({ status: 200 });
  });
});

/** Runs `work` as the operator of the topics. */
async function administer<T>(work: (admin: Admin) => Promise<T>): Promise<T> {
  const logger = createLogger({ app: 'operator', level: 'silent' });
  const admin = createKafka({ brokers: brokers.split(','), ssl: false }, 'operator', logger).admin();
  await admin.connect();
  try {
    return await work(admin);
  } finally {
    await admin.disconnect();
  }
}

function topicsOfKafka(): Promise<string[]> {
  return administer((admin) => admin.listTopics());
}

async function makeFit(): Promise<void> {
  const configEntries = [{ name: 'max.message.bytes', value: String(LARGE_ENOUGH) }];
  const name = fullTopicName(bench.prefix, ORDERS);
  const resources = [{ type: ConfigResourceTypes.TOPIC, name, configEntries }];
  await administer((admin) => admin.alterConfigs({ validateOnly: false, resources }));
}
