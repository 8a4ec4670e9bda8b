import { Registry } from 'prom-client';

import { Database } from '@gondola/service-kit/database/database';
import { createLogger } from '@gondola/service-kit/logging/logger';
import type { TopicName } from '@gondola/shared/topics/topics';

import type { ConsumerTimings } from '@gondola/kafka/server/consumer-timings';
import { KafkaBatchServer } from '@gondola/kafka/server/kafka-batch-server';
import { createKafka } from '@gondola/kafka/client/kafka-client';
import { messagingMigrations } from '../messaging-tables.ts';
import { MessagingMetrics } from '@gondola/kafka/metrics/messaging-metrics';
import type { RecordBatch } from '@gondola/kafka/server/topic-handler';

export interface ConsumerProcessOptions {
  readonly brokers: readonly string[];
  readonly prefix: string;
  readonly group: string;
  readonly topic: TopicName;
  readonly databaseUrl: string;
  readonly schema: string;
  readonly timings: Partial<ConsumerTimings>;
}

/**
 * A consumer in a separate process. It stores values in the table `facts`; the value `die` ends the process by
 * SIGKILL in the middle of the transaction.
 */
await run(JSON.parse(process.argv[2] ?? '') as ConsumerProcessOptions);

async function run({
  brokers,
  prefix,
  group,
  topic,
  databaseUrl,
  schema,
  timings,
}: ConsumerProcessOptions): Promise<void> {
  const logger = createLogger({ app: 'consumer', level: 'info' });
  const database = new Database({ url: databaseUrl, schema, migrations: messagingMigrations });
  await database.connect();
  const server = new KafkaBatchServer({
    app: 'consumer',
    kafka: createKafka({ brokers, ssl: false }, 'consumer', logger),
    topicPrefix: prefix,
    group,
    reads: [topic],
    metrics: new MessagingMetrics(new Registry()),
    logger,
    timings,
  });
  const store = async ({ partition, records }: RecordBatch): Promise<void> => {
    await database.transaction(async (tx) => {
      for (const { offset, value } of records) {
        await tx.query(
          'INSERT INTO facts (topic, partition, "offset", value) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING',
          [topic, partition, offset, value],
        );
        if (value?.toString() === 'die') process.kill(process.pid, 'SIGKILL');
      }
    });
  };
  server.addHandler(topic, store, true);
  await server.start();
  logger.info('Consuming');
}
