import { ByteReader, UnreadableBatchError } from './byte-reader.ts';
import { type BatchContext, FetchedRecord } from './fetched-record.ts';

/**
 * A batch of records in Kafka's format 2:
 *
 *   first offset 8 │ length 4 │ leader epoch 4 │ magic 1 │ CRC 4 │ attributes 2 │ last offset delta 4 │
 *   first time 8 │ latest time 8 │ producer 8 │ producer epoch 2 │ first sequence 4 │ number of records 4 │
 *   records, all together compressed by the batch's codec
 */
const AT = {
  firstOffset: 0,
  crc: 17,
  attributes: 21,
  lastOffsetDelta: 23,
  firstTimestamp: 27,
  latestTimestamp: 35,
  producerId: 43,
  recordCount: 57,
  records: 61,
};
const ATTRIBUTE = { codec: 0x07, logAppendTime: 0x08, transactional: 0x10, control: 0x20 };

/** Fields in front of a batch's records. */
export interface BatchHeader {
  readonly firstOffset: bigint;
  readonly lastOffset: bigint;
  readonly codec: number;
  readonly firstTimestamp: bigint;
  readonly latestTimestamp: bigint;
  readonly hasLogAppendTime: boolean;
  readonly isControl: boolean;
  readonly recordCount: number;
  readonly context: BatchContext;
}

/** Limits on the memory and the time that one batch may take. */
export interface BatchLimits {
  readonly records: number;
  readonly headersPerRecord: number;
}

/** Null if `batch` is too short for a header. */
export function readBatchHeader(batch: Buffer): BatchHeader | null {
  if (batch.length < AT.records) return null;
  const attributes = batch.readInt16BE(AT.attributes);
  const firstOffset = batch.readBigInt64BE(AT.firstOffset);
  return {
    firstOffset,
    lastOffset: firstOffset + BigInt(batch.readInt32BE(AT.lastOffsetDelta)),
    codec: attributes & ATTRIBUTE.codec,
    firstTimestamp: batch.readBigInt64BE(AT.firstTimestamp),
    latestTimestamp: batch.readBigInt64BE(AT.latestTimestamp),
    hasLogAppendTime: (attributes & ATTRIBUTE.logAppendTime) !== 0,
    isControl: (attributes & ATTRIBUTE.control) !== 0,
    recordCount: batch.readInt32BE(AT.recordCount),
    context: {
      producerId: String(batch.readBigInt64BE(AT.producerId)),
      inTransaction: (attributes & ATTRIBUTE.transactional) !== 0,
    },
  };
}

/** Records of a batch, still compressed. */
export function packedRecords(batch: Buffer): Buffer {
  return batch.subarray(AT.records);
}

/** Checksum in the batch's header, and the bytes that it covers. */
export function batchChecksum(batch: Buffer): { readonly stated: number; readonly of: Buffer } {
  return { stated: batch.readUInt32BE(AT.crc), of: batch.subarray(AT.attributes) };
}

/**
 * Records of a batch. Throws an `UnreadableBatchError` if they are damaged or beyond `limits`. Linear in the bytes.
 */
export function readRecords(header: BatchHeader, unpacked: Buffer, limits: BatchLimits): FetchedRecord[] {
  const { recordCount } = header;
  if (recordCount < 0 || recordCount > limits.records) {
    throw new UnreadableBatchError(`o lote tem ${recordCount} registros; o máximo é ${limits.records}`);
  }
  const reader = new ByteReader(unpacked);
  const records: FetchedRecord[] = [];
  let next = header.firstOffset;
  for (let index = 0; index < recordCount; index += 1) {
    const bytes = new ByteReader(reader.bytes(reader.varint()));
    bytes.byte();
    const timestampDelta = bytes.varlong();
    const offset = header.firstOffset + BigInt(bytes.varint());
    if (offset < next || offset > header.lastOffset)
      throw new UnreadableBatchError('um offset no lote está fora de ordem');
    next = offset + 1n;
    const timestamp = header.hasLogAppendTime ? header.latestTimestamp : header.firstTimestamp + timestampDelta;
    records.push(readRecord(header, String(offset), String(timestamp), bytes, limits.headersPerRecord));
  }
  if (reader.left > 0) throw new UnreadableBatchError('o lote tem mais bytes do que os seus registros');
  return records;
}

/** Reads the record's fields after its time and offset. */
function readRecord(
  header: BatchHeader,
  offset: string,
  timestamp: string,
  reader: ByteReader,
  maxHeaders: number,
): FetchedRecord {
  const key = reader.nullableBytes();
  const value = reader.nullableBytes();
  const headerCount = reader.varint();
  if (headerCount < 0 || headerCount > maxHeaders) {
    const what = `o registro do offset ${offset} tem ${headerCount} cabeçalhos`;
    throw new UnreadableBatchError(`${what}; o máximo que se lê é ${maxHeaders}`);
  }
  const headerBytes = reader.rest();
  checkHeaders(headerBytes, headerCount);
  return new FetchedRecord({
    offset,
    timestamp,
    key,
    value,
    headerCount,
    headerBytes,
    batchContext: header.context,
    isControlRecord: header.isControl,
  });
}

function checkHeaders(bytes: Buffer, count: number): void {
  const reader = new ByteReader(bytes);
  for (let index = 0; index < count; index += 1) {
    reader.bytes(reader.varint());
    reader.nullableBytes();
  }
}
