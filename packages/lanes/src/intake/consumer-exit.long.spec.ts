import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';

import { waitFor } from '@gondola/local-stack/wait-for';

import type { ConsumerTimings } from '@gondola/kafka/server/consumer-timings';
import { type Child, startChild } from '@gondola/kafka/testing/child-process';
import type { ConsumerProcessOptions } from '../testing/consumer.main.ts';
import { recordingLogger } from '@gondola/kafka/testing/quiet-logger';
import {
  createFacts,
  TEST_TIMINGS,
  testConsumer,
  type TestConsumer,
  type TestConsumerOptions,
  valuesOf,
} from '../testing/test-consumer.ts';
import { openTestDatabase, type TestDatabase } from '../testing/test-database.ts';
import { openTestKafka, type TestKafka } from '@gondola/kafka/testing/test-kafka';

const TOPIC = 'erp.orders.commands.v1';

/** A process that runs on without consuming looks healthy and loses hours; a process that exits is restarted. */
describe('a consumer process', () => {
  let kafka: TestKafka;
  let test: TestDatabase;
  let group: string;
  let processes: Child[];
  let consumers: TestConsumer[];

  beforeAll(async () => {
    test = await openTestDatabase('consumer-exit');
    await createFacts(test.database);
  });

  beforeEach(async () => {
    kafka = await openTestKafka('consumer-exit', [TOPIC]);
    group = `${kafka.prefix}group`;
    await test.database.query('TRUNCATE facts');
    processes = [];
    consumers = [];
  });

  afterEach(async () => {
    await Promise.all(processes.map((child) => child.clear()));
    await Promise.all(consumers.map((consumer) => consumer.stop()));
    await kafka.close();
  });

  afterAll(async () => {
    await test.close();
  });

  async function startProcess(timings: Partial<ConsumerTimings> = {}): Promise<Child> {
    const { prefix, config } = kafka;
    const options: ConsumerProcessOptions = {
      brokers: config.brokers,
      prefix,
      group,
      topic: TOPIC,
      databaseUrl: test.url,
      schema: test.schema,
      timings: { ...TEST_TIMINGS, ...timings },
    };
    const child = await startChild(new URL('../testing/consumer.main.ts', import.meta.url), options);
    processes.push(child);
    return child;
  }

  function consumer(more: Partial<TestConsumerOptions> = {}): TestConsumer {
    const made = testConsumer({ kafka, database: test.database, group, ...more });
    consumers.push(made);
    return made;
  }

  function stored(value: string): Promise<unknown> {
    return waitFor(async () => (await valuesOf(test.database)).includes(value), {
      describe: `"${value}" to be stored`,
    });
  }

  it('killed by SIGKILL in a transaction commits no offset, and the next member stores the records once', async () => {
    const child = await startProcess({ sessionMs: 2_000 });
    await saying(child, 'Consuming');
    await kafka.produce(TOPIC, [{ key: 'k', value: 'before', partition: 0 }]);
    await stored('before');
    await waitFor(async () => (await kafka.committed(group, TOPIC))[0] === 1, {
      describe: 'the first to be committed',
    });
    await kafka.produce(TOPIC, [{ key: 'k', value: 'die', partition: 0 }]);
    expect(await child.exited).toMatchObject({ signal: 'SIGKILL' });
    expect(await valuesOf(test.database)).toEqual(['before']);
    expect((await kafka.committed(group, TOPIC))[0]).toBe(1);
    await consumer().start();
    await kafka.produce(TOPIC, [{ key: 'k', value: 'after', partition: 0 }]);
    await stored('after');
    expect(await valuesOf(test.database)).toEqual(['before', 'die', 'after']);
  });

  it('killed by SIGKILL while idle delays the next member by its session time-out at most', async () => {
    // With this time-out, a start that waited for the rebalance would not be ready before the test ends.
    const timings = { sessionMs: 10_000, rebalanceMs: 300_000 };
    const child = await startProcess(timings);
    await saying(child, 'Consuming');
    child.signal('SIGKILL');
    await child.exited;
    const next = consumer({ timings });
    expect(next.server.waitsFor).toBe(
      'the consumer group: the wait for a member that died takes at most 10 s, for one that died while it joined at most 300 s',
    );
    await next.start();
    await kafka.produce(TOPIC, [{ key: 'k', value: 'after', partition: 0 }]);
    await stored('after');
  });

  it('ends with code 1 if kafkajs gives up for good', async () => {
    // A member with another assignment protocol: the broker rejects every other member for good.
    const stranger = kafka.client().consumer({
      groupId: group,
      partitionAssigners: [
        () => ({
          name: 'Stranger',
          version: 0,
          assign: async () => [],
          protocol: () => ({ name: 'Stranger', metadata: Buffer.alloc(0) }),
        }),
      ],
    });
    await stranger.connect();
    await stranger.subscribe({ topic: kafka.prefix + TOPIC });
    await stranger.run({ eachMessage: async () => {} });
    const child = await startProcess();
    expect(await child.exited).toEqual({ code: 1, signal: null });
    expect(await child.output()).toContain('The consumer failed for good');
    await stranger.disconnect();
  });

  it('ends if a handler does not end, although its heartbeats continue', async () => {
    const { logger, lines } = recordingLogger();
    const never = Promise.withResolvers<void>();
    const hung = consumer({ timings: { stuckMs: 10_000, handlerMs: 2_000 }, logger, handle: () => never.promise });
    await hung.start();
    await kafka.produce(TOPIC, [{ key: 'k', value: 'v', partition: 0 }]);
    await waitFor(() => hung.exits.length > 0, { describe: 'the process to end' });
    expect(hung.exits).toEqual([1]);
    expect(lines.map(({ msg }) => msg)).toContainEqual(expect.stringContaining('A handler does not end'));
    expect((await kafka.committed(group, TOPIC))[0]).toBe(-1);
    never.resolve();
  });

  it('does not end after it was suspended: it joins again and continues', async () => {
    // Kafka is away for longer than the consumer may go without a sign of life.
    const child = await startProcess({ sessionMs: 20_000, stuckMs: 15_000 });
    await saying(child, 'Consuming');
    child.freeze();
    await waitFor(async () => (await kafka.admin.describeGroups([group])).groups[0]?.members.length === 0, {
      describe: 'the group to drop the member',
    });
    child.thaw();
    await kafka.produce(TOPIC, [{ key: 'k', value: 'after', partition: 0 }]);
    await stored('after');
    expect(child.hasExited()).toBe(false);
  });
});

function saying(child: Child, text: string): Promise<unknown> {
  return waitFor(async () => (await child.output()).includes(text), {
    describe: `the process to say "${text}"`,
  });
}
