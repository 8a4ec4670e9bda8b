import { sized } from '@gondola/local-stack/testing/sized';
import { waitFor } from '@gondola/local-stack/wait-for';
import { fullTopicName, type TopicName } from '@gondola/shared/topics/topics';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';

import { KafkaLog } from '@gondola/kafka/produce/kafka-log';
import { KafkaSender } from '@gondola/kafka/produce/kafka-sender';
import { type LogReader, readBack } from '@gondola/kafka/produce/read-back';
import { quietLogger } from '@gondola/kafka/testing/quiet-logger';
import { eventOf, EVENTS, publish, untilSent } from '../testing/relay-invariants.ts';
import { openTestDatabase, type TestDatabase } from '../testing/test-database.ts';
import { openTestKafka, TEST_SEND_TIMEOUT_MS, type TestKafka } from '@gondola/kafka/testing/test-kafka';
import { OutboxRelay } from './outbox-relay.ts';
import { OutboxSource } from './outbox-source.ts';
import { AdvisoryRelayLock } from './relay-lock.ts';

/** Size of what others write; in `test:long` more than a comparison reads. */
const MEGABYTES = sized(30, 300);
const RECORD_BYTES = 10_000;
const PER_SEND = 100;

let test: TestDatabase;
let kafka: TestKafka;
const relays: OutboxRelay[] = [];

beforeAll(async () => {
  test = await openTestDatabase('take_over');
});

beforeEach(async () => {
  kafka = await openTestKafka('take-over', [EVENTS]);
});

afterEach(async () => {
  await Promise.all(relays.splice(0).map((relay) => relay.stop()));
  await kafka.close();
  await test.database.query('TRUNCATE outbox, relay_places');
});

afterAll(async () => {
  await test.close();
});

async function startRelay(): Promise<OutboxRelay> {
  const source = new OutboxSource();
  const sender = new KafkaSender(kafka.client(), kafka.prefix, TEST_SEND_TIMEOUT_MS);
  const lock = new AdvisoryRelayLock(test.database, source.name);
  const relay = new OutboxRelay({ source, lock, sender, logger: quietLogger(), pollMs: 10, standbyMs: 50 });
  relays.push(relay);
  await relay.start();
  return relay;
}

async function othersWrite(topic: TopicName, megabytes: number): Promise<void> {
  const value = Buffer.alloc(RECORD_BYTES, 'x');
  for (let written = 0; written < (megabytes * 1_000_000) / RECORD_BYTES; written += PER_SEND)
    await kafka.produce(
      topic,
      Array.from({ length: PER_SEND }, (_, nth) => ({ key: `${written + nth}`, value })),
    );
}

async function records(): Promise<number> {
  return (await kafka.ends(EVENTS)).reduce((sum, end) => sum + end, 0);
}

async function placesNamed(name: string): Promise<Map<number, number>> {
  const { rows } = await test.database.query<{ partition: number; at: number }>(
    'SELECT partition, record_offset::float8 AS at FROM relay_places WHERE topic = $1',
    [name],
  );
  return new Map(rows.map(({ partition, at }) => [partition, at]));
}

async function store(topic: string, partition: number, offset: number, daysAgo = 0): Promise<void> {
  await test.database.query(
    `INSERT INTO relay_places (source, topic, partition, record_offset, stored_at)
     VALUES ('outbox', $1, $2, $3, now() - make_interval(days => $4))`,
    [topic, partition, offset, daysAgo],
  );
}

/** A log whose fetches are counted, and may be held up. */
function counted(log: LogReader, onFetch: (count: number) => void): LogReader & { readonly fetches: () => number } {
  let fetches = 0;
  return {
    fetches: () => fetches,
    edges: () => log.edges(),
    fetch: (...of) => {
      fetches += 1;
      onFetch(fetches);
      return log.fetch(...of);
    },
  };
}

function sockets(): number {
  return process.getActiveResourcesInfo().filter((name) => name === 'TCPSocketWrap').length;
}

describe('a relay that takes over, on a real Kafka', () => {
  it('sends the first row however much lies behind old places, and finds what was sent before it', async () => {
    for (const partition of [0, 1, 2]) await store(fullTopicName(kafka.prefix, EVENTS), partition, 0);
    await othersWrite(EVENTS, MEGABYTES);
    await publish(test.database, eventOf('1', 1), eventOf('2', 1));
    await test.database.query('CREATE TABLE unmarked AS TABLE outbox');
    const first = await startRelay();
    await untilSent(test.database);
    await first.stop();
    const before = await records();
    await othersWrite(EVENTS, 3);
    await test.database.query('INSERT INTO outbox OVERRIDING SYSTEM VALUE TABLE unmarked');
    await test.database.query('DROP TABLE unmarked');
    await test.database.query('UPDATE relay_places SET record_offset = 0');
    await publish(test.database, eventOf('1', 2));
    const relay = await startRelay();
    await untilSent(test.database);
    expect((await records()) - before).toBe(300 + 1);
    expect(relay.cutComparisons).toBeGreaterThanOrEqual(sized(0, 1));
  });

  it('reads the newest records within its bytes, and no others', async () => {
    await othersWrite(EVENTS, MEGABYTES);
    await publish(test.database, eventOf('1', 1));
    await startRelay();
    await untilSent(test.database);
    const log = new KafkaLog(kafka.client(), fullTopicName(kafka.prefix, EVENTS));
    const found = await readBack(log, new Map(), { bytes: 6_000_000, signal: new AbortController().signal });
    log.close();
    expect(found).toMatchObject({ cut: 'bytes' });
    expect(found!.digests.size * RECORD_BYTES).toBeGreaterThan(3_000_000);
    expect(found!.digests.size * RECORD_BYTES).toBeLessThan(6_000_000 + 2_000_000);
    expect([...found!.ends.values()].reduce((sum, end) => sum + Number(end), 0)).toBe(await records());
  });

  it('reads no more once it is abandoned, and leaves no connection', async () => {
    await othersWrite(EVENTS, MEGABYTES);
    const before = sockets();
    const abandoned = new AbortController();
    const log = new KafkaLog(kafka.client(), fullTopicName(kafka.prefix, EVENTS));
    const watched = counted(log, (count) => {
      if (count === 5) abandoned.abort();
    });
    const found = await readBack(watched, new Map(), { bytes: 1_000_000_000, signal: abandoned.signal });
    log.close();
    expect(found).toMatchObject({ cut: 'time' });
    expect(watched.fetches()).toBe(5);
    await waitFor(() => sockets() <= before, { describe: 'its connections to end' });
    await expect(log.fetch({ partition: 0, leader: '1', start: 0n, end: 1n }, 0n, 1)).rejects.toThrow('Abandoned');
    expect(watched.fetches()).toBe(5);
  });

  it('finds nothing in a topic that does not exist, and does not wait for it', async () => {
    const log = new KafkaLog(kafka.client(), fullTopicName(kafka.prefix, 'erp.files.results.v1'));
    const found = await readBack(log, new Map(), { bytes: 1_000_000, signal: new AbortController().signal });
    log.close();
    expect(found).toMatchObject({ cut: null, digests: new Set(), ends: new Map() });
  });

  it('names its places with the prefix, and takes over and removes those of an earlier version', async () => {
    const name = fullTopicName(kafka.prefix, EVENTS);
    await othersWrite(EVENTS, 3);
    const ends = await kafka.ends(EVENTS);
    await store(EVENTS, 0, ends[0]!);
    await store(name, 0, 1);
    await store(name, 1, 1_000_000);
    await store('outra.erp.orders.events.v1', 2, 7);
    await store('outra.erp.orders.results.v1', 0, 7, 60);
    await publish(test.database, eventOf('1', 1));
    const relay = await startRelay();
    await untilSent(test.database);
    await relay.stop();
    const stored = await placesNamed(name);
    expect(new Set(stored.keys())).toEqual(new Set([0, 1, 2]));
    for (const [partition, at] of stored) expect(at).toBeGreaterThanOrEqual(ends[partition]!);
    expect(stored.get(1)).toBeLessThan(1_000_000);
    expect(await placesNamed(EVENTS)).toEqual(new Map());
    expect(await placesNamed('outra.erp.orders.events.v1')).toEqual(new Map([[2, 7]]));
    expect(await placesNamed('outra.erp.orders.results.v1')).toEqual(new Map());
  });
});
