import { isPlainRecord, parseBytes } from '@gondola/shared/json/json-digits';
import { orderNumberText } from '@gondola/shared/topics/identities';

/** A stored record, by what may name an order. */
export interface StoredRecord {
  readonly key: Uint8Array | null;
  readonly value: Uint8Array | null;
}

/**
 * The orders that a record is about: its value names one as a command, a result or an event does (`orderNumber`), or as
 * a notification does (`data.number`). Of a value that is no JSON every number counts, in it and in its key: better one
 * content too many erased than one too few.
 */
export function ordersNamedBy({ key, value }: StoredRecord): ReadonlySet<string> {
  const record = parseBytes(value);
  if (record === undefined) return new Set([key, value].flatMap(numbersIn));
  if (!isPlainRecord(record)) return new Set();
  const { data, orderNumber } = record;
  const named = [orderNumber, isPlainRecord(data) ? data['number'] : null];
  return new Set(named.flatMap((number) => orderNumberText(number) ?? []));
}

function numbersIn(bytes: Uint8Array | null): string[] {
  if (bytes === null) return [];
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
  return (text.match(/\d+/g) ?? []).flatMap((digits) => orderNumberText(digits) ?? []);
}
