import { Kafka, logLevel } from 'kafkajs';
import { uniquePrefix } from '../test-stack.ts';
import { waitFor } from '../wait-for.ts';

export interface ReadRecord {
  topic: string;
  partition: number;
  offset: string;
  /** Milliseconds since 1970, as Kafka has it. */
  timestamp: string;
  key: string | null;
  value: Buffer | null;
  headers: Record<string, string>;
}

export interface TopicReader {
  /** Records read so far; those of one partition in their order. */
  records(): ReadRecord[];
  /** Waits until the predicate holds for what has been read, and returns that. */
  waitForRecords(
    predicate: (records: ReadRecord[]) => boolean,
    options?: { describe?: string; timeoutMs?: number },
  ): Promise<ReadRecord[]>;
  close(): Promise<void>;
}

/** Reads existing topics from their beginning, in a consumer group of its own, until closed. For tests. */
export async function readTopics(brokers: string, topics: string[]): Promise<TopicReader> {
  const kafka = new Kafka({ brokers: brokers.split(','), logLevel: logLevel.NOTHING });
  const groupId = uniquePrefix('topic-reader');
  const consumer = kafka.consumer({ groupId, maxWaitTimeInMs: 100 });
  const seen: ReadRecord[] = [];
  await consumer.connect();
  await consumer.subscribe({ topics, fromBeginning: true });
  await consumer.run({
    eachMessage: async ({ topic, partition, message: { offset, timestamp, key, value, headers = {} } }) => {
      const texts = Object.entries(headers).map(([name, header]) => [name, String(header)] as const);
      const record = { topic, partition, offset, timestamp, key: key?.toString() ?? null, value };
      seen.push({ ...record, headers: Object.fromEntries(texts) });
    },
  });
  return {
    records: () => [...seen],
    waitForRecords: async (predicate, { describe = 'the expected records', timeoutMs } = {}) => {
      const options = {
        describe: `${describe} in ${topics.join(', ')}`,
        ...(timeoutMs === undefined ? {} : { timeoutMs }),
      };
      await waitFor(() => predicate(seen) || Promise.reject(new Error(`${seen.length} records so far`)), options);
      return [...seen];
    },
    close: async () => {
      await consumer.disconnect();
    },
  };
}
