import { strict as assert } from 'node:assert';

import { sized } from '@gondola/local-stack/testing/sized';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { testStack } from '@gondola/local-stack/test-stack';
import { readTopics, type ReadRecord } from '@gondola/local-stack/testing/topic-reader';
import { waitFor } from '@gondola/local-stack/wait-for';
import type { Database } from '@gondola/service-kit/database/database';
import { fullTopicName, type TopicName } from '@gondola/shared/topics/topics';

import { KafkaSender, type RecordSender } from '@gondola/kafka/produce/kafka-sender';
import { OutboxRelay, type OutboxRelayOptions } from './outbox-relay.ts';
import { OutboxSource } from './outbox-source.ts';
import type { OutRecord } from '@gondola/kafka/records/record-codec';
import { AdvisoryRelayLock, type HeldLock, type RelayLock } from './relay-lock.ts';
import type { RelayRow } from './relay-source.ts';
import { GatedSender } from '@gondola/kafka/testing/gated-sender';
import { quietLogger, recordingLogger } from '@gondola/kafka/testing/quiet-logger';
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

const PLACES = sized(80, 200);

let test: TestDatabase;
let kafka: TestKafka;
let replica: Database;
const relays: OutboxRelay[] = [];

beforeAll(async () => {
  test = await openTestDatabase('outbox_relay');
  replica = await test.replica();
});

beforeEach(async () => {
  kafka = await openTestKafka('outbox-relay', [EVENTS, 'catalog.skus.v1']);
});

afterEach(async () => {
  await Promise.all(relays.splice(0).map((relay) => relay.stop()));
  await kafka.close();
  await test.database.query('TRUNCATE outbox, relay_places');
});

afterAll(async () => {
  await test.close();
});

function kafkaSender(): KafkaSender {
  return new KafkaSender(kafka.client(), kafka.prefix, TEST_SEND_TIMEOUT_MS);
}

async function startRelay(database: Database, options: Partial<OutboxRelayOptions> = {}): Promise<OutboxRelay> {
  const source = new OutboxSource();
  const relay = new OutboxRelay({
    source,
    lock: new AdvisoryRelayLock(database, source.name),
    sender: kafkaSender(),
    logger: quietLogger(),
    pollMs: 10,
    standbyMs: 50,
    ...options,
  });
  relays.push(relay);
  await relay.start();
  return relay;
}

/** All records in a topic, in order within each partition. */
async function contentsOf(topic: TopicName): Promise<ReadRecord[]> {
  const total = (await kafka.ends(topic)).reduce((sum, end) => sum + end, 0);
  if (total === 0) return [];
  const reader = await readTopics(testStack().kafkaBrokers, [fullTopicName(kafka.prefix, topic)]);
  const records = await reader.waitForRecords((seen) => seen.length >= total);
  await reader.close();
  return records;
}

/** A topic with Kafka's default limit for a batch. */
async function topicAsKafkaHasIt(numPartitions: number): Promise<TopicName> {
  const name: TopicName = 'erp.orders.results.v1';
  await kafka.createPlain(name, numPartitions);
  return name;
}

function sku(id: string, key: string | null): OutRecord {
  return { ...eventOf('1', 1), topic: 'catalog.skus.v1', id, key };
}

/** The formula of `contract.md`. */
function partitionOf(murmur2: number): number {
  return (murmur2 & 0x7fffffff) % TEST_PARTITIONS;
}

async function activeLocks(): Promise<number[]> {
  const text = `SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND granted
    AND (classid::bigint << 32 | objid::bigint) = hashtextextended($1, 0)`;
  const { rows } = await test.database.query<{ pid: number }>(text, [`gondola:relay:${test.schema}:outbox`]);
  return rows.map(({ pid }) => pid);
}

/**
 * Several relays over one outbox send each record once, and the records of an entity in commit order. `areStarted`
 * waits until the relays may send.
 */
async function relaysSendOnceAndInOrder(
  lockOf: (database: Database) => RelayLock,
  areStarted: (senders: readonly GatedSender[]) => Promise<unknown> = async () => {},
): Promise<void> {
  const entities = ['1', '2', '3', '4', '5'];
  for (let place = 0; place < PLACES; place += 1) {
    await Promise.all(
      entities.map((entity) => publish(test.database, eventOf(entity, place), eventOf(entity, place + 0.5))),
    );
    if (place === PLACES / 2) {
      const senders: GatedSender[] = [];
      for (const database of [test.database, replica]) {
        const sender = new GatedSender(kafkaSender());
        senders.push(sender);
        await startRelay(database, { lock: lockOf(database), sender });
      }
      await areStarted(senders);
      for (const sender of senders) sender.open();
    }
  }
  await untilSent(test.database);
  await Promise.all(relays.splice(0).map((relay) => relay.stop()));
  const records = await contentsOf(EVENTS);
  assert.equal(new Set(idsOf(records)).size, entities.length * PLACES * 2, 'Every record arrived');
  assertEntityOrder(records);
  assertNoneTwice(records);
}

function bothSend(senders: readonly GatedSender[]): Promise<unknown> {
  return waitFor(() => senders.every(({ begun }) => begun.length > 0), { describe: 'both to send what waits' });
}

/** Broken on purpose: always grants the lock. */
class AlwaysYesLock implements RelayLock {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async tell(): Promise<void> {}

  async tryAcquire(): Promise<HeldLock> {
    const connection = await this.#database.connection();
    return { connection, isHeld: () => true, release: () => connection.release(true) };
  }
}

/** Broken on purpose: fails once between an acknowledgement and its mark, as a process that is killed there. */
class ForgettingSource extends OutboxSource {
  #hasFailed = false;
  override async advance(...of: Parameters<OutboxSource['advance']>): Promise<RelayRow[]> {
    if (this.#hasFailed || of[1].acked.length === 0) return super.advance(...of);
    this.#hasFailed = true;
    throw new Error('killed');
  }
}

/** Publishes so many records of an entity, in several transactions. */
async function publishPlaces(count: number): Promise<void> {
  const places = Array.from({ length: count }, (_, place) => place);
  for (let start = 0; start < count; start += 500)
    await publish(test.database, ...places.slice(start, start + 500).map((place) => eventOf('1', place)));
}

/** Sends records, of which the first ones are not marked when their relay fails. */
async function nothingIsSentAgain(sender: RecordSender): Promise<void> {
  const places = Array.from({ length: 700 }, (_, place) => place);
  await publish(test.database, ...places.map((place) => eventOf(String(place % 7), place)));
  await startRelay(test.database, { source: new ForgettingSource(), sender });
  await publish(test.database, eventOf('1', 1_000));
  await untilSent(test.database);
  const records = await contentsOf(EVENTS);
  assert.equal(new Set(idsOf(records)).size, places.length + 1, 'Every record arrived');
  assertEntityOrder(records);
  assertNoneTwice(records);
}

describe('OutboxRelay', () => {
  it('sends nothing again that a relay before it sent and did not mark', async () => {
    await expect(nothingIsSentAgain(kafkaSender())).resolves.toBeUndefined();
  });

  it('the test detects one that does not look into Kafka', async () => {
    const sender = kafkaSender();
    sender.sentSince = async () => null;
    await expect(nothingIsSentAgain(sender)).rejects.toThrow('sent twice');
  });

  it('sends nothing again if PostgreSQL crashes and loses the marks of many sends', async () => {
    await publishPlaces(3_000);
    await test.database.query('CREATE TABLE unmarked AS TABLE outbox');
    const crashed = await startRelay(test.database);
    await untilSent(test.database);
    await crashed.stop();
    await test.database.query('UPDATE relay_places SET record_offset = 0');
    await test.database.query('INSERT INTO outbox OVERRIDING SYSTEM VALUE TABLE unmarked');
    await test.database.query('DROP TABLE unmarked');
    await startRelay(test.database);
    await untilSent(test.database);
    const records = await contentsOf(EVENTS);
    expect(records).toHaveLength(3_000);
    assertNoneTwice(records);
  });

  it('sends all the same, and says so, if its account may not read the topics that it writes', async () => {
    const { logger, lines } = recordingLogger();
    const sender = kafkaSender();
    sender.sentSince = async () => null;
    await publish(test.database, eventOf('1', 1));
    await startRelay(test.database, { sender, logger });
    await untilSent(test.database);
    expect(idsOf(await contentsOf(EVENTS))).toEqual(['1#1']);
    expect(lines).toContainEqual(expect.objectContaining({ level: 'warn', topic: EVENTS }));
  });

  it('looks into Kafka back to the place that was stored, or to the beginning without one', async () => {
    await publishPlaces(4_500);
    const relay = await startRelay(test.database);
    await untilSent(test.database);
    const stored = () =>
      test.database
        .query<{ partition: number; record_offset: string }>('SELECT * FROM relay_places ORDER BY record_offset DESC')
        .then(({ rows }) => rows);
    // Stored with the first look after the last record was marked.
    const place = await waitFor(async () => (await stored())[0], { describe: 'a stored place' });
    expect(Number(place.record_offset)).toBeGreaterThanOrEqual(1_000);
    await relay.stop();
    expect(Number((await stored())[0]!.record_offset)).toBeGreaterThanOrEqual(4_000);
    const sender = kafkaSender();
    const sinceIs = async (offset: number | null): Promise<number> => {
      const places = new Map(offset === null ? [] : [[place.partition, BigInt(offset)]]);
      const limit = { bytes: 100_000_000, signal: new AbortController().signal };
      return (await sender.sentSince(EVENTS, () => places, limit))!.digests.size;
    };
    const offset = Number(place.record_offset);
    expect(await sinceIs(0)).toBe(4_500);
    expect(await sinceIs(offset)).toBe(4_500 - offset);
    expect(await sinceIs(null)).toBe(4_500);
    expect(await sinceIs(1_000_000)).toBe(4_500);
    await sender.close();
  });

  it('two compete, and each record is sent once, an entity’s in commit order', async () => {
    const run = relaysSendOnceAndInOrder((database) => new AdvisoryRelayLock(database, 'outbox'));
    await expect(run).resolves.toBeUndefined();
  });

  it('the test detects two that are active at once', async () => {
    const run = relaysSendOnceAndInOrder((database) => new AlwaysYesLock(database), bothSend);
    await expect(run).rejects.toThrow('sent twice');
  });

  it('sends at once when woken', async () => {
    const relay = await startRelay(test.database, { pollMs: 600_000 });
    await waitFor(() => relay.isActive(), { describe: 'an active relay' });
    await publish(test.database, eventOf('1', 1));
    relay.wake();
    await untilSent(test.database);
    expect(idsOf(await contentsOf(EVENTS))).toEqual(['1#1']);
  });

  it('sends at once when a relay that stands by is woken', async () => {
    const active = await startRelay(test.database, { pollMs: 600_000 });
    await waitFor(() => active.isActive(), { describe: 'an active relay' });
    const standby = await startRelay(test.database, { pollMs: 600_000, standbyMs: 600_000 });
    await publish(test.database, eventOf('1', 1));
    standby.wake();
    await untilSent(test.database);
    expect([active.isActive(), standby.isActive()]).toEqual([true, false]);
    expect(idsOf(await contentsOf(EVENTS))).toEqual(['1#1']);
  });

  it('chooses the partition by ce_partitionkey, else by the key, with Kafka’s own murmur2', async () => {
    // murmur2 of "foobar" and "a-little-bit-long-string", from Kafka's own tests (UtilsTest.testMurmur2).
    const { partitionKey: _, ...plain } = eventOf('1', 1);
    await publish(test.database, { ...plain, id: 'by entity', partitionKey: 'foobar' });
    await publish(test.database, { ...plain, id: 'by key', key: 'a-little-bit-long-string' });
    await publish(test.database, { ...plain, id: 'by chance', key: null });
    await startRelay(test.database);
    await untilSent(test.database);
    const found = new Map((await contentsOf(EVENTS)).map(({ headers, partition }) => [headers['ce_id'], partition]));
    expect(found.get('by entity')).toBe(partitionOf(-790332482));
    expect(found.get('by key')).toBe(partitionOf(-985981536));
    expect(found.has('by chance')).toBe(true);
  });

  it('parks and reports a record that is too large for the broker, and sends all the others', async () => {
    const { logger, lines } = recordingLogger();
    const topic = await topicAsKafkaHasIt(TEST_PARTITIONS);
    const result = (entity: string, place: number, bytes: number): OutRecord => ({
      ...eventOf(entity, place, 'x'.repeat(bytes)),
      topic,
    });
    await publish(test.database, result('1', 1, 1_000), result('2', 1, 1_000));
    await publish(test.database, result('1', 2, 2_000_000));
    await publish(test.database, result('1', 3, 1_000), result('2', 2, 1_000));
    const { source } = await startRelay(test.database, { logger });
    await untilSent(test.database);
    const records = await contentsOf(topic);
    assertEntityOrder(records);
    expect(idsOf(records).toSorted()).toEqual(['1#1', '1#3', '2#1', '2#2']);
    expect(await source.backlog(test.database)).toMatchObject({ records: 0, parked: 1 });
    expect(lines).toContainEqual(
      expect.objectContaining({ level: 'error', code: 'MESSAGE_TOO_LARGE', bytes: 2_000_000 }),
    );
  });

  it('fills batches up to the default size of a broker', async () => {
    const places = Array.from({ length: 300 }, (_, place) => place);
    const topic = await topicAsKafkaHasIt(1);
    await publish(test.database, ...places.map((place) => ({ ...eventOf('1', place, 'x'.repeat(10_000)), topic })));
    const { source } = await startRelay(test.database);
    await untilSent(test.database);
    const records = await contentsOf(topic);
    assertEntityOrder(records);
    assertNoneTwice(records);
    expect(records).toHaveLength(300);
    expect(await source.backlog(test.database)).toMatchObject({ parked: 0 });
  });

  it('finds the one refused record among many that are sent together', async () => {
    const keyed = Array.from({ length: 20 }, (_, index) => sku(`s${index}`, `s${index}`));
    // A compacted topic accepts no record without a key.
    await publish(test.database, ...keyed.slice(0, 10), sku('no key', null), ...keyed.slice(10));
    const { source } = await startRelay(test.database);
    await untilSent(test.database);
    expect(new Set(idsOf(await contentsOf('catalog.skus.v1')))).toEqual(new Set(keyed.map(({ id }) => id)));
    expect(await source.backlog(test.database)).toMatchObject({ parked: 1 });
  });

  it('waits for a topic that does not exist yet, shows and logs why it waits, and loses nothing', async () => {
    const { logger, lines } = recordingLogger();
    await publish(test.database, { ...eventOf('1', 1), topic: 'erp.orders.results.v1' });
    const relay = await startRelay(test.database, { logger });
    await waitFor(() => relay.failure !== undefined, { describe: 'a failed attempt' });
    expect(relay.failure).toMatchObject({ code: 'KAFKA_SEND_FAILED' });
    expect(lines.find(({ level }) => level === 'warn')).toMatchObject({
      err: { code: 'KAFKA_SEND_FAILED', message: expect.stringContaining('erp.orders.results.v1') },
    });
    await kafka.createPlain('erp.orders.results.v1', TEST_PARTITIONS);
    await untilSent(test.database);
    await waitFor(() => relay.failure === undefined, { describe: 'no failure' });
    expect(idsOf(await contentsOf('erp.orders.results.v1'))).toEqual(['1#1']);
  });

  it('aborts its send if its lock’s connection breaks, and continues with a new lock', async () => {
    const relay = await startRelay(test.database);
    const [pid] = await waitFor(
      async () => {
        const pids = await activeLocks();
        return pids.length === 1 && pids;
      },
      { describe: 'the lock' },
    );
    await test.database.query('SELECT pg_terminate_backend($1)', [pid]);
    await publish(test.database, eventOf('1', 1));
    await untilSent(test.database);
    expect(relay.isActive()).toBe(true);
    expect(await activeLocks()).not.toContain(pid);
  });

  it('frees the lock when it stops', async () => {
    const relay = await startRelay(test.database);
    await waitFor(() => relay.isActive(), { describe: 'an active relay' });
    await relay.stop();
    expect(relay.isActive()).toBe(false);
    await waitFor(async () => (await activeLocks()).length === 0, { describe: 'the lock to be free' });
  });
});
