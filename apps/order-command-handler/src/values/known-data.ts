import { type JsonRecord, parseRecord } from '@gondola/shared/json/json-digits';
import type { OrderState } from '../orders/order-state.ts';
import { layOver } from './lay-over.ts';

/** The ids of the facts whose `data` hold an order's values: the newest notification, and a newer reading. */
export function factsWithValues(state: OrderState | null): string[] {
  return [state?.valuesFact, state?.payloadFact].flatMap((fact) => fact?.id ?? []);
}

/** An order as it is known: a newer reading laid over the newest notification; null where there is neither. */
export function knownData(state: OrderState | null, dataOf: ReadonlyMap<string, Buffer>): JsonRecord | null {
  const notified = parseRecord(dataOf.get(state?.valuesFact?.id ?? ''));
  const read = parseRecord(dataOf.get(state?.payloadFact?.id ?? ''));
  return notified === null || read === null ? (notified ?? read) : layOver(notified, read);
}
