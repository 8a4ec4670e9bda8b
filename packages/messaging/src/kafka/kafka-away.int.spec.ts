import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { type KafkaServer, startKafka } from '@gondola/local-stack/kafka';
import { waitFor } from '@gondola/local-stack/wait-for';

import { recordingLogger } from '../testing/quiet-logger.ts';
import { createFacts, testConsumer, valuesOf } from '../testing/test-consumer.ts';
import { openTestDatabase, type TestDatabase } from '../testing/test-database.ts';
import { openTestKafka } from '../testing/test-kafka.ts';

const TOPIC = 'erp.orders.commands.v1';

/** A Kafka of its own, because it is frozen and killed. */
describe('a consumer whose Kafka is away', () => {
  let server: KafkaServer;
  let test: TestDatabase;

  beforeAll(async () => {
    server = await startKafka();
    test = await openTestDatabase('kafka-away');
    await createFacts(test.database);
  }, 180_000);

  afterAll(async () => {
    await server.stop();
    await test.close();
  });

  it('ends the process when it hears nothing from a frozen one any more', async () => {
    const kafka = await openTestKafka('kafka-frozen', [TOPIC], server.brokers);
    const { logger, lines } = recordingLogger();
    const stuck = testConsumer({ kafka, database: test.database, timings: { stuckMs: 2_000 }, logger });
    await stuck.start();
    expect(stuck.exits).toEqual([]);
    server.freeze();
    try {
      await waitFor(() => stuck.exits.length > 0, { describe: 'the process to end' });
      expect(stuck.exits).toEqual([1]);
      expect(lines.map(({ msg }) => msg)).toContainEqual(expect.stringContaining('shows no sign of life'));
    } finally {
      server.thaw();
      await Promise.all([stuck.stop(), kafka.close()]);
    }
  }, 180_000);

  it('does not end the process for a killed one, and goes on where it was when Kafka is back', async () => {
    const kafka = await openTestKafka('kafka-away', [TOPIC], server.brokers);
    const { logger, lines } = recordingLogger();
    const consumer = testConsumer({ kafka, database: test.database, logger });
    await consumer.start();
    await kafka.produce(TOPIC, [{ key: 'k', value: 'before', partition: 0 }]);
    await waitFor(async () => (await kafka.committed(consumer.group, TOPIC))[0] === 1, {
      describe: 'the first to be committed',
    });
    await server.kill();
    await waitFor(() => lines.some(({ msg }) => msg === 'The consumer failed and restarts'), {
      describe: 'kafkajs to give up and start anew',
      timeoutMs: 60_000,
    });
    const heartbeats = consumer.heartbeats();
    await server.restart();
    await kafka.produce(TOPIC, [{ key: 'k', value: 'after', partition: 0 }]);
    await waitFor(async () => (await valuesOf(test.database)).length === 2, {
      describe: 'the second',
      timeoutMs: 60_000,
    });
    expect(await valuesOf(test.database)).toEqual(['before', 'after']);
    await waitFor(() => consumer.heartbeats() > heartbeats, { describe: 'heartbeats' });
    expect(consumer.exits).toEqual([]);
    await consumer.stop();
    await kafka.close();
  }, 150_000);
});
