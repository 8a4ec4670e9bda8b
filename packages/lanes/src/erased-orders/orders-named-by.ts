import { isPlainRecord, parseBytes } from '@gondola/shared/json/json-digits';
import { orderNumberText } from '@gondola/shared/topics/identities';

/** Key and value of a stored record, which may name an order. */
export interface StoredRecord {
  readonly key: Uint8Array | null;
  readonly value: Uint8Array | null;
}

/**
 * Numbers of the orders that a record concerns: `orderNumber` of a command, result or event, or `data.number` of a
 * notification. If the value has neither, whatever its form is, every number in value and key counts: erasing one
 * record too many is better than one too few.
 */
export function ordersNamedBy({ key, value }: StoredRecord): ReadonlySet<string> {
  const record = parseBytes(value);
  const { data, orderNumber } = isPlainRecord(record) ? record : {};
  const named = [orderNumber, isPlainRecord(data) ? data['number'] : null].flatMap(
    (number) => orderNumberText(number) ?? [],
  );
  return new Set(named.length > 0 ? named : [key, value].flatMap(numbersIn));
}

function numbersIn(bytes: Uint8Array | null): string[] {
  if (bytes === null) return [];
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
  return (text.match(/\d+/g) ?? []).flatMap((digits) => orderNumberText(digits) ?? []);
}
