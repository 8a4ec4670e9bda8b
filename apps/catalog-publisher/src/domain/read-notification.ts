import { isFailureEvent, OPERATION_FAILED } from '@gondola/shared/topics/event-names';
import {
  type EntityIdentity,
  isRelatedEntity,
  notificationIdentity,
  RELATED_ENTITY_KINDS,
} from '@gondola/shared/topics/identities';
import {
  decodeUtf8,
  isPlainRecord,
  type JsonRecord,
  type JsonValue,
  tryParseWithDigits,
} from '@gondola/shared/json/json-digits';
import { type ByteSpan, scanEnvelope, spanBytes, wantedNames } from '@gondola/shared/json/span-scanner';
import { isCatalogKind } from './catalog-kinds.ts';
import type { OperationReport } from './operation-report.ts';

const WANTED = wantedNames('relatedEntity', 'operationId', 'eventType', 'data', 'error');

/** A product's report in its envelope. */
export interface ProductNotification {
  readonly externalReference: string;
  readonly operationId: string;
  readonly eventType: string;
  /** `data`, byte for byte. */
  readonly data: Uint8Array;
}

/** What is told of a brand, a category or an operation. */
export interface OperationNotification extends Omit<OperationReport, 'id'> {
  /** It may be about none of ours: only an operation of ours makes it one of our concern. */
  readonly isForeign: boolean;
}

export type ReadNotification =
  | { readonly kind: 'product'; readonly notification: ProductNotification }
  | { readonly kind: 'operation'; readonly notification: OperationNotification }
  /** Nothing for this app. */
  | { readonly kind: 'none'; readonly why: string };

/**
 * What a notification of the platform says of the catalog (docs/platform.md, "Notification envelope"): a product's
 * report is in `data`; of brands, categories and failed operations the error is in the envelope. Fields win over event
 * names (rule 26): an error is a failure, whatever the name; without one the name decides, since names of successes are
 * not shown.
 */
export function readNotification(envelope: Uint8Array): ReadNotification {
  const scan = scanEnvelope(envelope, WANTED);
  if (!scan.ok) return none('not-an-envelope');
  const at = (span: ByteSpan | undefined) => valueOf(spanBytes(envelope, span));
  const relatedEntity = at(scan.spans.get('relatedEntity'));
  const operationId = at(scan.spans.get('operationId'));
  const eventType = at(scan.spans.get('eventType'));
  if (!isRelatedEntity(relatedEntity) || typeof operationId !== 'string' || typeof eventType !== 'string') {
    return none('no-identity');
  }
  const isOurs = isCatalogKind(RELATED_ENTITY_KINDS[relatedEntity]);
  if (!isOurs && eventType !== OPERATION_FAILED) return none('other-entity');
  const entity = isOurs ? notificationIdentity(relatedEntity, at(scan.spans.get('data'))) : null;
  const data = spanBytes(envelope, scan.spans.get('data'));
  if (relatedEntity === 'ProductWithSKUs' && eventType !== OPERATION_FAILED) {
    if (entity === null || data === null) return none('no-identity');
    return {
      kind: 'product',
      notification: { externalReference: entity.identity, operationId, eventType, data },
    };
  }
  const error = at(scan.spans.get('error'));
  return {
    kind: 'operation',
    notification: {
      operationId,
      entity: entityOf(entity),
      failed: (error !== undefined && error !== null) || isFailureEvent(eventType),
      error: recordOrNull(error),
      isForeign: !isOurs,
    },
  };
}

function entityOf(entity: EntityIdentity | null): OperationReport['entity'] {
  if (entity === null || !isCatalogKind(entity.kind)) return null;
  return { kind: entity.kind, externalReference: entity.identity };
}

function valueOf(bytes: Uint8Array | null): JsonValue | undefined {
  return bytes === null ? undefined : tryParseWithDigits(decodeUtf8(bytes) ?? '');
}

function recordOrNull(value: JsonValue | undefined): JsonRecord | null {
  return isPlainRecord(value) ? value : null;
}

function none(why: string): ReadNotification {
  return { kind: 'none', why };
}
