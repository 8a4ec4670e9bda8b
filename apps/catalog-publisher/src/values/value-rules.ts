import { notificationIdentity } from '@gondola/shared/topics/identities';
import { type ValueKind, VALUES } from '@gondola/shared/topics/values';
import type { JsonRecord } from '@gondola/shared/json/json-digits';

/** Name of a posted value in the platform's notifications; null for none, so that it is sent in a call of its own. */
export function platformIdentity(kind: ValueKind, body: JsonRecord): string | null {
  return notificationIdentity(VALUES[kind].relatedEntity, body)?.identity ?? null;
}
