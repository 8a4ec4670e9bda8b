import type { JsonRecord } from '@gondola/shared/json/json-digits';
import { shownStatus } from '@gondola/shared/orders/read-values';
import { platformMoment } from '@gondola/shared/time';
import type { InvoiceFacts, Payload } from '../../src/platform/order-calls.ts';

/** The answer of `webhook-payload` as `PlatformAdapter` reads it; the invoice's facts need a wire profile. */
export function payloadOf(data: JsonRecord, facts: Partial<InvoiceFacts> = {}): Payload {
  return {
    bytes: Buffer.from(JSON.stringify(data)),
    status: shownStatus(data['status']),
    updatedAt: platformMoment(data['updatedAt']),
    version: typeof data['eventType'] === 'number' && data['contractAccountId'] !== undefined ? 'v2' : 'v1',
    orderId: typeof data['id'] === 'string' ? data['id'] : null,
    price: null,
    invoices: [],
    attached: false,
    ...facts,
  };
}
