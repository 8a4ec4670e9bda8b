import type { Kafka } from 'kafkajs';

import type { FetchedRecord } from '../wire/fetched-record.ts';
import { recordDigest } from '../records/record-digest.ts';
import { hasCause } from '../client/error-causes.ts';
import { abandonableCluster } from '../client/kafkajs-native.ts';
import type { LogReader, LogRecord, PartitionEdges } from './read-back.ts';

const WAIT_MS = 500;
/** Read uncommitted: an open transaction of somebody else must not hide what a relay sent. */
const UNCOMMITTED = 0;
const FIRST = { fromBeginning: true };
const LAST = { fromBeginning: false };
type Where = typeof FIRST | { readonly fromTimestamp: number };
const NOT_ALLOWED = 'TOPIC_AUTHORIZATION_FAILED';
const UNKNOWN_TOPIC = 'UNKNOWN_TOPIC_OR_PARTITION';

/** Reads a topic of Kafka without a consumer group, over connections of its own. */
export class KafkaLog implements LogReader {
  readonly #cluster: ReturnType<typeof abandonableCluster>;
  readonly #topic: string;
  #isKnown = false;

  /** `topic` is its name with prefix. */
  constructor(kafka: Kafka, topic: string) {
    this.#cluster = abandonableCluster(kafka);
    this.#topic = topic;
  }

  async edges(): Promise<readonly PartitionEdges[] | null> {
    try {
      await this.#cluster.connect();
      // kafkajs asks again only for topics that it has not been told.
      if (this.#isKnown) await this.#cluster.refreshMetadata();
      else await this.#cluster.addMultipleTargetTopics([this.#topic]);
      this.#isKnown = true;
      return await this.#partitions();
    } catch (error) {
      if (hasCause(error, NOT_ALLOWED)) return null;
      if (hasCause(error, UNKNOWN_TOPIC)) return [];
      throw error;
    }
  }

  async fetch(at: PartitionEdges, offset: bigint, maxBytes: number): Promise<readonly LogRecord[] | null> {
    return (await this.records(at, offset, maxBytes))?.map(recordOf) ?? null;
  }

  /** As `fetch`, with the records themselves, among them Kafka's own. */
  async records(at: PartitionEdges, offset: bigint, maxBytes: number): Promise<readonly FetchedRecord[] | null> {
    try {
      const broker = await this.#cluster.findBroker({ nodeId: at.leader });
      const wanted = { partition: at.partition, fetchOffset: String(offset), maxBytes };
      const topics = [{ topic: this.#topic, partitions: [wanted] }];
      const request = { isolationLevel: UNCOMMITTED, maxWaitTime: WAIT_MS, maxBytes, topics };
      const { responses } = await broker.fetch(request);
      return responses.flatMap(({ partitions }) => partitions.flatMap(({ messages }) => messages));
    } catch (error) {
      if (hasCause(error, NOT_ALLOWED)) return null;
      throw error;
    }
  }

  /** Offset of a partition's first record from a time on, in milliseconds since 1970; -1 if there is none. */
  async placesAt(edges: readonly PartitionEdges[], fromTimestamp: number): Promise<ReadonlyMap<number, bigint>> {
    const ids = edges.map(({ partition }) => partition);
    return this.#offsets(ids, { fromTimestamp });
  }

  /** Ends the connections at once, also while they are waited for. */
  close(): void {
    this.#cluster.abandon();
  }

  async #partitions(): Promise<PartitionEdges[]> {
    const ids = this.#cluster.findTopicPartitionMetadata(this.#topic).map(({ partitionId }) => partitionId);
    const [starts, ends] = [await this.#offsets(ids, FIRST), await this.#offsets(ids, LAST)];
    return ids.map((partition) => {
      const [leader] = Object.keys(this.#cluster.findLeaderForPartitions(this.#topic, [partition]));
      return { partition, leader: leader!, start: starts.get(partition)!, end: ends.get(partition)! };
    });
  }

  async #offsets(ids: readonly number[], where: Where): Promise<ReadonlyMap<number, bigint>> {
    const asked = { topic: this.#topic, partitions: ids.map((partition) => ({ partition })), ...where };
    const [found] = await this.#cluster.fetchTopicsOffset([asked as typeof asked & typeof FIRST]);
    return new Map(found?.partitions.map(({ partition, offset }) => [partition, BigInt(offset)]));
  }
}

function recordOf(record: FetchedRecord): LogRecord {
  const { offset, key, value, headerBytes } = record;
  return {
    offset: BigInt(offset),
    bytes: (key?.length ?? 0) + (value?.length ?? 0) + headerBytes,
    digest: () => recordDigest({ key, value, headers: record.rawHeaders() }),
  };
}
