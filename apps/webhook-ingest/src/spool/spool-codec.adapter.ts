import { checksum } from '@gondola/messaging/codec/checksum';
import type { ReceivedBody } from '../notifications/read-notification.ts';

/**
 * The form of a spool file, version 1 (numbers are big-endian):
 *
 *   file    "GONDOLA SPOOL 1\n" · marker (8 random bytes) · CRC32C of both · records
 *   record  marker · length of the payload (4) · CRC32C of both (4) · CRC32C of the payload (4) · payload
 *   payload receivedAt in ms (8) · length of tenant (2) · length of traceparent (2) · tenant · traceparent · body
 *
 * Only the writer of a file knows its marker: after a damaged header the marker finds the next record, and no body
 * that a sender invents passes for a record. Tested in spool-codec.adapter.unit.spec.ts.
 */
const FORMAT = Buffer.from('GONDOLA SPOOL 1\n');
export const MARKER_BYTES = 8;
export const FILE_HEADER_BYTES = FORMAT.length + MARKER_BYTES + 4;
const RECORD_HEADER_BYTES = MARKER_BYTES + 12;
const FIXED_PAYLOAD_BYTES = 12;
const LENGTH_AT = MARKER_BYTES;
const HEADER_CRC_AT = LENGTH_AT + 4;
const PAYLOAD_CRC_AT = HEADER_CRC_AT + 4;

/** Bytes of a file, from `start` to before `end`. */
interface Span {
  readonly start: number;
  readonly end: number;
}

export interface SpoolContent {
  readonly records: readonly ReceivedBody[];
  /** Bytes that are no record, although they are complete or other bytes follow them: set aside for a person. */
  readonly damaged: readonly Span[];
  /** Bytes at the end that a crash cut off; none of their deliveries was answered. */
  readonly tornBytes: number;
}

/** The first bytes of a file; `marker` is `MARKER_BYTES` long and random. */
export function encodeFileHeader(marker: Buffer): Buffer {
  return withChecksum(Buffer.concat([FORMAT, marker]));
}

/** Length of an encoded record, in bytes. */
export function recordBytes({ tenant, traceparent, body }: ReceivedBody): number {
  const texts = Buffer.byteLength(tenant) + Buffer.byteLength(traceparent);
  return RECORD_HEADER_BYTES + FIXED_PAYLOAD_BYTES + texts + body.length;
}

/** Encodes records one after the other; `marker` is that of their file. */
export function encodeRecords(marker: Buffer, records: readonly ReceivedBody[]): Buffer {
  const bytes = Buffer.allocUnsafe(records.reduce((sum, record) => sum + recordBytes(record), 0));
  let at = 0;
  for (const record of records) {
    const end = at + recordBytes(record);
    writeRecord(bytes.subarray(at, end), marker, record);
    at = end;
  }
  return bytes;
}

function writeRecord(to: Buffer, marker: Buffer, { tenant, traceparent, receivedAt, body }: ReceivedBody): void {
  const payload = to.subarray(RECORD_HEADER_BYTES);
  const tenantBytes = payload.write(tenant, FIXED_PAYLOAD_BYTES);
  const traceBytes = payload.write(traceparent, FIXED_PAYLOAD_BYTES + tenantBytes);
  payload.writeBigInt64BE(BigInt(receivedAt.getTime()));
  payload.writeUInt16BE(tenantBytes, 8);
  payload.writeUInt16BE(traceBytes, 10);
  body.copy(payload, FIXED_PAYLOAD_BYTES + tenantBytes + traceBytes);
  marker.copy(to);
  to.writeUInt32BE(payload.length, LENGTH_AT);
  to.writeUInt32BE(checksum(to.subarray(0, HEADER_CRC_AT)), HEADER_CRC_AT);
  to.writeUInt32BE(checksum(payload), PAYLOAD_CRC_AT);
}

/** Decodes everything readable in a file's bytes; null if they are no spool file of this version. */
export function decodeSpoolFile(bytes: Buffer): SpoolContent | null {
  const header = bytes.subarray(0, FILE_HEADER_BYTES);
  const isTorn = isZero(bytes) || (header.length < FILE_HEADER_BYTES && beginsAsFormat(header));
  if (isTorn) return { records: [], damaged: [], tornBytes: bytes.length };
  if (header.length < FILE_HEADER_BYTES) return null;
  const marker = header.subarray(FORMAT.length, FORMAT.length + MARKER_BYTES);
  if (!encodeFileHeader(marker).equals(header)) return null;
  const records: ReceivedBody[] = [];
  const damaged: Span[] = [];
  let at = FILE_HEADER_BYTES;
  while (at < bytes.length) {
    const found = readAt(bytes, at, marker);
    if (found === 'torn') break;
    if (found.record === null) damaged.push({ start: at, end: found.end });
    else records.push(found.record);
    at = found.end;
  }
  return { records, damaged, tornBytes: bytes.length - at };
}

/** A record, or the end of damaged bytes. */
type Found = { readonly record: ReceivedBody | null; readonly end: number };

function readAt(bytes: Buffer, at: number, marker: Buffer): Found | 'torn' {
  const rest = bytes.subarray(at);
  if (isZero(rest)) return 'torn';
  if (rest.length < RECORD_HEADER_BYTES) {
    const isBeginning = marker.subarray(0, rest.length).equals(rest.subarray(0, MARKER_BYTES));
    return isBeginning ? 'torn' : { record: null, end: bytes.length };
  }
  if (!isHeader(rest, marker)) return { record: null, end: nextHeader(bytes, at + 1, marker) };
  const end = at + RECORD_HEADER_BYTES + rest.readUInt32BE(LENGTH_AT);
  if (end > bytes.length) return 'torn';
  return { record: readPayload(rest.readUInt32BE(PAYLOAD_CRC_AT), bytes.subarray(at + RECORD_HEADER_BYTES, end)), end };
}

function isHeader(bytes: Buffer, marker: Buffer): boolean {
  if (bytes.length < RECORD_HEADER_BYTES || !bytes.subarray(0, MARKER_BYTES).equals(marker)) return false;
  return bytes.readUInt32BE(HEADER_CRC_AT) === checksum(bytes.subarray(0, HEADER_CRC_AT));
}

function nextHeader(bytes: Buffer, from: number, marker: Buffer): number {
  let at = bytes.indexOf(marker, from);
  while (at >= 0 && !isHeader(bytes.subarray(at), marker)) at = bytes.indexOf(marker, at + 1);
  return at < 0 ? bytes.length : at;
}

function readPayload(crc: number, payload: Buffer): ReceivedBody | null {
  if (payload.length < FIXED_PAYLOAD_BYTES || checksum(payload) !== crc) return null;
  const traceAt = FIXED_PAYLOAD_BYTES + payload.readUInt16BE(8);
  const bodyAt = traceAt + payload.readUInt16BE(10);
  return {
    receivedAt: new Date(Number(payload.readBigInt64BE())),
    tenant: payload.toString('utf8', FIXED_PAYLOAD_BYTES, traceAt),
    traceparent: payload.toString('utf8', traceAt, bodyAt),
    body: payload.subarray(bodyAt),
  };
}

function withChecksum(bytes: Buffer): Buffer {
  const crc = Buffer.alloc(4);
  crc.writeUInt32BE(checksum(bytes));
  return Buffer.concat([bytes, crc]);
}

/** A file system may store the length of a write without its bytes. */
function isZero(bytes: Buffer): boolean {
  return bytes.every((byte) => byte === 0);
}

function beginsAsFormat(header: Buffer): boolean {
  return FORMAT.subarray(0, header.length).equals(header.subarray(0, FORMAT.length));
}
