import { isRelatedEntity, notificationIdentity, subjectOf } from '@gondola/shared/topics/identities';
import { readEnvelope } from '@gondola/shared/topics/notification-envelope';
import { identityFields } from '../notifications/identity-fields.ts';

/**
 * Subject (as in `ce_subject`) of the order that a quarantined body concerns; null if none can be read. A body that
 * names no entity counts as an order's if its `data` has an order number: erasing one content too many is better
 * than one too few. Pure.
 */
export function orderOfBody(body: Uint8Array): string | null {
  const envelope = readEnvelope(body);
  if (envelope === null || envelope.dataBytes === null) return null;
  const { relatedEntity, dataBytes } = envelope;
  if (relatedEntity !== 'Order' && isRelatedEntity(relatedEntity)) return null;
  const identity = notificationIdentity('Order', identityFields(dataBytes));
  return identity === null ? null : subjectOf(identity);
}
