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

/** Offset and length, which batches and the messages of old formats have alike. */
const FRAME_BYTES = 12;
const MAGIC_AT = 16;
const MAGIC_OF_BATCHES = 2;
const NO_CONTEXT = { producerId: '-1', inTransaction: false };
const NO_BYTES = Buffer.alloc(0);

export interface RecordSetLimits extends BatchLimits {
  /** Limit of one batch, in bytes. */
  readonly unpackedBytes: number;
}

/**
 * A batch that is larger unpacked, or has more records, is a dead letter. Kafka's own limit is on the compressed batch,
 * 1 MiB by default, of which gzip could make 1 GB. The largest honest ones are far below: Java's `batch.size` is 16 kB,
 * a notification 6 MB.
 */
export const RECORD_SET_LIMITS: RecordSetLimits = {
  unpackedBytes: 32 * 1_048_576,
  records: 50_000,
  headersPerRecord: 50_000,
};

export interface RecordSetReader {
  readonly limits: RecordSetLimits;
  readonly checksum: (bytes: Buffer) => number;
  /** kafkajs' decoder of the formats 0 and 1, of a topic that an old broker once wrote. */
  readonly readMessages: (messageSet: Buffer) => Promise<readonly OldMessage[]>;
}

export interface OldMessage {
  readonly offset: string;
  readonly timestamp?: string;
  readonly key: Buffer | null;
  readonly value: Buffer | null;
}

/** How much one fetch may still unpack; a batch that is begun is unpacked as a whole. */
export interface UnpackBudget {
  bytes: number;
  records: number;
}

/**
 * The records that a fetch brought of one partition. A batch that cannot be read, for whatever reason, becomes one
 * record in its place, at its last offset, whose value is the batch as Kafka has it; the batches beside it are not
 * hurt. An incomplete batch at the end is left for the next fetch, and so is what is beyond `budget`.
 */
export async function readRecordSet(
  bytes: Buffer,
  reader: RecordSetReader,
  budget: UnpackBudget,
): Promise<FetchedRecord[]> {
  const all: FetchedRecord[][] = [];
  let at = 0;
  while (at + MAGIC_AT < bytes.length && budget.bytes > 0 && budget.records > 0) {
    const length = FRAME_BYTES + bytes.readInt32BE(at + FRAME_BYTES - 4);
    if (length <= MAGIC_AT || at + length > bytes.length) break;
    const { records, unpackedBytes } = await readFrame(bytes.subarray(at, at + length), reader);
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

async function readFrame(frame: Buffer, reader: RecordSetReader): Promise<ReadFrame> {
  const isBatch = frame[MAGIC_AT] === MAGIC_OF_BATCHES;
  const header = isBatch ? readBatchHeader(frame) : null;
  try {
    if (header !== null) return await readBatch(frame, header, reader.limits);
    if (isBatch) throw new UnreadableBatchError('o lote está incompleto');
    return await readOld(frame, reader);
  } catch (error) {
    const cause = error instanceof Error ? error.message : String(error);
    const record = unreadable(frame, header, `${cause}${header === null ? '' : damageOf(frame, reader.checksum)}`);
    return { records: [record], unpackedBytes: frame.length };
  }
}

async function readBatch(frame: Buffer, header: BatchHeader, limits: RecordSetLimits): Promise<ReadFrame> {
  // Compaction leaves batches without records, and kafkajs would ask for the same one for ever.
  if (header.recordCount === 0) return { records: [marker(header)], unpackedBytes: 0 };
  const unpacked = await unpack(header.codec, packedRecords(frame), limits.unpackedBytes);
  return { records: readRecords(header, unpacked, limits), unpackedBytes: unpacked.length };
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
 * Stands for a whole batch, and for nothing that a writer could make: its reader asks for `unreadable`, which is no
 * header.
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

/** Whether its writer made a batch so, or something damaged it afterwards. */
function damageOf(frame: Buffer, checksum: (bytes: Buffer) => number): string {
  const { stated, of } = batchChecksum(frame);
  return checksum(of) === stated
    ? ' (a soma de verificação confere: o lote foi gravado assim)'
    : ' (a soma de verificação não confere: o lote foi danificado depois de gravado)';
}
