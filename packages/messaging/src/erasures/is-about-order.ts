import { isPlainRecord, parseBytes } from '@gondola/shared/json/json-digits';
import { orderNumberText } from '@gondola/shared/topics/identities';

/** A stored record, by what may name an order. */
export interface StoredRecord {
  readonly key: Uint8Array | null;
  readonly value: Uint8Array | null;
}

/**
 * Whether a record is about an order: its value names it as a command, a result or an event does (`orderNumber`), or as
 * a notification does (`data.number`). Of a value that is no JSON the number itself is looked for, in it and as its
 * key: better one content too many erased than one too few.
 */
export function isAboutOrder({ key, value }: StoredRecord, orderNumber: string): boolean {
  const record = parseBytes(value);
  if (record === undefined) return [key, value].some((bytes) => hasNumber(bytes, orderNumber));
  if (!isPlainRecord(record)) return false;
  const { data, orderNumber: named } = record;
  const ofData = isPlainRecord(data) ? orderNumberText(data['number']) : null;
  return orderNumberText(named) === orderNumber || ofData === orderNumber;
}

function hasNumber(bytes: Uint8Array | null, number: string): boolean {
  if (bytes === null) return false;
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
  return new RegExp(`(?<!\\d)${number}(?!\\d)`).test(text);
}
