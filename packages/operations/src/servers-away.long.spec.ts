import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type LocalStack, startLocalStack } from '@gondola/local-stack/local-stack';
import { type ReadRecord, readTopics } from '@gondola/local-stack/testing/topic-reader';
import { waitFor } from '@gondola/local-stack/wait-for';
import { Database } from '@gondola/service-kit/database/database';
import { fullTopicName } from '@gondola/shared/topics/topics';

import { KafkaSender } from '@gondola/kafka/produce/kafka-sender';
import { LanePoll } from '@gondola/lanes/lanes/lane-poll';
import { LaneWorker } from '@gondola/lanes/lanes/lane-worker';
import { ASLEEP, Lanes } from '@gondola/lanes/lanes/lanes';
import { messagingMigrations } from '@gondola/lanes/messaging-tables';
import { OutboxRelay } from '@gondola/lanes/outbox/outbox-relay';
import { OutboxSource } from '@gondola/lanes/outbox/outbox-source';
import { AdvisoryRelayLock } from '@gondola/lanes/outbox/relay-lock';
import { wakeNow } from '@gondola/lanes/testing/lane-invariants';
import { quietLogger, recordingLogger } from '@gondola/kafka/testing/quiet-logger';
import { assertEntityOrder, EVENTS, idsOf, untilSent } from '@gondola/lanes/testing/relay-invariants';
import { startPublishing, type Publisher } from '@gondola/lanes/testing/publisher';
import { createFacts, testConsumer, valuesOf } from '@gondola/lanes/testing/test-consumer';
import { openTestDatabase, type TestDatabase } from '@gondola/lanes/testing/test-database';
import { openTestKafka, type TestKafka } from '@gondola/kafka/testing/test-kafka';
import { createWorkTables } from '@gondola/lanes/testing/work-tables';

/** The suite has its own servers, because it kills and freezes them. */
let stack: LocalStack;
/** Connection of the test itself. */
let patient: Database;
let database: Database;
let replica: Database;
let kafka: TestKafka;
let relays: OutboxRelay[];
let publisher: Publisher;

const COMMANDS = 'erp.orders.commands.v1';
/** Short, so that a server that is away is soon noticed. */
const QUERY_TIMEOUT_MS = 1_000;
const SEND_TIMEOUT_MS = 2_000;

beforeAll(async () => {
  stack = await startLocalStack({ durable: true });
  const options = { url: stack.databaseUrl, schema: 'servers_away', migrations: messagingMigrations };
  patient = new Database(options);
  database = new Database({ ...options, queryTimeoutMs: QUERY_TIMEOUT_MS });
  replica = new Database({ ...options, queryTimeoutMs: QUERY_TIMEOUT_MS });
  await patient.connect();
  // The short time-outs may also expire on a busy machine, so the first connection is retried.
  for (const each of [database, replica]) {
    await waitFor(() => each.connect().then(() => true), { describe: 'a connection' });
  }
  await createWorkTables(patient);
});

afterAll(async () => {
  await Promise.all([patient, database, replica].map((each) => each.close()));
  await stack.stop();
});

describe('two relays while a server is unreachable:', () => {
  beforeEach(async () => {
    kafka = await openTestKafka('servers-away', [EVENTS], stack.kafkaBrokers);
    relays = [database, replica].map((each) => {
      const source = new OutboxSource();
      const lock = new AdvisoryRelayLock(each, source.name);
      const sender = new KafkaSender(kafka.client(), kafka.prefix, SEND_TIMEOUT_MS);
      return new OutboxRelay({ source, lock, sender, logger: quietLogger(), pollMs: 10, standbyMs: 100 });
    });
    await Promise.all(relays.map((relay) => relay.start()));
    publisher = startPublishing(database);
    await sent(100);
  });

  afterEach(async () => {
    stack.kafka!.thaw();
    stack.postgres!.thaw();
    await publisher.stop();
    await Promise.all(relays.map((relay) => relay.stop()));
    await kafka.close();
  });

  it('a killed Kafka loses nothing, and records are sent in order after its restart', async () => {
    await stack.kafka!.kill();
    await publisher.publishMore(20);
    await publisher.restDuring(() => stack.kafka!.restart());
    expect(await lost()).toEqual([]);
  });

  it('a frozen Kafka loses nothing, and records are sent in order when it resumes', async () => {
    stack.kafka!.freeze();
    await publisher.publishMore(20);
    const stuck = relays.find((relay) => relay.isActive());
    await publisher.restDuring(() =>
      waitFor(() => relays.some((relay) => relay !== stuck && relay.isActive()), {
        describe: 'the relay to give up, so that the other one tries',
      }),
    );
    stack.kafka!.thaw();
    expect(await lost()).toEqual([]);
  });

  it('a killed PostgreSQL loses no committed record', async () => {
    await stack.postgres!.kill();
    await waitFor(() => relays.every((relay) => !relay.isActive()), { describe: 'the relays to notice' });
    await stack.postgres!.restart();
    await publisher.publishMore(20);
    expect(await lost()).toEqual([]);
  });

  it('a frozen PostgreSQL loses no committed record', async () => {
    stack.postgres!.freeze();
    await waitFor(() => relays.every((relay) => !relay.isActive()), { describe: 'the relays to notice' });
    stack.postgres!.thaw();
    await publisher.publishMore(20);
    expect(await lost()).toEqual([]);
  });
});

describe('a lane worker while PostgreSQL is', () => {
  it.each(['killed', 'frozen'] as const)('%s continues afterwards, and each lane’s work is saved once', async (how) => {
    const lanes = new Lanes(database);
    const keys = Array.from({ length: 200 }, (_, index) => ({ tenant: how, kind: 'order', identity: `${index}` }));
    await wakeNow({ database: patient, lanes }, ...keys);
    const worker = new LaneWorker({
      name: how,
      lanes,
      poll: new LanePoll({ lanes, pollMs: 20, logger: quietLogger() }),
      tenant: how,
      kind: 'order',
      batchSize: 2,
      concurrency: 2,
      leaseMs: 1_500,
      backoff: { baseMs: 20, maxMs: 100 },
      logger: quietLogger(),
      step: (claimed) =>
        lanes.finish(claimed, ASLEEP, async (tx, held) => {
          const ids = held.map(({ id }) => id);
          await tx.query('SELECT pg_sleep(0.01)');
          await tx.query('INSERT INTO work_done (lane_id, by) SELECT unnest($1::bigint[]), $2', [ids, how]);
        }),
    });
    await worker.start();
    await waitFor(async () => (await doneBy(how)).lanes >= 10, { describe: 'the first steps' });
    if (how === 'killed') await stack.postgres!.kill();
    else stack.postgres!.freeze();
    await waitFor(async () => !(await database.isUp()), { describe: 'the database to be away' });
    if (how === 'killed') await stack.postgres!.restart();
    else stack.postgres!.thaw();
    await waitFor(async () => (await doneBy(how)).lanes === keys.length, {
      describe: 'all lanes to be done',
    });
    await worker.stop();
    expect(await doneBy(how)).toEqual({ lanes: keys.length, times: keys.length });
  });
});

describe('a consumer while Kafka is unreachable', () => {
  let test: TestDatabase;

  beforeAll(async () => {
    test = await openTestDatabase('kafka-away');
    await createFacts(test.database);
  });

  afterAll(async () => {
    await test.close();
  });

  it('ends the process if a frozen Kafka stays silent', async () => {
    const kafka = await openTestKafka('kafka-frozen', [COMMANDS], stack.kafkaBrokers);
    const { logger, lines } = recordingLogger();
    const stuck = testConsumer({ kafka, database: test.database, timings: { stuckMs: 15_000 }, logger });
    await stuck.start();
    expect(stuck.exits).toEqual([]);
    stack.kafka!.freeze();
    try {
      await waitFor(() => stuck.exits.length > 0, { describe: 'the process to end' });
      expect(stuck.exits).toEqual([1]);
      expect(lines.map(({ msg }) => msg)).toContainEqual(expect.stringContaining('shows no sign of life'));
    } finally {
      stack.kafka!.thaw();
      await Promise.all([stuck.stop(), kafka.close()]);
    }
  });

  it('does not end the process if Kafka is killed, and continues at its position after the restart', async () => {
    const kafka = await openTestKafka('kafka-away', [COMMANDS], stack.kafkaBrokers);
    const { logger, lines } = recordingLogger();
    // An app waits for 60 s; by its back-offs kafkajs may need longer to give up, and the app would be restarted.
    const consumer = testConsumer({ kafka, database: test.database, timings: { stuckMs: 600_000 }, logger });
    await consumer.start();
    await kafka.produce(COMMANDS, [{ key: 'k', value: 'before', partition: 0 }]);
    await waitFor(async () => (await kafka.committed(consumer.group, COMMANDS))[0] === 1, {
      describe: 'the first to be committed',
    });
    await stack.kafka!.kill();
    await waitFor(() => lines.some(({ msg }) => msg === 'The consumer failed and restarts'), {
      describe: 'kafkajs to give up and start anew',
    });
    const heartbeats = consumer.heartbeats();
    await stack.kafka!.restart();
    await kafka.produce(COMMANDS, [{ key: 'k', value: 'after', partition: 0 }]);
    await waitFor(async () => (await valuesOf(test.database)).length === 2, {
      describe: 'the second',
    });
    expect(await valuesOf(test.database)).toEqual(['before', 'after']);
    await waitFor(() => consumer.heartbeats() > heartbeats, { describe: 'heartbeats' });
    expect(consumer.exits).toEqual([]);
    await consumer.stop();
    await kafka.close();
  });
});

async function sent(records: number): Promise<void> {
  await waitFor(async () => (await kafka.ends(EVENTS)).reduce((sum, end) => sum + end, 0) >= records, {
    describe: `${records} records in Kafka`,
  });
}

/** Records that were published and did not arrive. Checks that the others arrived in order. */
async function lost(): Promise<string[]> {
  const published = await publisher.stop();
  await untilSent(patient);
  const reader = await readTopics(stack.kafkaBrokers, [fullTopicName(kafka.prefix, EVENTS)]);
  // Waits for distinct ids, not for a number of records: an abandoned send may still repeat 500 records, which
  // would be counted instead of missing ones.
  const isAllThere = (seen: readonly ReadRecord[]): boolean => new Set(idsOf(seen)).size >= published.length;
  const records = await reader.waitForRecords(isAllThere).catch(() => reader.records());
  await reader.close();
  assertEntityOrder(records);
  const arrived = new Set(idsOf(records));
  return published.filter((id) => !arrived.has(id));
}

async function doneBy(by: string): Promise<{ lanes: number; times: number }> {
  const text =
    'SELECT count(DISTINCT lane_id)::integer AS lanes, count(*)::integer AS times FROM work_done WHERE by = $1';
  const { rows } = await patient.query<{ lanes: number; times: number }>(text, [by]);
  return rows[0]!;
}
