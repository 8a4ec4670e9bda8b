import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Registry } from 'prom-client';

import { waitFor } from '@gondola/local-stack/wait-for';

import { ConsumedRecords, LagWatch } from '@gondola/kafka/server/consumed-records';
import { ConsumerLag } from '@gondola/kafka/server/consumer-lag';
import { MessagingMetrics } from '@gondola/kafka/metrics/messaging-metrics';
import { createFacts, testConsumer } from '../testing/test-consumer.ts';
import { openTestDatabase, type TestDatabase } from '../testing/test-database.ts';
import { recordingLogger } from '@gondola/kafka/testing/quiet-logger';
import { openTestKafka, type TestKafka } from '@gondola/kafka/testing/test-kafka';

const TOPIC = 'erp.orders.commands.v1';
const OTHER = 'erp.files.commands.v1';

describe('the lag of a consumer group', () => {
  let kafka: TestKafka;
  let test: TestDatabase;

  beforeAll(async () => {
    kafka = await openTestKafka('consumer-lag', [TOPIC, OTHER]);
    test = await openTestDatabase('consumer-lag');
    await createFacts(test.database);
  });

  afterAll(async () => {
    await kafka.close();
    await test.close();
  });

  it('is known without a consumer, and its progress after one has consumed everything (rule 5)', async () => {
    const consumer = testConsumer({ kafka, database: test.database });
    const registry = new Registry();
    const metrics = new MessagingMetrics(registry);
    const options = { topicPrefix: kafka.prefix, group: consumer.group, reads: [TOPIC] } as const;
    const lag = new ConsumerLag(options, { for: () => kafka.client() }, metrics);
    await kafka.produce(
      TOPIC,
      [0, 0, 0, 2].map((partition) => ({ key: 'k', value: 'v', partition })),
    );
    await lag.check();
    const text = await registry.metrics();
    expect(text).toContain(`gondola_consumer_lag_records{topic="${TOPIC}",partition="0"} 3`);
    expect(text).toContain(`gondola_consumer_lag_records{topic="${TOPIC}",partition="1"} 0`);
    expect(text).toContain(`gondola_consumer_lag_records{topic="${TOPIC}",partition="2"} 1`);
    expect(lag.consumedUpTo()).toBeNull();

    const before = Date.now();
    await consumer.start();
    await waitFor(() => lag.check().then(() => (lag.consumedUpTo() ?? 0) >= before), {
      describe: 'the lag to be worked off',
    });
    expect(await registry.metrics()).toContain(`gondola_consumer_lag_records{topic="${TOPIC}",partition="0"} 0`);
    await consumer.stop();
    await lag.close();
  });

  it('is that of each topic, also for two who ask at once', async () => {
    const registry = new Registry();
    const options = { topicPrefix: kafka.prefix, group: 'nobody', reads: [TOPIC, OTHER] } as const;
    const lag = new ConsumerLag(options, { for: () => kafka.client() }, new MessagingMetrics(registry));
    await kafka.produce(OTHER, [{ key: 'k', value: 'v', partition: 1 }]);
    await Promise.all([lag.check(), lag.check()]);
    await lag.close();
    const text = await registry.metrics();
    expect(text).toContain(`gondola_consumer_lag_records{topic="${OTHER}",partition="0"} 0`);
    expect(text).toContain(`gondola_consumer_lag_records{topic="${OTHER}",partition="1"} 1`);
    expect(text).toContain(`gondola_consumer_lag_records{topic="${TOPIC}",partition="1"} 0`);
  });

  it('counts what an open transaction hides, and the log tells of one that lasts, once', async () => {
    const topic = 'erp.catalog.stock.v1';
    await kafka.createPlain(topic, 1);
    const registry = new Registry();
    const options = { topicPrefix: kafka.prefix, group: 'nobody', reads: [topic] } as const;
    const lag = new ConsumerLag(options, { for: () => kafka.client() }, new MessagingMetrics(registry));
    const { logger, lines } = recordingLogger();
    const watch = new LagWatch(lag, new ConsumedRecords(lag), logger);
    const transactionalId = `${kafka.prefix}open`;
    const producer = kafka.client().producer({ transactionalId, maxInFlightRequests: 1, idempotent: true });
    await producer.connect();
    const transaction = await producer.transaction();
    const messages = [1, 2, 3, 4].map((value) => ({ key: 'k', value: String(value) }));
    await transaction.send({ topic: kafka.prefix + topic, messages });

    for (let look = 1; look <= 3; look += 1) await watch.measure();
    expect(await registry.metrics()).toContain(`gondola_consumer_lag_records{topic="${topic}",partition="0"} 4`);
    const hidden = `gondola_consumer_open_transaction_records{topic="${topic}",partition="0"}`;
    expect(await registry.metrics()).toContain(`${hidden} 4`);
    expect(lines.filter(({ msg }) => msg.includes('transaction'))).toMatchObject([
      { level: 'warn', topic, partition: 0, offset: '0', count: 4 },
    ]);
    expect(lag.consumedUpTo()).not.toBeNull();

    await transaction.commit();
    await waitFor(() => watch.measure().then(async () => (await registry.metrics()).includes(`${hidden} 0`)), {
      describe: 'the end of the transaction to be seen',
    });
    await producer.disconnect();
    await lag.close();
  });

  it('is not known of a topic that does not exist', async () => {
    const options = { topicPrefix: kafka.prefix, group: 'nobody', reads: [TOPIC, 'erp.catalog.prices.v1'] } as const;
    const lag = new ConsumerLag(options, { for: () => kafka.client() }, new MessagingMetrics(new Registry()));
    await expect(lag.check()).rejects.toThrow('does not host this topic-partition');
    expect(lag.consumedUpTo()).toBeNull();
    await lag.close();
  });
});
