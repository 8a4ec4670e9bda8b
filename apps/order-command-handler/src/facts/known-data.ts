import { type JsonRecord, parseRecord } from '@gondola/shared/json/json-digits';
import type { OrderState } from './order-state.ts';
import { layOver } from './lay-over.ts';

/** Ids of the facts with an order's values: the newest notification, and a newer read. */
export function factsWithValues(state: OrderState | null): string[] {
  return [state?.valuesFact, state?.payloadFact].flatMap((fact) => fact?.id ?? []);
}

/** The known order: the newest notification with a newer read merged into it; null for neither. */
export function knownData(state: OrderState | null, dataOf: ReadonlyMap<string, Buffer>): JsonRecord | null {
  const notified = parseRecord(dataOf.get(state?.valuesFact?.id ?? ''));
  const read = parseRecord(dataOf.get(state?.payloadFact?.id ?? ''));
  return notified === null || read === null ? (notified ?? read) : layOver(notified, read);
}
