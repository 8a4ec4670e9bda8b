import { randomUUID } from 'node:crypto';
import { scanEnvelope, spanBytes } from '../json/span-scanner.ts';
import { notificationKey } from '../topics/dedup-keys.ts';

export interface NotificationParts {
  readonly eventType?: string;
  readonly operationId?: string;
  readonly relatedEntity?: string;
  /** An object, or JSON text that is inserted into the envelope unchanged. */
  readonly data: object | string;
  /** Like `data`; if undefined, the key is absent. */
  readonly error?: object | string;
}

/** Envelope of an order's or another entity's notification as webhook-ingest publishes it, with its key. */
export function notification(tenant: string, parts: NotificationParts): { key: string; value: Buffer } {
  const { eventType = 'Order_Updated', operationId = randomUUID(), relatedEntity = 'Order', data, error } = parts;
  const contractAccountId = '11111111-1111-4111-8111-111111111111';
  const head = JSON.stringify({ operationId, contractAccountId, relatedEntity, eventType });
  const failure = error === undefined ? '' : `,"error":${jsonOf(error)}`;
  const value = Buffer.from(`${head.slice(0, -1)},"data":${jsonOf(data)}${failure}}`);
  const scan = scanEnvelope(value);
  if (!scan.ok) throw new Error('The test envelope is no JSON');
  const dataBytes = spanBytes(value, scan.spans.get('data'));
  const errorBytes = spanBytes(value, scan.spans.get('error'));
  return { key: notificationKey({ tenant, operationId, eventType, dataBytes, errorBytes }), value };
}

function jsonOf(part: object | string): string {
  return typeof part === 'string' ? part : JSON.stringify(part);
}
