import type { AbortedTransaction } from './aborted-transactions.ts';
import type { FetchedRecord } from './fetched-record.ts';

/** kafkajs' reader of the fields of a response. */
export interface FieldReader {
  readInt16(): number;
  readInt32(): number;
  readInt64(): bigint;
  readString(): string | null;
  readBytes(): Buffer | null;
  readArray<T>(read: (reader: FieldReader) => T): T[];
}

interface FetchedPartition {
  readonly partition: number;
  readonly errorCode: number;
  readonly highWatermark: string;
  readonly lastStableOffset: string;
  readonly lastStartOffset?: string;
  readonly abortedTransactions: readonly AbortedTransaction[];
  readonly preferredReadReplica?: number;
}

interface PartitionWithBytes extends FetchedPartition {
  readonly bytes: Buffer | null;
}

/** A fetch response in the form of kafkajs' consumer. */
export interface FetchResponse {
  readonly throttleTime: number;
  readonly clientSideThrottleTime?: number;
  readonly errorCode?: number;
  readonly sessionId?: number;
  readonly responses: ReadonlyArray<{
    readonly topicName: string | null;
    readonly partitions: ReadonlyArray<FetchedPartition & { readonly messages: readonly FetchedRecord[] }>;
  }>;
}

/**
 * Versions of Kafka's fetch request that this module reads: from Kafka 0.11 to the newest that kafkajs supports.
 */
export const FETCH_VERSIONS = [4, 5, 6, 7, 8, 9, 10, 11] as const;
export type FetchVersion = (typeof FETCH_VERSIONS)[number];

/** First version that has each field. */
const SINCE = { startOffset: 5, session: 7, clientSideThrottle: 8, readReplica: 11 };

/**
 * Reads a fetch response. `readRecords` receives the records of one partition after the other, starting with
 * another partition each time (`turn` counts the fetches): if it leaves a partition's records for the next fetch,
 * no partition is left for ever. It also drops what was rolled back, so kafkajs gets no aborted transactions: its own
 * filter takes them in the order of their ends and lets records of interleaved ones through.
 */
export async function readFetchResponse(
  version: FetchVersion,
  reader: FieldReader,
  turn: number,
  readRecords: (bytes: Buffer, aborted: readonly AbortedTransaction[]) => Promise<FetchedRecord[]>,
): Promise<FetchResponse> {
  const throttle = reader.readInt32();
  const session =
    version >= SINCE.session ? { errorCode: reader.readInt16(), sessionId: reader.readInt32() } : undefined;
  const topics = reader.readArray(() => ({
    topicName: reader.readString(),
    partitions: reader.readArray(() => readPartition(version, reader)),
  }));
  const records = await readInTurn(
    topics.flatMap(({ partitions }) => partitions),
    turn,
    readRecords,
  );
  return {
    // From version 8 on the broker does not delay the response but asks the client to wait; kafkajs reads that time
    // from this field.
    ...(version >= SINCE.clientSideThrottle
      ? { throttleTime: 0, clientSideThrottleTime: throttle }
      : { throttleTime: throttle }),
    ...session,
    responses: topics.map(({ topicName, partitions }) => ({
      topicName,
      partitions: partitions.map((partition) => {
        const { bytes: _, ...rest } = partition;
        return { ...rest, abortedTransactions: [], messages: records.get(partition) ?? [] };
      }),
    })),
  };
}

function readPartition(version: FetchVersion, reader: FieldReader): PartitionWithBytes {
  return {
    partition: reader.readInt32(),
    errorCode: reader.readInt16(),
    highWatermark: String(reader.readInt64()),
    lastStableOffset: String(reader.readInt64()),
    ...(version >= SINCE.startOffset ? { lastStartOffset: String(reader.readInt64()) } : {}),
    abortedTransactions: reader.readArray(() => ({
      producerId: String(reader.readInt64()),
      firstOffset: String(reader.readInt64()),
    })),
    ...(version >= SINCE.readReplica ? { preferredReadReplica: reader.readInt32() } : {}),
    bytes: reader.readBytes(),
  };
}

async function readInTurn(
  partitions: readonly PartitionWithBytes[],
  turn: number,
  readRecords: (bytes: Buffer, aborted: readonly AbortedTransaction[]) => Promise<FetchedRecord[]>,
): Promise<Map<PartitionWithBytes, FetchedRecord[]>> {
  const filled = partitions.filter(({ bytes }) => bytes !== null && bytes.length > 0);
  const first = filled.length === 0 ? 0 : turn % filled.length;
  const records = new Map<PartitionWithBytes, FetchedRecord[]>();
  for (const partition of [...filled.slice(first), ...filled.slice(0, first)]) {
    records.set(partition, await readRecords(partition.bytes!, partition.abortedTransactions));
  }
  return records;
}
