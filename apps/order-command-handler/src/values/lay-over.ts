import { isPlainRecord, type JsonRecord, type JsonValue } from '@gondola/shared/json/json-digits';

/**
 * A newer reading laid over the order that is known (rules 9, 18): a reading holds a part of the fields, so that it
 * replaces those that it has and erases none. Null, an empty list and an absent key all say nothing. A list that it has
 * is the whole list; its entries are laid over the entries that they are about.
 */
export function layOver(known: JsonRecord, read: JsonRecord): JsonRecord {
  const laid = Object.entries(read)
    .filter(([, value]) => saysSomething(value))
    .map(([key, value]) => [key, laidOver(ownValue(known, key), value)] as const);
  return { ...known, ...Object.fromEntries(laid) };
}

function laidOver(known: JsonValue | undefined, read: JsonValue): JsonValue {
  if (isPlainRecord(read)) return isPlainRecord(known) ? layOver(known, read) : read;
  if (Array.isArray(read)) return Array.isArray(known) ? entriesOver(known, read) : read;
  return read;
}

/** What an entry is about: an item's SKU, a payment's transaction, or the id that any other entry has. */
const IDENTITIES = ['skuId', 'transactionId', 'id'] as const;

/** A SKU that stands in a list twice is told apart by its place among its like. */
function entriesOver(known: readonly JsonValue[], read: readonly JsonValue[]): JsonValue[] {
  const waiting = Map.groupBy(known, identityOf);
  return read.map((entry) => laidOver(waiting.get(identityOf(entry))?.shift(), entry));
}

function identityOf(entry: JsonValue): string | null {
  if (!isPlainRecord(entry)) return null;
  const texts = IDENTITIES.map((key) => ownValue(entry, key));
  return (texts.find((value) => typeof value === 'string' && value !== '') as string | undefined) ?? null;
}

function ownValue(record: JsonRecord, key: string): JsonValue | undefined {
  return Object.hasOwn(record, key) ? record[key] : undefined;
}

function saysSomething(value: JsonValue): boolean {
  return value !== null && !(Array.isArray(value) && value.length === 0);
}
