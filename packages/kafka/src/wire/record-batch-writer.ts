import { checksum } from './checksum.ts';
import type { RawHeaders } from './fetched-record.ts';

/** Contents of a record of a batch, in the form in which they are written. */
export interface BatchedRecord {
  readonly key: Buffer | null;
  readonly value: Buffer | null;
  readonly headers: RawHeaders;
}

/** Bytes in front of the records; `record-batch.ts` names their fields. */
const HEADER_BYTES = 61;
/** Bytes that the field of the batch's length does not count: itself, and the first offset in front of it. */
const BEFORE_LENGTH = 12;
const CRC_AT = 17;
const CHECKED_FROM = 21;
const MAGIC = 2;
/** A producer that is not idempotent. */
const NO_PRODUCER = -1n;
/** Attributes and time delta of a record, each one byte: both are 0. */
const FIXED_BYTES = 2;
const SEVEN_BITS = 0x7f;
const MORE = 0x80;

/**
 * Writer of a batch of records in Kafka's format 2, not compressed. The sizes are known before the first byte is
 * written, so every record is written once, into its place.
 */
export class RecordBatchWriter {
  /** Length of the whole batch. */
  readonly bytes: number;
  readonly #records: readonly BatchedRecord[];
  /** Length of each record behind its length field. */
  readonly #lengths: readonly number[];

  constructor(records: readonly BatchedRecord[]) {
    this.#records = records;
    this.#lengths = records.map(lengthOf);
    this.bytes = this.#lengths.reduce((sum, length) => sum + varintBytes(length) + length, HEADER_BYTES);
  }

  /**
   * Writes the batch at `at`, where `into` has room for it. `timestamp` is that of all its records, in milliseconds
   * since 1970.
   */
  write(into: Buffer, at: number, timestamp: number): void {
    const batch = into.subarray(at, at + this.bytes);
    batch.fill(0, 0, HEADER_BYTES);
    batch.writeInt32BE(this.bytes - BEFORE_LENGTH, 8);
    batch.writeInt8(MAGIC, 16);
    batch.writeInt32BE(this.#records.length - 1, 23);
    batch.writeBigInt64BE(BigInt(timestamp), 27);
    batch.writeBigInt64BE(BigInt(timestamp), 35);
    batch.writeBigInt64BE(NO_PRODUCER, 43);
    batch.writeInt32BE(this.#records.length, 57);
    let place = HEADER_BYTES;
    for (const [index, record] of this.#records.entries()) {
      place = writeVarint(batch, place, this.#lengths[index]!);
      place = writeRecord(batch, place, record, index);
    }
    batch.writeUInt32BE(checksum(batch.subarray(CHECKED_FROM)), CRC_AT);
  }
}

function lengthOf({ key, value, headers }: BatchedRecord, offsetDelta: number): number {
  const others = FIXED_BYTES + varintBytes(offsetDelta) + nullableBytes(key) + nullableBytes(value);
  let bytes = others + varintBytes(headers.length);
  for (const [name, each] of headers) {
    const nameBytes = Buffer.byteLength(name);
    bytes += varintBytes(nameBytes) + nameBytes + nullableBytes(each);
  }
  return bytes;
}

function writeRecord(
  batch: Buffer,
  start: number,
  { key, value, headers }: BatchedRecord,
  offsetDelta: number,
): number {
  batch.fill(0, start, start + FIXED_BYTES);
  let at = writeVarint(batch, start + FIXED_BYTES, offsetDelta);
  at = writeNullable(batch, at, key);
  at = writeNullable(batch, at, value);
  at = writeVarint(batch, at, headers.length);
  for (const [name, each] of headers) {
    at = writeVarint(batch, at, Buffer.byteLength(name));
    at += batch.write(name, at);
    at = writeNullable(batch, at, each);
  }
  return at;
}

function nullableBytes(bytes: Buffer | null): number {
  return bytes === null ? varintBytes(-1) : varintBytes(bytes.length) + bytes.length;
}

function writeNullable(batch: Buffer, at: number, bytes: Buffer | null): number {
  if (bytes === null) return writeVarint(batch, at, -1);
  const place = writeVarint(batch, at, bytes.length);
  return place + bytes.copy(batch, place);
}

function writeVarint(batch: Buffer, start: number, value: number): number {
  let at = start;
  let left = zigzag(value);
  for (; left > SEVEN_BITS; left >>>= 7) batch[at++] = (left & SEVEN_BITS) | MORE;
  batch[at++] = left;
  return at;
}

function varintBytes(value: number): number {
  let bytes = 1;
  for (let left = zigzag(value); left > SEVEN_BITS; left >>>= 7) bytes += 1;
  return bytes;
}

/** Kafka's form of a signed number in which those near 0 are short. */
function zigzag(value: number): number {
  return ((value << 1) ^ (value >> 31)) >>> 0;
}
