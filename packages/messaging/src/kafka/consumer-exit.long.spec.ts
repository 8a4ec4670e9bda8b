import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';

import { waitFor } from '@gondola/local-stack/wait-for';

import type { ConsumerTimings } from './consumer-timings.ts';
import { type Child, startChild } from '../testing/child-process.ts';
import type { ConsumerProcessOptions } from '../testing/consumer.main.ts';
import { recordingLogger } from '../testing/quiet-logger.ts';
import {
  createFacts,
  TEST_TIMINGS,
  testConsumer,
  type TestConsumer,
  type TestConsumerOptions,
  valuesOf,
} from '../testing/test-consumer.ts';
import { openTestDatabase, type TestDatabase } from '../testing/test-database.ts';
import { openTestKafka, type TestKafka } from '../testing/test-kafka.ts';

const TOPIC = 'erp.orders.commands.v1';

/** A process that lives on without consuming looks healthy and loses hours; one that ends is started again. */
describe('a consumer exits rather than live on deaf', () => {
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
    const child = await startChild('consumer.main.ts', options);
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

  it('killed by SIGKILL in the middle of a transaction, it leaves the offset, and the next member stores the records once', async () => {
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
  }, 180_000);

  it('killed by SIGKILL while idle, it is waited for as long as its session, and no longer', async () => {
    // Whoever waited for the rebalance would be far from ready when the test ends.
    const timings = { sessionMs: 2_000, rebalanceMs: 300_000 };
    const child = await startProcess(timings);
    await saying(child, 'Consuming');
    child.signal('SIGKILL');
    await child.exited;
    const next = consumer({ timings });
    expect(next.server.waitsFor).toBe(
      'the consumer group: a member that died is waited for at most 2 s, one that died while it joined at most 300 s',
    );
    await next.start();
    await kafka.produce(TOPIC, [{ key: 'k', value: 'after', partition: 0 }]);
    await stored('after');
  }, 180_000);

  it('ends with code 1 when kafkajs gives up for good', async () => {
    // A member that assigns partitions by another protocol: whoever else wants to join is refused, for good.
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
  }, 180_000);

  it('ends when a handler does not end, although its heartbeats go on', async () => {
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

  it('does not end because it was suspended itself: it joins again and goes on', async () => {
    // It is away for longer than it may be without a sign of life.
    const child = await startProcess({ sessionMs: 6_000, stuckMs: 5_000 });
    await saying(child, 'Consuming');
    child.freeze();
    await waitFor(async () => (await kafka.admin.describeGroups([group])).groups[0]?.members.length === 0, {
      describe: 'the group to drop the member',
      timeoutMs: 60_000,
    });
    child.thaw();
    await kafka.produce(TOPIC, [{ key: 'k', value: 'after', partition: 0 }]);
    await stored('after');
    expect(child.hasExited()).toBe(false);
  }, 180_000);
});

function saying(child: Child, text: string): Promise<unknown> {
  return waitFor(async () => (await child.output()).includes(text), {
    describe: `the process to say "${text}"`,
    timeoutMs: 60_000,
  });
}
