import { isRelatedEntity, notificationIdentity } from '@gondola/shared/identities';
import { decodeUtf8, tryParseWithDigits } from '@gondola/shared/json-digits';
import { type ByteSpan, scanEnvelope, spanBytes } from '@gondola/shared/span-scanner';

/** A product's report in its envelope. */
export interface ReportNotification {
  readonly externalReference: string;
  readonly operationId: string;
  readonly eventType: string;
  /** `data`, byte for byte. */
  readonly data: Uint8Array;
}

export type ReadReportNotification =
  | { readonly kind: 'report'; readonly notification: ReportNotification }
  /** Another entity's, or a product's without a report. */
  | { readonly kind: 'none'; readonly why: string };

/** The report that a notification of the platform carries (platform-api.md, "Notification envelope"). */
export function readReportNotification(envelope: Uint8Array): ReadReportNotification {
  const scan = scanEnvelope(envelope);
  if (!scan.ok) return { kind: 'none', why: 'not-an-envelope' };
  const text = (span: ByteSpan | undefined) =>
    tryParseWithDigits(decodeUtf8(spanBytes(envelope, span) ?? new Uint8Array()) ?? '');
  const relatedEntity = text(scan.spans['relatedEntity']);
  if (!isRelatedEntity(relatedEntity) || relatedEntity !== 'ProductWithSKUs')
    return { kind: 'none', why: 'other-entity' };
  const operationId = text(scan.spans['operationId']);
  const eventType = text(scan.spans['eventType']);
  const entity = notificationIdentity(relatedEntity, text(scan.spans['data']));
  const data = spanBytes(envelope, scan.spans['data']);
  if (entity === null || data === null || typeof operationId !== 'string' || typeof eventType !== 'string') {
    return { kind: 'none', why: 'no-identity' };
  }
  return { kind: 'report', notification: { externalReference: entity.identity, operationId, eventType, data } };
}
