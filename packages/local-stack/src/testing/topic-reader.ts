import { Kafka, logLevel } from 'kafkajs';
import { uniquePrefix } from '../test-stack.ts';
import { waitFor } from '../wait-for.ts';

export interface ReadRecord {
  topic: string;
  partition: number;
  offset: string;
  /** Milliseconds since 1970, as Kafka gives it. */
  timestamp: string;
  key: string | null;
  value: Buffer | null;
  headers: Record<string, string>;
}

export interface TopicReader {
  /** Records read so far, each once; in order within each partition. */
  records(): ReadRecord[];
  /**
   * Waits until the predicate holds for the records read so far, and returns them; rejects if a record has
   * problems.
   */
  waitForRecords(
    predicate: (records: ReadRecord[]) => boolean,
    options?: { describe?: string; timeoutMs?: number },
  ): Promise<ReadRecord[]>;
  /** Closes the reader; rejects afterwards if a record had problems. */
  close(): Promise<void>;
}

/**
 * Reads existing topics from their beginning, in a separate consumer group, until closed. For tests. `problemsOf`
 * returns the problems of a record, such as a breach of its contract, which make waiting and closing fail.
 */
export async function readTopics(
  brokers: string,
  topics: string[],
  problemsOf: (record: ReadRecord) => readonly string[] = () => [],
): Promise<TopicReader> {
  const kafka = new Kafka({ brokers: brokers.split(','), logLevel: logLevel.NOTHING });
  const groupId = uniquePrefix('topic-reader');
  const consumer = kafka.consumer({ groupId, maxWaitTimeInMs: 100 });
  const seen: ReadRecord[] = [];
  const nextOffsets = new Map<string, bigint>();
  const problems: string[] = [];
  const failByProblems = (): void => {
    if (problems.length > 0) throw new Error(problems.slice(0, 20).join('\n'));
  };
  await consumer.connect();
  await consumer.subscribe({ topics, fromBeginning: true });
  await consumer.run({
    eachMessage: async ({ topic, partition, message: { offset, timestamp, key, value, headers = {} } }) => {
      // After a rebalance, Kafka delivers again what was not committed.
      const place = `${topic}/${partition}`;
      if (BigInt(offset) < (nextOffsets.get(place) ?? 0n)) return;
      nextOffsets.set(place, BigInt(offset) + 1n);
      const texts = Object.entries(headers).map(([name, header]) => [name, String(header)] as const);
      const headersByName = Object.fromEntries(texts);
      const record = {
        topic,
        partition,
        offset,
        timestamp,
        key: key?.toString() ?? null,
        value,
        headers: headersByName,
      };
      problems.push(...problemsOf(record));
      seen.push(record);
    },
  });
  return {
    records: () => [...seen],
    waitForRecords: async (predicate, { describe = 'the expected records', timeoutMs } = {}) => {
      const options = {
        describe: `${describe} in ${topics.join(', ')}`,
        ...(timeoutMs === undefined ? {} : { timeoutMs }),
      };
      await waitFor(
        () => problems.length > 0 || predicate(seen) || Promise.reject(new Error(`${seen.length} records so far`)),
        options,
      );
      failByProblems();
      return [...seen];
    },
    close: async () => {
      await consumer.disconnect();
      failByProblems();
    },
  };
}
