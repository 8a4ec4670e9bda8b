import { parseBytes, parseRecord } from '@gondola/shared/json/json-digits';
import { OPERATION_FAILED } from '@gondola/shared/topics/event-names';
import {
  type EntityIdentity,
  isRelatedEntity,
  notificationIdentity,
  RELATED_ENTITY_KINDS,
} from '@gondola/shared/topics/identities';
import { readEnvelope } from '@gondola/shared/topics/notification-envelope';
import { isCatalogKind } from '../records/catalog-kinds.ts';
import type { OperationReport } from './operation-report.ts';

/** A product's report in its envelope. */
export interface ProductNotification {
  readonly externalReference: string;
  readonly operationId: string;
  readonly eventType: string;
  /** `data`, byte for byte. */
  readonly data: Uint8Array;
}

/** A notification of a brand, a category or an operation. */
export interface OperationNotification extends Omit<OperationReport, 'id'> {
  /** True if the notification may belong to another system: it counts only for an operation of Gondola's. */
  readonly isForeign: boolean;
}

export type ReadNotification =
  | { readonly kind: 'product'; readonly notification: ProductNotification }
  | { readonly kind: 'operation'; readonly notification: OperationNotification }
  /** Not relevant for this app. */
  | { readonly kind: 'none'; readonly why: string };

/**
 * Reads a catalog notification (docs/platform.md, "Notification envelope"): a product's report is in `data`; brands,
 * categories and failed operations have their error in the envelope. Fields win over event names (rule 26): an error
 * is a failure, whatever the name; without an error the name decides, since the document shows no names of successes.
 */
export function readNotification(value: Uint8Array): ReadNotification {
  const envelope = readEnvelope(value);
  if (envelope === null) return none('not-an-envelope');
  const { relatedEntity, operationId, eventType, dataBytes, isFailure } = envelope;
  if (!isRelatedEntity(relatedEntity) || operationId === null || eventType === '') return none('no-identity');
  const isOurs = isCatalogKind(RELATED_ENTITY_KINDS[relatedEntity]);
  if (!isOurs && eventType !== OPERATION_FAILED) return none('other-entity');
  const entity = isOurs ? notificationIdentity(relatedEntity, parseBytes(dataBytes)) : null;
  if (relatedEntity === 'ProductWithSKUs' && eventType !== OPERATION_FAILED) {
    if (entity === null || dataBytes === null) return none('no-identity');
    return {
      kind: 'product',
      notification: { externalReference: entity.identity, operationId, eventType, data: dataBytes },
    };
  }
  return {
    kind: 'operation',
    notification: {
      operationId,
      entity: entityOf(entity),
      failed: isFailure,
      error: parseRecord(envelope.errorBytes),
      isForeign: !isOurs,
    },
  };
}

function entityOf(entity: EntityIdentity | null): OperationReport['entity'] {
  if (entity === null || !isCatalogKind(entity.kind)) return null;
  return { kind: entity.kind, externalReference: entity.identity };
}

function none(why: string): ReadNotification {
  return { kind: 'none', why };
}
