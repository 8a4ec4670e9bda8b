import { testStack } from '@gondola/local-stack/test-stack';
import { type ReadRecord, readTopics } from '@gondola/local-stack/testing/topic-reader';
import { fullTopicName, TOPIC_NAMES } from '@gondola/shared/topics/topics';

import { createKafka } from '../client/kafka-client.ts';
import { contractProblems } from './contract-problems.ts';
import { quietLogger } from './quiet-logger.ts';

/**
 * Every record in the topics of an installation, in both directions.
 *
 * @throws if one does not match the contract's schemas
 */
export async function readByContract(
  prefix: string,
  { kafkaBrokers }: { readonly kafkaBrokers: string } = testStack(),
): Promise<readonly ReadRecord[]> {
  const topics = TOPIC_NAMES.map((topic) => fullTopicName(prefix, topic));
  const last = await lastPositions(kafkaBrokers, topics);
  const reader = await readTopics(kafkaBrokers, topics, contractProblems(prefix));
  try {
    return await reader.waitForRecords((records) => {
      const read = new Set(records.map(({ topic, partition, offset }) => `${topic}/${partition}/${offset}`));
      return last.every((position) => read.has(position));
    });
  } finally {
    await reader.close();
  }
}

/** Position of the last record of each partition that has any. */
async function lastPositions(kafkaBrokers: string, topics: readonly string[]): Promise<string[]> {
  const admin = createKafka({ brokers: kafkaBrokers.split(','), ssl: false }, 'reader', quietLogger()).admin();
  await admin.connect();
  try {
    const offsets = topics.map(async (topic) => ({ topic, partitions: await admin.fetchTopicOffsets(topic) }));
    return (await Promise.all(offsets)).flatMap(({ topic, partitions }) =>
      partitions
        .filter(({ high, low }) => high !== low)
        .map(({ partition, high }) => `${topic}/${partition}/${Number(high) - 1}`),
    );
  } finally {
    await admin.disconnect();
  }
}
