import type { Admin, Kafka, Producer } from 'kafkajs';

import { deleteTopics, testStack, uniquePrefix } from '@gondola/local-stack/test-stack';
import { waitFor } from '@gondola/local-stack/wait-for';
import type { KafkaConfig } from '@gondola/service-kit/config/config-shapes';
import { fullTopicName, type TopicName } from '@gondola/shared/topics/topics';

import { CONSUMER_TIMINGS } from '../server/consumer-timings.ts';
import { createKafka } from '../client/kafka-client.ts';
import type { RawHeaders } from '../records/record-codec.ts';
import { toKafkaHeaders } from './wire-message.ts';
import { provisionTopics } from '../topics/topic-provisioning.ts';
import { quietLogger } from './quiet-logger.ts';

export const TEST_PARTITIONS = 3;
/**
 * For the sender of a relay: longer than a busy machine stalls, so that no send is repeated; shorter than the silence
 * after which the relay loses its lock.
 */
export const TEST_SEND_TIMEOUT_MS = 18_000;
/** Kafka's default; the test stack's limit is larger. */
const KAFKA_MAX_BYTES = '1048588';

/** A record as an ERP sends it. */
export interface TestRecord {
  readonly key: string | Buffer | null;
  readonly value: string | Buffer | null;
  readonly headers?: RawHeaders;
  readonly partition?: number;
}

/** Topics for one suite on the test stack's Kafka. */
export interface TestKafka {
  readonly config: KafkaConfig;
  readonly prefix: string;
  readonly admin: Admin;
  client(): Kafka;
  /**
   * Creates a topic with Kafka's defaults instead of the catalog's settings; resolves once its partitions have
   * leaders.
   */
  createPlain(topic: TopicName, partitions: number): Promise<void>;
  produce(topic: TopicName, records: readonly TestRecord[]): Promise<void>;
  /** Offset at which the group continues, by partition; -1 if it committed none. */
  committed(group: string, topic: TopicName): Promise<number[]>;
  /** Number of records ever written, by partition. */
  ends(topic: TopicName): Promise<number[]>;
  close(): Promise<void>;
}

export async function openTestKafka(
  label: string,
  topics: readonly TopicName[],
  kafkaBrokers = testStack().kafkaBrokers,
): Promise<TestKafka> {
  const prefix = uniquePrefix(label);
  const config: KafkaConfig = {
    brokers: kafkaBrokers.split(','),
    ssl: false,
    topicPrefix: prefix,
    partitions: TEST_PARTITIONS,
    sessionMs: CONSUMER_TIMINGS.sessionMs,
  };
  const client = (): Kafka => createKafka(config, 'messaging-tests', quietLogger());
  await provisionTopics({ kafka: client(), prefix, partitions: TEST_PARTITIONS, replicationFactor: -1, topics });
  const admin = client().admin();
  // Idempotent: kafkajs repeats a whole request if one of its partitions had no leader, and the others would then
  // have their records twice.
  const producer = client().producer({ allowAutoTopicCreation: false, idempotent: true });
  await Promise.all([admin.connect(), producer.connect()]);
  return {
    config,
    prefix,
    admin,
    client,
    createPlain: async (topic, numPartitions) => {
      const name = fullTopicName(prefix, topic);
      const configEntries = [{ name: 'max.message.bytes', value: KAFKA_MAX_BYTES }];
      // kafkajs' own wait for leaders fails if the broker does not know the topic yet.
      await admin.createTopics({ topics: [{ topic: name, numPartitions, configEntries }], waitForLeaders: false });
      await waitFor(() => admin.fetchTopicOffsets(name), { describe: `the leaders of ${name}` });
    },
    produce: (topic, records) => send(producer, fullTopicName(prefix, topic), records),
    committed: async (group, topic) => {
      const [found] = await admin.fetchOffsets({ groupId: group, topics: [fullTopicName(prefix, topic)] });
      return byPartition(found?.partitions ?? []);
    },
    ends: async (topic) => byPartition(await admin.fetchTopicOffsets(fullTopicName(prefix, topic))),
    close: async () => {
      await producer.disconnect();
      await admin.disconnect();
      await deleteTopics(kafkaBrokers, prefix);
    },
  };
}

async function send(producer: Producer, topic: string, records: readonly TestRecord[]): Promise<void> {
  const messages = records.map(({ key, value, headers, partition }) => ({
    key,
    value,
    ...(headers === undefined ? {} : { headers: toKafkaHeaders(headers) }),
    ...(partition === undefined ? {} : { partition }),
  }));
  await producer.send({ topic, messages });
}

function byPartition(partitions: ReadonlyArray<{ partition: number; offset: string }>): number[] {
  return partitions.toSorted((one, other) => one.partition - other.partition).map(({ offset }) => Number(offset));
}
