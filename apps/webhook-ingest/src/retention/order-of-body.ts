import { isRelatedEntity, notificationIdentity, subjectOf } from '@gondola/shared/topics/identities';
import { readEnvelope } from '@gondola/shared/topics/notification-envelope';
import { identityFields } from '../notifications/identity-fields.ts';

/**
 * The order that a body in quarantine is about, as `ce_subject` would name it; null where none can be read. A body that
 * does not say which entity it is about is an order's if its `data` has an order's number: better one content too many
 * erased than one too few. Pure.
 */
export function orderOfBody(body: Uint8Array): string | null {
  const envelope = readEnvelope(body);
  if (envelope === null || envelope.dataBytes === null) return null;
  const { relatedEntity, dataBytes } = envelope;
  if (relatedEntity !== 'Order' && isRelatedEntity(relatedEntity)) return null;
  const identity = notificationIdentity('Order', identityFields(dataBytes));
  return identity === null ? null : subjectOf(identity);
}
