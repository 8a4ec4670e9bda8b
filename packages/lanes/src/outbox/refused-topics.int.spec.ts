import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { testStack } from '@gondola/local-stack/test-stack';
import { readTopics, type ReadRecord } from '@gondola/local-stack/testing/topic-reader';
import { waitFor } from '@gondola/local-stack/wait-for';
import { fullTopicName, type TopicName } from '@gondola/shared/topics/topics';

import { KafkaSender } from '@gondola/kafka/produce/kafka-sender';
import { ConfigResourceTypes } from '@gondola/kafka/client/kafkajs-native';
import type { OutRecord } from '@gondola/kafka/records/record-codec';
import { recordingLogger } from '@gondola/kafka/testing/quiet-logger';
import {
  assertEntityOrder,
  assertNoneTwice,
  eventOf,
  EVENTS,
  idsOf,
  publish,
  untilSent,
} from '../testing/relay-invariants.ts';
import { openTestDatabase, type TestDatabase } from '../testing/test-database.ts';
import {
  openTestKafka,
  TEST_PARTITIONS,
  TEST_SEND_TIMEOUT_MS,
  type TestKafka,
} from '@gondola/kafka/testing/test-kafka';
import { OutboxRelay } from './outbox-relay.ts';
import { OutboxSource } from './outbox-source.ts';
import { AdvisoryRelayLock } from './relay-lock.ts';

const RESULTS: TopicName = 'erp.orders.results.v1';
const HOURS_MS = 2 * 3_600_000;

let test: TestDatabase;
let kafka: TestKafka;
let relay: OutboxRelay | undefined;

beforeAll(async () => {
  test = await openTestDatabase('refused_topics');
});

beforeEach(async () => {
  kafka = await openTestKafka('refused-topics', [EVENTS]);
});

afterEach(async () => {
  jest.restoreAllMocks();
  await relay?.stop();
  await kafka.close();
  await test.database.query('TRUNCATE outbox, relay_places');
});

afterAll(async () => {
  await test.close();
});

async function startRelay(): Promise<ReturnType<typeof recordingLogger>['lines']> {
  const { logger, lines } = recordingLogger();
  const source = new OutboxSource();
  relay = new OutboxRelay({
    source,
    lock: new AdvisoryRelayLock(test.database, source.name),
    sender: new KafkaSender(kafka.client(), kafka.prefix, TEST_SEND_TIMEOUT_MS),
    logger,
    pollMs: 10,
    standbyMs: 50,
  });
  await relay.start();
  return lines;
}

async function contentsOf(topic: TopicName): Promise<ReadRecord[]> {
  const total = (await kafka.ends(topic)).reduce((sum, end) => sum + end, 0);
  const reader = await readTopics(testStack().kafkaBrokers, [fullTopicName(kafka.prefix, topic)]);
  const records = await reader.waitForRecords((seen) => seen.length >= total);
  await reader.close();
  return records;
}

function result(entity: string, place: number, bytes = 10): OutRecord {
  return { ...eventOf(entity, place, 'x'.repeat(bytes)), topic: RESULTS };
}

function isLarge(place: number): boolean {
  return place % 20 === 7;
}

async function parked(): Promise<number> {
  return (await new OutboxSource().backlog(test.database)).parked;
}

describe('what Kafka refuses', () => {
  it('because a clock is off is repeated until the clocks agree, never parked, and each record arrives once', async () => {
    const { now } = Date;
    const clock = jest.spyOn(Date, 'now').mockImplementation(() => now() + HOURS_MS);
    await publish(test.database, eventOf('1', 1), eventOf('2', 1), eventOf('1', 2));
    const lines = await startRelay();
    await waitFor(() => relay!.failure !== undefined, { describe: 'a refusal that is shown' });
    clock.mockRestore();
    await untilSent(test.database);
    const records = await contentsOf(EVENTS);
    expect(idsOf(records).toSorted()).toEqual(['1#1', '1#2', '2#1']);
    assertEntityOrder(records);
    assertNoneTwice(records);
    expect(await parked()).toBe(0);
    expect(JSON.stringify(lines)).toMatch(/INVALID_TIMESTAMP.*compare the clock/);
  });

  it('because its topic is not there stops no record of another topic, and arrives once it is (guarantee 5)', async () => {
    await publish(test.database, eventOf('1', 1));
    const lines = await startRelay();
    await untilSent(test.database);
    await publish(test.database, result('1', 1), eventOf('1', 2), result('1', 2), eventOf('2', 1));
    await waitFor(async () => (await kafka.ends(EVENTS)).reduce((sum, end) => sum + end, 0) === 3, {
      describe: 'the records of the other topic',
    });
    expect(relay!.refusedTopics(Date.now())).toMatchObject([{ topic: RESULTS, code: 'UNKNOWN_TOPIC_OR_PARTITION' }]);
    await kafka.createPlain(RESULTS, TEST_PARTITIONS);
    await untilSent(test.database);
    expect(idsOf(await contentsOf(RESULTS))).toEqual(['1#1', '1#2']);
    const records = await contentsOf(EVENTS);
    assertEntityOrder(records);
    assertNoneTwice(records);
    expect([await parked(), relay!.failure]).toEqual([0, undefined]);
    const codes = lines.flatMap(({ level, topic, code }) => (level === 'warn' && topic === RESULTS ? [code] : []));
    expect(codes[0]).toBe('UNKNOWN_TOPIC_OR_PARTITION');
    // Told where it changes: a topic that is new has no leader at first.
    expect(codes.filter((code, index) => code === codes[index - 1])).toEqual([]);
  });

  it('because a topic takes small records only is divided until the large ones are alone', async () => {
    await kafka.createPlain(RESULTS, 1);
    const name = fullTopicName(kafka.prefix, RESULTS);
    await kafka.admin.alterConfigs({
      validateOnly: false,
      resources: [
        { type: ConfigResourceTypes.TOPIC, name, configEntries: [{ name: 'max.message.bytes', value: '20000' }] },
      ],
    });
    const places = Array.from({ length: 60 }, (_, place) => place);
    await publish(test.database, ...places.map((place) => result('1', place, isLarge(place) ? 50_000 : 1_000)));
    await startRelay();
    await untilSent(test.database);
    const records = await contentsOf(RESULTS);
    expect(idsOf(records)).toEqual(places.filter((place) => !isLarge(place)).map((place) => `1#${place}`));
    expect(await parked()).toBe(3);
  });
});
