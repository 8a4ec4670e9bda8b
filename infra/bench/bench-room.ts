import { randomBytes } from 'node:crypto';
import { createKafka } from '@gondola/messaging/kafka/kafka-client';
import { toKafkaHeaders, type WireRecord } from '@gondola/messaging/codec/record-codec';
import { provisionTopics } from '@gondola/messaging/kafka/topic-provisioning';
import { Database } from '@gondola/service-kit/database/database';
import { createLogger } from '@gondola/service-kit/logging/logger';
import type { MigrationClass } from '@gondola/service-kit/database/migrations';
import type { TopicName } from '@gondola/shared/topics/topics';
import type { Servers } from './bench.ts';

export const PREFIX = 'bench-';
const PARTITIONS = 3;
const VALUE_BYTES = 6_000;
/** As many records of that size as the relay publishes at once. */
const BATCH = 150;

/** A schema with tables, a topic, and a Kafka client, for one contest. */
export type BenchRoom = Awaited<ReturnType<typeof openRoom>>;

export async function openRoom(servers: Servers, schema: string, migrations: MigrationClass[], topic: TopicName) {
  const logger = createLogger({ app: 'bench', level: 'error' });
  const database = new Database({ url: servers.databaseUrl, schema, migrations, logger });
  await database.connect();
  const kafka = createKafka({ brokers: servers.kafkaBrokers.split(','), ssl: false }, 'bench', logger);
  await provisionTopics({ kafka, prefix: PREFIX, partitions: PARTITIONS, replicationFactor: -1, topics: [topic] });
  const producer = kafka.producer({ allowAutoTopicCreation: false, maxInFlightRequests: 1 });
  await producer.connect();
  const close = async (): Promise<void> => {
    await producer.disconnect();
    await database.close();
  };
  return { logger, database, kafka, producer, close };
}

/** About 6 kB of text that does not compress. */
export function orderBody(): Buffer {
  return Buffer.from(randomBytes(VALUE_BYTES * 0.75).toString('base64'));
}

/**
 * The baseline: plain kafkajs, acks of all, one request at a time. Records are created for each request, because a
 * heap full of prepared ones would slow it down. Returns records per second.
 */
export async function sendBare({ producer }: BenchRoom, count: number, recordAt: (index: number) => WireRecord) {
  const topic = `${PREFIX}${recordAt(0).topic}`;
  const startedAt = performance.now();
  for (let start = 0; start < count; start += BATCH) {
    const records = Array.from({ length: Math.min(BATCH, count - start) }, (_, index) => recordAt(start + index));
    const messages = records.map(({ key, value, headers }) => ({ key, value, headers: toKafkaHeaders(headers) }));
    await producer.send({ topic, acks: -1, messages });
  }
  return (count * 1_000) / (performance.now() - startedAt);
}
