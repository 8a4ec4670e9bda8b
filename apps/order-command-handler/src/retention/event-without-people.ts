import { type JsonRecord, parseRecord, recordOrNull, stringifyWithDigits } from '@gondola/shared/json/json-digits';
import { redactOrder } from '@gondola/shared/orders/redact-order';
import { addressOf, customerOf } from '../facts/order-people.ts';

const NOBODY = { customer: customerOf({}), address: addressOf({}), payments: [] } as unknown as JsonRecord;

/** An order event that is not published yet, as it is made after the order's erasure; null if it is no event. */
export function eventWithoutPeople(value: Uint8Array): Buffer | null {
  const event = parseRecord(value);
  if (event === null) return null;
  const order = recordOrNull(event['order']);
  const platform = recordOrNull(event['platform']);
  const redacted = platform === null ? null : parseRecord(redactOrder(Buffer.from(stringifyWithDigits(platform))));
  return Buffer.from(
    stringifyWithDigits({ ...event, ...(order !== null && { order: { ...order, ...NOBODY } }), platform: redacted }),
  );
}
