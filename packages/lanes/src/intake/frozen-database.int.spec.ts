import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';

import { type PostgresServer, startPostgres } from '@gondola/local-stack/postgres';
import { waitFor } from '@gondola/local-stack/wait-for';
import { Database } from '@gondola/service-kit/database/database';

import { messagingMigrations } from '../messaging-tables.ts';
import { createFacts, testConsumer, type TestConsumer, valuesOf } from '../testing/test-consumer.ts';
import { openTestKafka, type TestKafka } from '@gondola/kafka/testing/test-kafka';

const TOPIC = 'erp.orders.commands.v1';
const OTHER_TOPIC = 'erp.files.results.v1';
const PARTITIONS = [0, 1, 2];
const PER_PARTITION = 40;
const SLOW_QUERY_MS = 60_000;

/** The suite starts its own PostgreSQL, because it freezes and kills it. */
describe('a consumer whose PostgreSQL is unreachable', () => {
  let server: PostgresServer;
  /** Connection of the test itself. */
  let database: Database;
  /** Connection of the consumer, with time-outs so short that it soon notices a server which does not answer. */
  let impatient: Database;
  let kafka: TestKafka;
  let consumer: TestConsumer;

  beforeAll(async () => {
    server = await startPostgres({ durable: true });
    database = await connected({});
    impatient = await connected({ queryTimeoutMs: 500 });
    await createFacts(database);
  });

  beforeEach(async () => {
    kafka = await openTestKafka('frozen', [TOPIC, OTHER_TOPIC]);
    await database.query('TRUNCATE facts');
    consumer = testConsumer({ kafka, database: impatient, reads: [TOPIC, OTHER_TOPIC] });
    await consumer.start();
  });

  afterEach(async () => {
    await consumer.stop();
    await kafka.close();
  });

  afterAll(async () => {
    await Promise.all([database.close(), impatient.close()]);
    await server.stop();
  });

  async function connected(more: { queryTimeoutMs?: number }): Promise<Database> {
    const made = new Database({ url: server.url, schema: 'frozen', migrations: messagingMigrations, ...more });
    // The short time-out may also expire on a busy machine, so the first connection is retried.
    await waitFor(() => made.connect().then(() => true), { describe: 'a connection' });
    return made;
  }

  async function produce(label: string): Promise<void> {
    const records = PARTITIONS.flatMap((partition) =>
      Array.from({ length: PER_PARTITION }, (_, index) => ({ key: 'k', value: `${label}:${index}`, partition })),
    );
    await kafka.produce(TOPIC, records);
    await kafka.produce(OTHER_TOPIC, records);
  }

  function stored(labels: number): Promise<unknown> {
    const count = labels * PER_PARTITION * PARTITIONS.length * 2;
    return waitFor(async () => (await valuesOf(database)).length >= count, {
      describe: `${count} facts`,
    });
  }

  async function expectEachOnceInOrder(labels: readonly string[]): Promise<void> {
    const { rows } = await database.query<{ topic: string; partition: number; values: string[] }>(
      `SELECT topic, partition, array_agg(convert_from(value, 'UTF8') ORDER BY seq) AS values FROM facts GROUP BY topic, partition`,
    );
    expect(rows).toHaveLength(PARTITIONS.length * 2);
    for (const { values } of rows) expect(values).toEqual(expectedOf(labels));
    await waitFor(
      async () =>
        (await kafka.committed(consumer.group, TOPIC)).every((offset) => offset === labels.length * PER_PARTITION),
      { describe: 'all to be committed' },
    );
  }

  async function untilPaused(): Promise<void> {
    await waitFor(async () => /gondola_partition_paused\{.*\} 1/.test(await consumer.registry.metrics()), {
      describe: 'a partition to be paused',
    });
  }

  it('pauses while PostgreSQL is frozen, stays in its group, and stores each record once', async () => {
    await produce('before');
    await stored(1);
    server.freeze();
    try {
      await produce('frozen');
      await untilPaused();
      const heartbeats = consumer.heartbeats();
      await waitFor(() => consumer.heartbeats() > heartbeats + 3, { describe: 'heartbeats while paused' });
    } finally {
      server.thaw();
    }
    await produce('after');
    await stored(3);
    await expectEachOnceInOrder(['before', 'frozen', 'after']);
    expect(consumer.exits).toEqual([]);
  });

  it('pauses while PostgreSQL is down, and continues after its restart', async () => {
    await produce('before');
    await stored(1);
    await server.kill();
    await produce('down');
    await untilPaused();
    await server.restart();
    await stored(2);
    await expectEachOnceInOrder(['before', 'down']);
    expect(consumer.exits).toEqual([]);
  });

  it('stops in time although a batch waits for a frozen PostgreSQL, and the next member takes that batch', async () => {
    const slow = await connected({ queryTimeoutMs: SLOW_QUERY_MS });
    let handling = 0;
    const member = testConsumer({
      kafka,
      database: slow,
      timings: { stopMs: 300 },
      handle: (batch, store) => {
        handling += 1;
        return store(batch);
      },
    });
    await member.start();
    server.freeze();
    try {
      await produce('frozen');
      await waitFor(() => handling > 0, { describe: 'a batch to be under way' });
      const before = performance.now();
      await member.stop();
      expect(performance.now() - before).toBeLessThan(SLOW_QUERY_MS / 4);
      expect(await kafka.committed(member.group, TOPIC)).toEqual([-1, -1, -1]);
    } finally {
      server.thaw();
      await slow.close();
    }
    const next = testConsumer({ kafka, database, group: member.group });
    await next.start();
    const isDone = async (): Promise<boolean> =>
      (await kafka.committed(member.group, TOPIC)).every((offset) => offset === PER_PARTITION);
    await waitFor(isDone, { describe: 'the next member to commit all' });
    await next.stop();
    await stored(1);
    await expectEachOnceInOrder(['frozen']);
  });
});

function expectedOf(labels: readonly string[]): string[] {
  return labels.flatMap((label) => Array.from({ length: PER_PARTITION }, (_, index) => `${label}:${index}`));
}
