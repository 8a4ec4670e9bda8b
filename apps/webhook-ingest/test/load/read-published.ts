import { createHash } from 'node:crypto';
import { Kafka, logLevel } from 'kafkajs';
import { uniquePrefix } from '@gondola/local-stack/test-stack';
import { waitFor } from '@gondola/local-stack/wait-for';
import type { ToldRecord } from './published-as-sent.ts';

/** All current records of these topics. Values are reduced to their hashes. */
export async function readTold(brokers: string, topics: readonly string[]): Promise<ToldRecord[]> {
  const kafka = new Kafka({ brokers: brokers.split(','), logLevel: logLevel.NOTHING });
  const ends = await endsOf(kafka, topics);
  const expected = [...ends.values()].reduce((sum, end) => sum + end, 0);
  const told = new Map<string, ToldRecord>();
  const consumer = kafka.consumer({ groupId: uniquePrefix('told'), maxWaitTimeInMs: 100 });
  await consumer.connect();
  try {
    await consumer.subscribe({ topics: [...topics], fromBeginning: true });
    await consumer.run({
      eachMessage: async ({ topic, partition, message: { offset, key, value, headers = {} } }) => {
        const place = `${topic}/${partition}`;
        if (Number(offset) >= (ends.get(place) ?? 0)) return;
        told.set(`${place}/${offset}`, {
          topic,
          partition,
          offset: Number(offset),
          key: key?.toString() ?? null,
          id: String(headers['ce_id']),
          operationId: String(headers['ce_operationid']),
          hash: createHash('sha256')
            .update(value ?? '')
            .digest('hex'),
        });
      },
    });
    await waitFor(() => told.size >= expected || Promise.reject(new Error(`${told.size} of ${expected} read`)), {
      describe: 'all records of the topics to be read',
    });
  } finally {
    await consumer.disconnect();
  }
  return [...told.values()];
}

async function endsOf(kafka: Kafka, topics: readonly string[]): Promise<Map<string, number>> {
  const admin = kafka.admin();
  await admin.connect();
  try {
    return await waitFor(
      async () => {
        const offsets = await Promise.all(
          topics.map(async (topic) => (await admin.fetchTopicOffsets(topic)).map((of) => ({ topic, ...of }))),
        );
        return new Map(offsets.flat().map(({ topic, partition, high }) => [`${topic}/${partition}`, Number(high)]));
      },
      { describe: 'the ends of the topics' },
    );
  } finally {
    await admin.disconnect();
  }
}
