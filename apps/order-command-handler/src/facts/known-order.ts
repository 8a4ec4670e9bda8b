import { type JsonRecord, isPlainRecord, type JsonValue } from '@gondola/shared/json/json-digits';
import { platformMoment } from '@gondola/shared/time';
import type { FactContent } from './fact-content.ts';
import type { OrderState } from './order-state.ts';

/** Ids of the facts with an order's values: the newest notification, and a newer read. */
export function factsWithValues(state: OrderState | null): string[] {
  return [state?.valuesFact, state?.payloadFact].flatMap((fact) => fact?.id ?? []);
}

/**
 * The order, in the platform's fields, as its facts together say it: the newest notification with a newer read merged
 * into it; null for neither.
 */
export function knownOrder(state: OrderState | null, contents: ReadonlyMap<string, FactContent>): JsonRecord | null {
  const notified = contents.get(state?.valuesFact?.id ?? '')?.record ?? null;
  const read = contents.get(state?.payloadFact?.id ?? '')?.record ?? null;
  return notified === null || read === null ? (notified ?? read) : layOver(notified, dated(read));
}

/** A read without a date that is understood leaves the known one: the date of an order never falls. */
function dated(read: JsonRecord): JsonRecord {
  if (platformMoment(read['updatedAt']) !== null) return read;
  const { updatedAt: _notUnderstood, ...rest } = read;
  return rest;
}

/**
 * Merges a newer read into the known order (rules 9, 18). A read has only a part of the fields: it replaces those and
 * erases none. Null, an empty list and an absent key change nothing. A list replaces the whole list; its entries are
 * merged into the known entries with the same identity.
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

/** Identity of a list entry: an item's SKU, a payment's transaction, or an id. */
const IDENTITIES = ['skuId', 'transactionId', 'id'] as const;

/** Entries with the same SKU are matched by their order. */
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
