import { sized } from '@gondola/local-stack/testing/sized';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { testStack } from '@gondola/local-stack/test-stack';
import { type ReadRecord, readTopics } from '@gondola/local-stack/testing/topic-reader';
import { waitFor } from '@gondola/local-stack/wait-for';
import { fullTopicName } from '@gondola/shared/topics/topics';

import { KafkaSender } from '@gondola/kafka/produce/kafka-sender';
import { OutboxRelay } from './outbox-relay.ts';
import { OutboxSource } from './outbox-source.ts';
import { AdvisoryRelayLock } from './relay-lock.ts';
import { type Child, startChild } from '@gondola/kafka/testing/child-process';
import { quietLogger } from '@gondola/kafka/testing/quiet-logger';
import {
  assertEntityOrder,
  assertNoneTwice,
  eventOf,
  EVENTS,
  idsOf,
  publish,
  untilSent,
} from '../testing/relay-invariants.ts';
import type { RelayProcessOptions } from '../testing/relay.main.ts';
import { openTestDatabase, type TestDatabase } from '../testing/test-database.ts';
import { openTestKafka, type TestKafka } from '@gondola/kafka/testing/test-kafka';

let test: TestDatabase;
let kafka: TestKafka;
let holder: Child;
let standby: OutboxRelay;

const ENTITIES = ['1', '2', '3', '4', '5'];
const PLACES = 1_000;

beforeAll(async () => {
  test = await openTestDatabase('outbox_relay_killed');
});

beforeEach(async () => {
  kafka = await openTestKafka('outbox-relay-killed', [EVENTS]);
  const options: RelayProcessOptions = {
    brokers: kafka.config.brokers,
    prefix: kafka.prefix,
    url: test.url,
    schema: test.schema,
  };
  holder = await startChild(new URL('../testing/relay.main.ts', import.meta.url), options);
  await waitFor(async () => (await holder.output()).includes('The relay is active'), { describe: 'an active relay' });
  const source = new OutboxSource();
  standby = new OutboxRelay({
    source,
    lock: new AdvisoryRelayLock(test.database, source.name),
    sender: new KafkaSender(kafka.client(), kafka.prefix),
    logger: quietLogger(),
  });
  await standby.start();
});

afterEach(async () => {
  await standby.stop();
  await holder.clear();
  await kafka.close();
});

afterAll(async () => {
  await test.close();
});

/**
 * Records that arrived. Checks that each entity's records are in order; repeats, known by their id, may lie between.
 */
async function arrived(): Promise<ReadRecord[]> {
  await untilSent(test.database);
  const total = (await kafka.ends(EVENTS)).reduce((sum, end) => sum + end, 0);
  const reader = await readTopics(testStack().kafkaBrokers, [fullTopicName(kafka.prefix, EVENTS)]);
  const records = await reader.waitForRecords((seen) => seen.length >= total);
  await reader.close();
  assertEntityOrder(records);
  return records;
}

async function publishAll(): Promise<void> {
  const places = Array.from({ length: PLACES }, (_, place) => place);
  await Promise.all(
    ENTITIES.map(async (entity) => {
      // Published in several transactions, so that the holder sends in the meantime.
      for (let start = 0; start < PLACES; start += 50) {
        await publish(test.database, ...places.slice(start, start + 50).map((place) => eventOf(entity, place)));
      }
    }),
  );
}

async function sentSome(): Promise<void> {
  await waitFor(async () => (await kafka.ends(EVENTS)).some((end) => end > 0), { describe: 'the first records' });
}

describe('a relay that holds the lock', () => {
  it('is replaced by another if it is killed while sending, and nothing is lost or sent twice', async () => {
    expect(standby.isActive()).toBe(false);
    const published = publishAll();
    await sentSome();
    await holder.kill();
    await waitFor(() => standby.isActive(), { describe: 'the standby to take over' });
    await published;
    const records = await arrived();
    assertNoneTwice(records);
    expect(records).toHaveLength(ENTITIES.length * PLACES);
  });
});

// The server waits twenty seconds for a silent holder.
const long = sized<typeof describe.skip>(describe.skip, describe);
long('A relay that is frozen while it holds the lock', () => {
  it('loses the lock, and repeats at most what the other has sent when it thaws', async () => {
    const published = publishAll();
    await sentSome();
    holder.freeze();
    await waitFor(() => standby.isActive(), { describe: 'the standby to take over' });
    await published;
    await untilSent(test.database);
    holder.thaw();
    await waitFor(async () => (await holder.output()).includes('The relay failed'), {
      describe: 'the frozen one to notice',
    });
    expect(new Set(idsOf(await arrived())).size).toBe(ENTITIES.length * PLACES);
  });
});
