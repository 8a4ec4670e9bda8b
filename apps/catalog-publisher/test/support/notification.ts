import { notificationKey } from '@gondola/shared/topics/dedup-keys';
import { scanEnvelope, spanBytes } from '@gondola/shared/json/span-scanner';

export interface NotificationParts {
  readonly tenant: string;
  readonly operationId: string;
  readonly eventType?: string;
  readonly relatedEntity?: string;
  readonly data: object;
  readonly error?: object;
}

/** An envelope as webhook-ingest passes it on, with its dedup key. */
export function notification(parts: NotificationParts): { key: string; value: Buffer } {
  const { tenant, operationId, eventType = 'ProductWithSKUs_Updated', relatedEntity = 'ProductWithSKUs' } = parts;
  const { data, error } = parts;
  const contractAccountId = '11111111-1111-4111-8111-111111111111';
  const envelope = {
    operationId,
    contractAccountId,
    relatedEntity,
    eventType,
    data,
    ...(error !== undefined && { error }),
  };
  const value = Buffer.from(JSON.stringify(envelope));
  const scan = scanEnvelope(value);
  if (!scan.ok) throw new Error('The test envelope is no JSON');
  const dataBytes = spanBytes(value, scan.spans.get('data'));
  const errorBytes = spanBytes(value, scan.spans.get('error'));
  return { key: notificationKey({ tenant, operationId, eventType, dataBytes, errorBytes }), value };
}
