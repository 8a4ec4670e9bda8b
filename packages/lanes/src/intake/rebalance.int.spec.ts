import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';

import { waitFor } from '@gondola/local-stack/wait-for';

import {
  createFacts,
  testConsumer,
  type TestConsumer,
  type TestConsumerOptions,
  valuesOf,
} from '../testing/test-consumer.ts';
import { openTestDatabase, type TestDatabase } from '../testing/test-database.ts';
import { openTestKafka, type TestKafka } from '@gondola/kafka/testing/test-kafka';

const TOPIC = 'erp.orders.commands.v1';
const URGENT_TOPIC = 'erp.files.results.v1';
const PARTITIONS = [0, 1, 2];

/** A member whose first batch waits until the test releases it. */
interface HeldMember {
  readonly consumer: TestConsumer;
  readonly isHolding: () => boolean;
  readonly release: () => void;
  /** The batches that it stored, as `<partition>@<first offset>`. */
  readonly stored: string[];
}

describe('a rebalance while a handler runs', () => {
  let kafka: TestKafka;
  let test: TestDatabase;
  let consumers: TestConsumer[];

  beforeAll(async () => {
    test = await openTestDatabase('rebalance');
    await createFacts(test.database);
  });

  beforeEach(async () => {
    kafka = await openTestKafka('rebalance', [TOPIC, URGENT_TOPIC]);
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

  function member(more: Partial<TestConsumerOptions>): TestConsumer {
    const consumer = testConsumer({ kafka, database: test.database, ...more });
    consumers.push(consumer);
    return consumer;
  }

  async function startHeld(more: Partial<TestConsumerOptions> = {}): Promise<HeldMember> {
    const gate = Promise.withResolvers<void>();
    const stored: string[] = [];
    let holding = 0;
    const consumer = member({
      ...more,
      handle: async (batch, store) => {
        holding += 1;
        await gate.promise;
        await store(batch);
        stored.push(`${batch.partition}@${batch.records[0]?.offset}`);
      },
    });
    await consumer.start();
    return { consumer, isHolding: () => holding > 0, release: gate.resolve, stored };
  }

  async function produce(label: string): Promise<void> {
    await kafka.produce(
      TOPIC,
      PARTITIONS.map((partition) => ({ key: 'k', value: `${label}:${partition}`, partition })),
    );
  }

  async function untilCommitted(group: string, offset: number): Promise<void> {
    await waitFor(async () => (await kafka.committed(group, TOPIC)).every((each) => each === offset), {
      describe: `offset ${offset} to be committed everywhere`,
    });
  }

  it('lets the handler finish and commit before the partitions move, so that each record is handled once', async () => {
    const first = await startHeld();
    await produce('before');
    await waitFor(first.isHolding, { describe: 'a batch to be under way' });
    const second = member({ group: first.consumer.group });
    const joined = second.start();
    await waitFor(async () => (await stateOf(kafka, first.consumer.group)) === 'PreparingRebalance', {
      describe: 'the group to rebalance',
    });
    expect(await valuesOf(test.database)).toEqual([]);
    first.release();
    await joined;
    await produce('after');
    await untilCommitted(second.group, 2);
    const facts = await valuesOf(test.database);
    expect(facts).toHaveLength(PARTITIONS.length * 2);
    for (const partition of PARTITIONS) {
      expect(await valuesOf(test.database, partition)).toEqual([`before:${partition}`, `after:${partition}`]);
    }
    expect(new Set(first.stored).size).toBe(first.stored.length);
    expect([...first.consumer.exits, ...second.exits]).toEqual([]);
  });

  it('moves the partitions if the handler takes too long; its late save and commit do no harm', async () => {
    const first = await startHeld({ timings: { rebalanceMs: 1_000 } });
    await produce('before');
    await waitFor(first.isHolding, { describe: 'a batch to be under way' });
    const second = member({ group: first.consumer.group, timings: { rebalanceMs: 1_000 } });
    await second.start();
    await untilCommitted(second.group, 1);
    await produce('between');
    await untilCommitted(second.group, 2);
    first.release();
    await waitFor(() => first.stored.length > 0, { describe: 'the late batch to be stored again' });
    await waitFor(async () => (await kafka.admin.describeGroups([second.group])).groups[0]?.members.length === 2, {
      describe: 'the first member to be back',
    });
    await produce('after');
    await untilCommitted(second.group, 3);
    for (const partition of PARTITIONS) {
      const values = await valuesOf(test.database, partition);
      expect(values).toEqual([`before:${partition}`, `between:${partition}`, `after:${partition}`]);
    }
    expect([...first.consumer.exits, ...second.exits]).toEqual([]);
  });

  it('does not wait for a handler beside an urgent topic; its late save does no harm', async () => {
    const topics = { reads: [TOPIC, URGENT_TOPIC], urgent: [URGENT_TOPIC] } as const;
    const first = await startHeld(topics);
    await produce('before');
    await waitFor(first.isHolding, { describe: 'a batch to be under way' });
    const second = member({ ...topics, group: first.consumer.group });
    await second.start();
    await produce('between');
    await waitFor(async () => (await valuesOf(test.database)).length > 0, { describe: 'a partition that moved' });
    expect(first.stored).toEqual([]);
    first.release();
    await untilCommitted(second.group, 2);
    await produce('after');
    await untilCommitted(second.group, 3);
    for (const partition of PARTITIONS) {
      const values = await valuesOf(test.database, partition);
      expect(values).toEqual([`before:${partition}`, `between:${partition}`, `after:${partition}`]);
    }
    expect([...first.consumer.exits, ...second.exits]).toEqual([]);
  });
});

async function stateOf({ admin }: TestKafka, group: string): Promise<string | undefined> {
  return (await admin.describeGroups([group])).groups[0]?.state;
}
