import { type AbortedTransaction, AbortedTransactions } from './aborted-transactions.ts';
import { FetchedRecord } from './fetched-record.ts';
import {
  type BatchHeader,
  batchChecksum,
  type BatchLimits,
  packedRecords,
  readBatchHeader,
  readRecords,
} from './record-batch.ts';
import { unpack } from './unpack.ts';
import { UnreadableBatchError } from './byte-reader.ts';

/** Size of the offset and length fields, which batches and messages of old formats have in common. */
const FRAME_BYTES = 12;
const MAGIC_AT = 16;
const MAGIC_OF_BATCHES = 2;
const NO_CONTEXT = { producerId: '-1', inTransaction: false };
const NO_BYTES = Buffer.alloc(0);

export interface RecordSetLimits extends BatchLimits {
  /** Limit for one batch, in bytes. */
  readonly unpackedBytes: number;
}

/**
 * A batch beyond these limits becomes a dead letter. Kafka's own limit applies to the compressed batch (1 MiB by
 * default), from which gzip can produce 1 GB. The largest legitimate batches are far smaller: Java's `batch.size`
 * is 16 kB, a notification 6 MB.
 */
export const RECORD_SET_LIMITS: RecordSetLimits = {
  unpackedBytes: 32 * 1_048_576,
  records: 50_000,
  headersPerRecord: 50_000,
};

export interface RecordSetReader {
  readonly limits: RecordSetLimits;
  readonly checksum: (bytes: Buffer) => number;
  /** kafkajs' decoder of the formats 0 and 1, for topics that an old broker wrote. */
  readonly readMessages: (messageSet: Buffer) => Promise<readonly OldMessage[]>;
}

export interface OldMessage {
  readonly offset: string;
  readonly timestamp?: string;
  readonly key: Buffer | null;
  readonly value: Buffer | null;
}

/** Bytes and records that one fetch may still unpack; a batch is always unpacked as a whole. */
export interface UnpackBudget {
  bytes: number;
  records: number;
}

/**
 * Records of one partition in a fetch. A batch that cannot be read, for any reason, becomes one record at its last
 * offset, whose value is the batch as Kafka stores it; the batches around it are not affected. An incomplete batch
 * at the end is left for the next fetch, and so are all batches beyond `budget`. Of a batch that was rolled back only a
 * marker is left, which moves the consumer past it.
 *
 * @param listed the aborted transactions of the fetch
 */
export async function readRecordSet(
  bytes: Buffer,
  reader: RecordSetReader,
  budget: UnpackBudget,
  listed: readonly AbortedTransaction[] = [],
): Promise<FetchedRecord[]> {
  const aborted = new AbortedTransactions(listed);
  const all: FetchedRecord[][] = [];
  let at = 0;
  while (at + MAGIC_AT < bytes.length && budget.bytes > 0 && budget.records > 0) {
    const length = FRAME_BYTES + bytes.readInt32BE(at + FRAME_BYTES - 4);
    if (length <= MAGIC_AT || at + length > bytes.length) break;
    const { records, unpackedBytes } = await readFrame(bytes.subarray(at, at + length), reader, aborted);
    all.push(records);
    budget.bytes -= unpackedBytes;
    budget.records -= records.length;
    at += length;
  }
  return all.flat();
}

interface ReadFrame {
  readonly records: FetchedRecord[];
  readonly unpackedBytes: number;
}

async function readFrame(frame: Buffer, reader: RecordSetReader, aborted: AbortedTransactions): Promise<ReadFrame> {
  const isBatch = frame[MAGIC_AT] === MAGIC_OF_BATCHES;
  const header = isBatch ? readBatchHeader(frame) : null;
  try {
    if (header !== null) return await readBatch(frame, header, reader.limits, aborted);
    if (isBatch) throw new UnreadableBatchError('o lote está incompleto');
    return await readOld(frame, reader);
  } catch (error) {
    const cause = error instanceof Error ? error.message : String(error);
    const record = unreadable(frame, header, `${cause}${header === null ? '' : damageOf(frame, reader.checksum)}`);
    return { records: [record], unpackedBytes: frame.length };
  }
}

async function readBatch(
  frame: Buffer,
  header: BatchHeader,
  limits: RecordSetLimits,
  aborted: AbortedTransactions,
): Promise<ReadFrame> {
  // Compaction leaves batches without records; without a marker, kafkajs would fetch the same batch for ever.
  if (aborted.contain(header) || header.recordCount === 0) return { records: [marker(header)], unpackedBytes: 0 };
  const unpacked = await unpack(header.codec, packedRecords(frame), limits.unpackedBytes);
  const records = readRecords(header, unpacked, limits);
  return { records, unpackedBytes: unpacked.length };
}

async function readOld(frame: Buffer, { readMessages }: RecordSetReader): Promise<ReadFrame> {
  const messages = await readMessages(frame);
  if (messages.length === 0) throw new UnreadableBatchError('uma mensagem do formato antigo está incompleta');
  const records = messages.map(
    ({ offset, timestamp = '-1', key, value }) => new FetchedRecord({ ...bare(offset, timestamp), key, value }),
  );
  const unpackedBytes = messages.reduce((sum, { key, value }) => sum + (key?.length ?? 0) + (value?.length ?? 0), 0);
  return { records, unpackedBytes };
}

/**
 * A record that replaces a whole batch. Its readers check `unreadable`, which is no header, so no producer can make
 * such a record.
 */
function unreadable(frame: Buffer, header: BatchHeader | null, cause: string): FetchedRecord {
  const ownOffset = frame.readBigInt64BE(0);
  const last = header === null || header.lastOffset < ownOffset ? ownOffset : header.lastOffset;
  return new FetchedRecord({
    ...bare(String(last), String(header?.latestTimestamp ?? -1n)),
    value: frame,
    batchContext: header?.context ?? NO_CONTEXT,
    isControlRecord: header?.isControl ?? false,
    unreadable: `offsets ${ownOffset} a ${last}: ${cause}`,
  });
}

function marker(header: BatchHeader): FetchedRecord {
  return new FetchedRecord({
    ...bare(String(header.lastOffset), String(header.latestTimestamp)),
    batchContext: header.context,
    isControlRecord: true,
  });
}

function bare(offset: string, timestamp: string): ConstructorParameters<typeof FetchedRecord>[0] {
  return {
    offset,
    timestamp,
    key: null,
    value: null,
    headerCount: 0,
    headerBytes: NO_BYTES,
    batchContext: NO_CONTEXT,
    isControlRecord: false,
  };
}

/** Says whether the batch was written this way or damaged afterwards. */
function damageOf(frame: Buffer, checksum: (bytes: Buffer) => number): string {
  const { stated, of } = batchChecksum(frame);
  return checksum(of) === stated
    ? ' (a soma de verificação confere: o lote foi gravado assim)'
    : ' (a soma de verificação não confere: o lote foi danificado depois de gravado)';
}
