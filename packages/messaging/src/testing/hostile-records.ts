import type { Kafka } from 'kafkajs';

import { testStack } from '@gondola/local-stack/test-stack';
import { waitFor } from '@gondola/local-stack/wait-for';
import { fullTopicName, type TopicName } from '@gondola/shared/topics/topics';

import { createKafka } from '../kafka/kafka-client.ts';
import { quietLogger } from './quiet-logger.ts';
import { brokenLz4, COMPRESSION_NAMES, COMPRESSIONS, compressingBy } from './test-codecs.ts';

/** Names that every object has anyway. */
const HEADER_NAMES = ['constructor', '__proto__', 'toString', 'valueOf'];
const PARTITION = 0;

/** What `sendHostileRecords` makes of each topic: reason codes of its dead letters, in the order of their offsets. */
export const HOSTILE_REASON_CODES = ['NOT_JSON', 'BATCH_UNREADABLE', ...COMPRESSION_NAMES.map(() => 'NOT_JSON')];

/**
 * Sends to one partition of `topic` what was once able to stop a consumer: a record whose headers are named like what
 * every object has, a batch with a broken compressed body that the broker takes, and what is no JSON, by every codec.
 * Resolves when `group` has committed all of it.
 */
export async function sendHostileRecords(prefix: string, topic: TopicName, group: string): Promise<void> {
  const kafka: Kafka = createKafka(
    { brokers: testStack().kafkaBrokers.split(','), ssl: false },
    'hostile',
    quietLogger(),
  );
  const producer = kafka.producer({ allowAutoTopicCreation: false });
  const admin = kafka.admin();
  await Promise.all([producer.connect(), admin.connect()]);
  try {
    const name = fullTopicName(prefix, topic);
    const headers = Object.fromEntries(HEADER_NAMES.map((each) => [each, each]));
    const message = { key: 'k', value: 'no JSON', partition: PARTITION };
    await producer.send({ topic: name, messages: [{ ...message, headers }] });
    for (const compression of [brokenLz4, ...Object.values(COMPRESSIONS)]) {
      await compressingBy(compression, (by) => producer.send({ topic: name, messages: [message], compression: by }));
    }
    const end = (await admin.fetchTopicOffsets(name)).find(({ partition }) => partition === PARTITION)!.offset;
    const isCommitted = async (): Promise<boolean> => {
      const [found] = await admin.fetchOffsets({ groupId: group, topics: [name] });
      return found?.partitions.find(({ partition }) => partition === PARTITION)?.offset === end;
    };
    await waitFor(isCommitted, { describe: `${group} to commit ${name} up to ${end}` });
  } finally {
    await Promise.all([producer.disconnect(), admin.disconnect()]);
  }
}
