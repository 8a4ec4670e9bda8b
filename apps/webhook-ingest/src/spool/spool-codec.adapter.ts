import { checksum } from '@gondola/kafka/wire/checksum';
import type { ReceivedBody } from '../notifications/read-notification.ts';

/**
 * The form of a spool file: a record is one line, and no line end belongs to two records.
 *
 *   record  LF · CRC32C of the JSON in 8 hexadecimal digits · space · JSON · LF
 *   JSON    { tenant, traceparent, receivedAt, body } in Latin-1: a character of `body` is one of its bytes; `headers`,
 *           too, of a tenant with a mirror
 *
 * JSON escapes line ends and quotes: damage stays within its line, and no body that a sender invents passes for a
 * record. Tested in spool-codec.adapter.unit.spec.ts.
 */
const LINE_END = 0x0a;
const CHECKSUM_DIGITS = 8;
/** Offset of the JSON in its line. */
const JSON_AT = CHECKSUM_DIGITS + 1;
/** A file system may store the length of a write without its bytes, which then are zeros. */
const BEGINNING_OF_A_RECORD = /^(?:[0-9a-f]{0,8}\0*|[0-9a-f]{8} .*)$/s;

export interface SpoolContent {
  readonly records: readonly ReceivedBody[];
  /** Lines that are no record: set aside for a person. */
  readonly damaged: readonly Buffer[];
  /** Bytes at the end that a crash cut off; none of their deliveries was answered. */
  readonly tornBytes: number;
}

export function encodeRecords(records: readonly ReceivedBody[]): Buffer {
  return Buffer.concat(records.map(encodeRecord));
}

function encodeRecord({ tenant, traceparent, receivedAt, headers, body }: ReceivedBody): Buffer {
  const json = JSON.stringify({ tenant, traceparent, receivedAt, headers, body: body.toString('latin1') });
  const bytes = Buffer.from(`\n${' '.repeat(JSON_AT)}${json}\n`, 'latin1');
  bytes.write(checksumText(bytes.subarray(1 + JSON_AT, -1)), 1);
  return bytes;
}

/** Decodes every readable line of a file's bytes. */
export function decodeSpoolFile(bytes: Buffer): SpoolContent {
  const records: ReceivedBody[] = [];
  const damaged: Buffer[] = [];
  let start = 0;
  for (let end = bytes.indexOf(LINE_END); end >= 0; end = bytes.indexOf(LINE_END, start)) {
    const line = bytes.subarray(start, end);
    const record = readLine(line);
    if (record !== null) records.push(record);
    else if (line.length > 0) damaged.push(line);
    start = end + 1;
  }
  const tail = bytes.subarray(start);
  if (isTorn(tail)) return { records, damaged, tornBytes: tail.length };
  return { records, damaged: [...damaged, tail], tornBytes: 0 };
}

type LineContent = Readonly<Record<Exclude<keyof ReceivedBody, 'headers'>, string>> & Pick<ReceivedBody, 'headers'>;

/** Null if the line is no record. */
function readLine(line: Buffer): ReceivedBody | null {
  const json = line.subarray(JSON_AT);
  if (line.toString('latin1', 0, JSON_AT) !== `${checksumText(json)} `) return null;
  try {
    const { receivedAt, body, ...line } = JSON.parse(json.toString('latin1')) as LineContent;
    return { ...line, receivedAt: new Date(receivedAt), body: Buffer.from(body, 'latin1') };
  } catch {
    return null;
  }
}

/** A tail is damaged, not torn, if it begins no record, or is a whole one with another byte for its line end. */
function isTorn(tail: Buffer): boolean {
  return readLine(tail.subarray(0, -1)) === null && BEGINNING_OF_A_RECORD.test(tail.toString('latin1'));
}

function checksumText(bytes: Buffer): string {
  return checksum(bytes).toString(16).padStart(CHECKSUM_DIGITS, '0');
}
