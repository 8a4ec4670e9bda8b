import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Registry } from 'prom-client';

import { hostEnvironment } from '@gondola/local-stack/host-environment';
import { type KafkaServer, startKafka } from '@gondola/local-stack/kafka';
import { ensureKafkaJars, kafkaJarsFolder } from '@gondola/local-stack/kafka-jars';
import { waitFor } from '@gondola/local-stack/wait-for';
import { ConsumerLag } from '@gondola/kafka/server/consumer-lag';
import { KafkaSender } from '@gondola/kafka/produce/kafka-sender';
import { MessagingMetrics } from '@gondola/kafka/metrics/messaging-metrics';
import { createFacts, readFacts, testConsumer } from '../testing/test-consumer.ts';
import { openTestDatabase, type TestDatabase } from '../testing/test-database.ts';
import { openTestKafka, type TestKafka } from '@gondola/kafka/testing/test-kafka';

const READ = 'erp.orders.commands.v1';
const WRITTEN = 'erp.orders.results.v1';

/** The last release of the line before, and the newest one. All other suites run on the version of the local stack. */
const VERSIONS = ['3.9.2', '4.4.0'];

async function isFetched(version: string): Promise<boolean> {
  const options = { folder: kafkaJarsFolder(version), env: hostEnvironment(), log: () => {}, version };
  return ensureKafkaJars(options).then(
    () => true,
    () => false,
  );
}

const fetched = new Set<string>();
for (const version of VERSIONS) if (await isFetched(version)) fetched.add(version);
for (const version of VERSIONS)
  (fetched.has(version) ? describe : describe.skip)(`on Kafka ${version}, which Maven fetches`, () => {
    let server: KafkaServer;
    let kafka: TestKafka;
    let test: TestDatabase;

    beforeAll(async () => {
      [server, test] = await Promise.all([startKafka({ version }), openTestDatabase('other-brokers')]);
      await createFacts(test.database);
      kafka = await openTestKafka('other-brokers', [READ, WRITTEN], server.brokers);
    });

    afterAll(async () => {
      await kafka?.close();
      await server?.stop();
      await test?.close();
    });

    it('topics are created and sent to, and every record that was read is stored', async () => {
      const sender = new KafkaSender(kafka.client(), kafka.prefix);
      const record = { topic: WRITTEN, key: Buffer.from('k'), value: Buffer.from('{}'), headers: [] };
      const { places, refusals } = await sender.send([record] as never);
      await sender.close();
      expect(refusals.size).toBe(0);
      expect(places).toMatchObject([{ topic: WRITTEN, offset: 0n }]);

      const consumer = testConsumer({ kafka, database: test.database });
      await consumer.start();
      await kafka.produce(
        READ,
        [0, 1, 2].map((partition) => ({ key: `k${partition}`, value: '{"v":1}', partition })),
      );
      await waitFor(async () => (await readFacts(test.database)).length === 3, {
        describe: 'the records to be stored',
      });
      const lag = new ConsumerLag(
        { topicPrefix: kafka.prefix, group: consumer.group, reads: [READ] },
        { for: () => kafka.client() },
        new MessagingMetrics(new Registry()),
      );
      await waitFor(() => lag.check().then(() => lag.consumedUpTo() !== null), { describe: 'no lag' });
      await lag.close();
      await consumer.stop();
    });

    it('records that a transaction rolled back are not read, and those behind it are', async () => {
      const transactionalId = `${kafka.prefix}aborted`;
      const producer = kafka.client().producer({ transactionalId, maxInFlightRequests: 1, idempotent: true });
      await producer.connect();
      const topic = kafka.prefix + READ;
      const aborted = await producer.transaction();
      await aborted.send({ topic, messages: [{ key: 'aborted', value: '{}', partition: 0 }] });
      await aborted.abort();
      const committed = await producer.transaction();
      await committed.send({ topic, messages: [{ key: 'committed', value: '{}', partition: 0 }] });
      await committed.commit();
      await producer.disconnect();

      const consumer = testConsumer({ kafka, database: test.database });
      await consumer.start();
      const keys = async () => (await readFacts(test.database)).map(({ key }) => String(key));
      await waitFor(async () => (await keys()).includes('committed'), { describe: 'the committed record' });
      await consumer.stop();
      expect(await keys()).not.toContain('aborted');
    });
  });
