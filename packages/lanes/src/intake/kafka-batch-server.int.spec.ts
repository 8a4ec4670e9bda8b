import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';

import { waitFor } from '@gondola/local-stack/wait-for';

import type { RecordBatch } from '@gondola/kafka/server/topic-handler';
import {
  createFacts,
  readFacts,
  testConsumer,
  type TestConsumer,
  type TestConsumerOptions,
  valuesOf,
} from '../testing/test-consumer.ts';
import { openTestDatabase, type TestDatabase } from '../testing/test-database.ts';
import { openTestKafka, type TestKafka } from '@gondola/kafka/testing/test-kafka';
import { untilMetric } from '@gondola/kafka/testing/until-metric';

const TOPIC = 'erp.orders.commands.v1';
const OTHER_TOPIC = 'erp.files.results.v1';
const THIRD_TOPIC = 'erp.files.commands.v1';

describe('the batch server', () => {
  let kafka: TestKafka;
  let test: TestDatabase;
  let consumers: TestConsumer[];

  beforeAll(async () => {
    test = await openTestDatabase('batch-server');
    await createFacts(test.database);
  });

  beforeEach(async () => {
    kafka = await openTestKafka('batch-server', [TOPIC, OTHER_TOPIC, THIRD_TOPIC]);
    await test.database.query('TRUNCATE facts');
    consumers = [];
  });

  afterEach(async () => {
    await Promise.all(consumers.map((consumer) => consumer.stop()));
    await kafka.close();
  });

  afterAll(async () => {
    await test.close();
  });

  async function consume(more: Partial<TestConsumerOptions> = {}): Promise<TestConsumer> {
    const consumer = testConsumer({ kafka, database: test.database, ...more });
    consumers.push(consumer);
    await consumer.start();
    return consumer;
  }

  function stored(count: number): Promise<unknown> {
    return waitFor(async () => (await readFacts(test.database)).length >= count, { describe: `${count} facts` });
  }

  it('keeps the order of each partition, commits every offset, and handles at most 500 records at once', async () => {
    await Promise.all([0, 1, 2].map((partition) => kafka.produce(TOPIC, numbered(1_200, partition))));
    const batches: RecordBatch[] = [];
    const { group } = await consume({
      handle: (batch, store) => {
        batches.push(batch);
        return store(batch);
      },
    });
    await stored(3_600);
    for (const partition of [0, 1, 2]) {
      expect(await valuesOf(test.database, partition)).toEqual(numbered(1_200, partition).map(({ value }) => value));
    }
    expect(Math.max(...batches.map(({ records }) => records.length))).toBe(500);
    await waitFor(async () => (await kafka.committed(group, TOPIC)).every((offset) => offset === 1_200), {
      describe: 'all to be committed',
    });
  });

  it('passes on null keys, null values and binary headers, and counts records without a key', async () => {
    const binary = Buffer.from([0, 255, 128]);
    await kafka.produce(TOPIC, [
      {
        key: null,
        value: binary,
        partition: 0,
        headers: [
          ['x', binary],
          ['x', Buffer.from('2')],
        ],
      },
      { key: binary, value: null, partition: 0 },
    ]);
    const seen: RecordBatch[] = [];
    const { registry, group } = await consume({ handle: async (batch) => void seen.push(batch) });
    await waitFor(async () => (await kafka.committed(group, TOPIC))[0] === 2, { describe: 'both to be committed' });
    const [first, second] = seen.flatMap(({ records }) => records);
    expect(first).toMatchObject({ topic: TOPIC, partition: 0, offset: '0', key: null, value: binary });
    expect(first?.headers).toEqual([
      ['x', binary],
      ['x', Buffer.from('2')],
    ]);
    expect(second).toMatchObject({ offset: '1', key: binary, value: null, headers: [] });
    await untilMetric(registry, `gondola_records_unkeyed_total{topic="${TOPIC}"} 1`);
    await untilMetric(registry, `gondola_records_consumed_total{topic="${TOPIC}"} 2`);
  });

  it('leaves no lag behind the markers of a transactional producer', async () => {
    const producer = kafka
      .client()
      .producer({ transactionalId: kafka.prefix, idempotent: true, maxInFlightRequests: 1 });
    await producer.connect();
    const { group } = await consume();
    for (const outcome of ['commit', 'abort'] as const) {
      const transaction = await producer.transaction();
      await transaction.send({ topic: kafka.prefix + TOPIC, messages: [{ key: 'k', value: outcome, partition: 1 }] });
      await transaction[outcome]();
    }
    await producer.disconnect();
    await waitFor(async () => (await kafka.committed(group, TOPIC))[1] === 4, {
      describe: 'the last marker to be committed',
    });
    expect(await valuesOf(test.database)).toEqual(['commit']);
  });

  it('continues with other partitions and topics while one waits for the database', async () => {
    const blocked = Object.assign(new Error('could not obtain lock'), { code: '55P03', severity: 'ERROR' });
    let isBlocked = true;
    const { registry, exits } = await consume({
      reads: [TOPIC, OTHER_TOPIC],
      handle: async (batch, store) => {
        if (isBlocked && batch.topic === TOPIC && batch.partition === 0) throw blocked;
        await store(batch);
      },
    });
    await kafka.produce(TOPIC, numbered(3, 0));
    const paused = `gondola_partition_paused{topic="${TOPIC}",partition="0"}`;
    await untilMetric(registry, `${paused} 1`);
    await kafka.produce(TOPIC, numbered(3, 1));
    await kafka.produce(OTHER_TOPIC, numbered(3, 0));
    await stored(6);
    expect((await readFacts(test.database)).some(({ topic, partition }) => topic === TOPIC && partition === 0)).toBe(
      false,
    );
    isBlocked = false;
    await stored(9);
    expect((await readFacts(test.database)).slice(-3).map(({ value }) => value?.toString())).toEqual([
      '0:0',
      '0:1',
      '0:2',
    ]);
    await untilMetric(registry, `${paused} 0`);
    expect(exits).toEqual([]);
  });

  it('handles an urgent topic while batches of others occupy all places', async () => {
    const others = [OTHER_TOPIC, THIRD_TOPIC] as const;
    await kafka.produce(TOPIC, numbered(1, 0));
    // More than there are places: kafkajs hands a fetch over in any order.
    for (const topic of others) for (const partition of [0, 1, 2]) await kafka.produce(topic, numbered(1, partition));
    const urgentStored = Promise.withResolvers<void>();
    await consume({
      reads: [TOPIC, ...others],
      urgent: [TOPIC],
      handle: async (batch, store) => {
        if (batch.topic !== TOPIC) await urgentStored.promise;
        await store(batch);
        if (batch.topic === TOPIC) urgentStored.resolve();
      },
    });
    await stored(7);
    expect((await readFacts(test.database))[0]?.topic).toBe(TOPIC);
  });

  it('fetches an urgent topic anew while batches of others are under way, and these partitions in order after them', async () => {
    const gate = Promise.withResolvers<void>();
    const { group } = await consume({
      reads: [TOPIC, OTHER_TOPIC],
      urgent: [TOPIC],
      handle: async (batch, store) => {
        if (batch.topic === OTHER_TOPIC) await gate.promise;
        await store(batch);
      },
    });
    await kafka.produce(OTHER_TOPIC, numbered(1, 0));
    for (let count = 1; count <= 3; count += 1) {
      await kafka.produce(OTHER_TOPIC, [{ key: 'k', value: `0:${count}`, partition: 0 }]);
      await kafka.produce(TOPIC, numbered(1, 0));
      await stored(count);
    }
    expect((await readFacts(test.database)).every(({ topic }) => topic === TOPIC)).toBe(true);
    gate.resolve();
    await stored(7);
    const others = (await readFacts(test.database)).filter(({ topic }) => topic === OTHER_TOPIC);
    expect(others.map(({ value }) => value?.toString())).toEqual(['0:0', '0:1', '0:2', '0:3']);
    await waitFor(async () => (await kafka.committed(group, OTHER_TOPIC))[0] === 4, {
      describe: 'all to be committed',
    });
  });

  it('pauses a partition whose batch fails long after an urgent topic was fetched anew', async () => {
    const blocked = Object.assign(new Error('could not obtain lock'), { code: '55P03', severity: 'ERROR' });
    const gate = Promise.withResolvers<void>();
    let isBlocked = true;
    const { registry, exits } = await consume({
      reads: [TOPIC, OTHER_TOPIC],
      urgent: [TOPIC],
      handle: async (batch, store) => {
        if (batch.topic === OTHER_TOPIC) await gate.promise;
        if (batch.topic === OTHER_TOPIC && isBlocked) throw blocked;
        await store(batch);
      },
    });
    await kafka.produce(OTHER_TOPIC, numbered(3, 0));
    await kafka.produce(TOPIC, numbered(1, 0));
    await stored(1);
    gate.resolve();
    const paused = `gondola_partition_paused{topic="${OTHER_TOPIC}",partition="0"}`;
    await untilMetric(registry, `${paused} 1`);
    await kafka.produce(TOPIC, numbered(1, 0));
    await stored(2);
    isBlocked = false;
    await stored(5);
    await untilMetric(registry, `${paused} 0`);
    expect(exits).toEqual([]);
  });

  it('commits a batch that is under way beside an urgent topic before it stops', async () => {
    const gate = Promise.withResolvers<void>();
    const consumer = await consume({
      reads: [TOPIC, OTHER_TOPIC],
      urgent: [TOPIC],
      handle: async (batch, store) => {
        if (batch.topic === OTHER_TOPIC) await gate.promise;
        await store(batch);
      },
    });
    await kafka.produce(OTHER_TOPIC, numbered(1, 0));
    await kafka.produce(TOPIC, numbered(1, 0));
    await stored(1);
    const stopped = consumer.stop();
    gate.resolve();
    await stopped;
    expect((await kafka.committed(consumer.group, OTHER_TOPIC))[0]).toBe(1);
  });

  it('handles each record once and in order while a second member joins and one leaves', async () => {
    const first = await consume();
    const values: string[] = [];
    const produceSome = async (): Promise<void> => {
      const start = values.length / 3;
      const batch = [0, 1, 2].flatMap((partition) =>
        Array.from({ length: 50 }, (_, index) => ({ key: 'k', value: `${partition}:${start + index}`, partition })),
      );
      values.push(...batch.map(({ value }) => value));
      await kafka.produce(TOPIC, batch);
    };
    await produceSome();
    const second = await Promise.all([consume({ group: first.group }), produceSome()]);
    await produceSome();
    await Promise.all([first.stop(), produceSome()]);
    await produceSome();
    await stored(values.length);
    const facts = await valuesOf(test.database);
    expect(new Set(facts)).toEqual(new Set(values));
    expect(facts).toHaveLength(values.length);
    for (const partition of [0, 1, 2]) {
      const own = (value: string | null): boolean => value?.startsWith(`${partition}:`) ?? false;
      expect(facts.filter(own)).toEqual(values.filter(own));
    }
    expect(second[0].exits).toEqual([]);
  });
});

function numbered(count: number, partition: number): Array<{ key: string; value: string; partition: number }> {
  return Array.from({ length: count }, (_, index) => ({ key: 'k', value: `${partition}:${index}`, partition }));
}
