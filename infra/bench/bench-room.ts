import { randomUUID } from 'node:crypto';
import { createKafka } from '@gondola/kafka/client/kafka-client';
import { provisionTopics } from '@gondola/kafka/topics/topic-provisioning';
import { Database } from '@gondola/service-kit/database/database';
import { createLogger } from '@gondola/service-kit/logging/logger';
import type { MigrationClass } from '@gondola/service-kit/database/migrations';
import type { TopicName } from '@gondola/shared/topics/topics';
import type { Servers } from './bench.ts';

const PARTITIONS = 3;

/** The bench's own connections: a schema with tables, topics, and a Kafka client. */
export type BenchRoom = Awaited<ReturnType<typeof openRoom>>;

export async function openRoom(servers: Servers, topics: TopicName[], migrations: MigrationClass[] = []) {
  const logger = createLogger({ app: 'bench', level: 'error' });
  const database = new Database({ url: servers.databaseUrl, schema: 'bench', migrations, logger });
  await database.connect();
  const kafka = createKafka({ brokers: servers.kafkaBrokers.split(','), ssl: false }, 'bench', logger);
  await provisionTopics({ kafka, prefix: '', partitions: PARTITIONS, replicationFactor: -1, topics });
  const producer = kafka.producer({ allowAutoTopicCreation: false, maxInFlightRequests: 1 });
  await producer.connect();
  const close = async (): Promise<void> => {
    await producer.disconnect();
    await database.close();
  };
  return { logger, database, kafka, producer, close };
}

export interface Arrivals {
  /** Time at which each record of a topic was read, by its key, or by the id of its command. */
  readonly at: ReadonlyMap<string, number>;
  stop(): Promise<void>;
}

/** Reads a topic from its beginning until it is stopped. */
export async function watchArrivals(
  { kafka }: BenchRoom,
  topic: TopicName,
  by: 'key' | 'command' = 'key',
): Promise<Arrivals> {
  const consumer = kafka.consumer({ groupId: `bench-${randomUUID()}` });
  await consumer.connect();
  await consumer.subscribe({ topic, fromBeginning: true });
  const at = new Map<string, number>();
  await consumer.run({
    autoCommit: false,
    eachBatch: async ({ batch }) => {
      const now = performance.now();
      for (const { key, headers } of batch.messages) {
        at.set(String(by === 'key' ? key : headers?.['ce_commandid']), now);
      }
    },
  });
  return { at, stop: () => consumer.disconnect() };
}
