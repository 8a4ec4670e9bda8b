import type { Kafka } from 'kafkajs';

import type { FetchedRecord } from '../codec/fetched-record.ts';
import { clusterOf, type Cluster } from './kafkajs-native.ts';

/** Records of a partition that are read where nobody knows how far they were marked: more than are ever unmarked. */
const UNKNOWN_PLACE_RECORDS = 2_000n;
const FETCH_BYTES = 8 * 1_048_576;
const WAIT_MS = 500;
/** Read uncommitted: an open transaction of somebody else must not hide what a relay sent. */
const UNCOMMITTED = 0;

/**
 * Calls `visit` with each record of a topic from `from` to its present end, without a consumer group. A partition that
 * is not in `from` is read from `UNKNOWN_PLACE_RECORDS` before its end. Throws kafkajs' error if Kafka does not answer
 * or refuses.
 */
export async function readBack(
  kafka: Kafka,
  topic: string,
  from: ReadonlyMap<number, bigint>,
  visit: (record: FetchedRecord) => void,
): Promise<void> {
  const cluster = clusterOf(kafka);
  await cluster.connect();
  try {
    await cluster.addMultipleTargetTopics([topic]);
    const partitions = cluster.findTopicPartitionMetadata(topic).map(({ partitionId }) => partitionId);
    const [starts, ends] = [
      await offsets(cluster, topic, partitions, true),
      await offsets(cluster, topic, partitions, false),
    ];
    for (const partition of partitions) {
      const end = ends.get(partition)!;
      const wanted = from.get(partition) ?? end - UNKNOWN_PLACE_RECORDS;
      // A place beyond the end is of a topic that was deleted and created again.
      const place = wanted > end ? end - UNKNOWN_PLACE_RECORDS : wanted;
      const start = starts.get(partition)!;
      await readPartition(cluster, topic, { partition, start: place < start ? start : place, end }, visit);
    }
  } finally {
    await cluster.disconnect();
  }
}

async function readPartition(
  cluster: Cluster,
  topic: string,
  { partition, start, end }: { readonly partition: number; readonly start: bigint; readonly end: bigint },
  visit: (record: FetchedRecord) => void,
): Promise<void> {
  const [nodeId] = Object.keys(cluster.findLeaderForPartitions(topic, [partition]));
  const broker = await cluster.findBroker({ nodeId: nodeId! });
  for (let next = start; next < end;) {
    const wanted = { partition, fetchOffset: String(next), maxBytes: FETCH_BYTES };
    const topics = [{ topic, partitions: [wanted] }];
    const answer = await broker.fetch({
      isolationLevel: UNCOMMITTED,
      maxWaitTime: WAIT_MS,
      maxBytes: FETCH_BYTES,
      topics,
    });
    const fetched = answer.responses.flatMap((each) => each.partitions.flatMap(({ messages }) => messages));
    const last = fetched.at(-1);
    if (last === undefined) return;
    for (const record of fetched) if (BigInt(record.offset) >= next) visit(record);
    next = BigInt(last.offset) + 1n;
  }
}

async function offsets(
  cluster: Cluster,
  topic: string,
  ids: readonly number[],
  fromBeginning: boolean,
): Promise<ReadonlyMap<number, bigint>> {
  const partitions = ids.map((partition) => ({ partition }));
  const [found] = await cluster.fetchTopicsOffset([{ topic, partitions, fromBeginning }]);
  return new Map(found?.partitions.map(({ partition, offset }) => [partition, BigInt(offset)]));
}
