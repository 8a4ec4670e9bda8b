import { createHash } from 'node:crypto';
import { notificationKey } from '@gondola/shared/dedup-keys';
import { notificationTopic, OPERATION_FAILED } from '@gondola/shared/event-names';
import { isIdentityText, isRelatedEntity, notificationRoute, partitionKey } from '@gondola/shared/identities';
import { decodeUtf8, type JsonValue, tryParseWithDigits } from '@gondola/shared/json-digits';
import { type EnvelopeSpans, scanEnvelope, spanBytes } from '@gondola/shared/span-scanner';
import type { TopicName } from '@gondola/shared/topics';

/** Whose webhook a body came by. */
export interface Receiver {
  readonly id: string;
  readonly contractAccountId: string;
  /** Whether user notifications are told (rule 6); they are stored either way. */
  readonly users: boolean;
}

/** A notification that is understood well enough to be passed on; its `data` is judged by those who read the topic. */
export interface Notification {
  readonly dedupKey: string;
  readonly operationId: string;
  readonly eventType: string;
  readonly relatedEntity: string;
  /** Null: stored, and told nobody. */
  readonly topic: TopicName | null;
  readonly partitionKey: string;
  /** Null where the entity has no identity that may stand in a header. */
  readonly subject: string | null;
}

export type QuarantineReason = 'NOT_JSON' | 'FIELD_REQUIRED' | 'ENTITY_UNKNOWN' | 'TENANT_MISMATCH';

export type ReadNotification =
  | { readonly kind: 'notification'; readonly notification: Notification }
  /** Stored and shown, on no topic (rule 4). `detail` names a field, never a value. */
  | {
      readonly kind: 'quarantine';
      readonly dedupKey: string;
      readonly reason: QuarantineReason;
      readonly detail: string;
    };

const TEXT_FIELDS = ['operationId', 'contractAccountId', 'relatedEntity', 'eventType'] as const;

/**
 * What an authenticated body is (platform-api.md, "Notification envelope"). An unknown event name of a known entity goes on, since fields are
 * what it is judged by; what is not understood is kept in quarantine, because the platform would only send the same bytes twice more.
 */
export function readNotification(receiver: Receiver, body: Uint8Array): ReadNotification {
  const scan = scanEnvelope(body);
  if (!scan.ok) return quarantine(receiver, body, 'NOT_JSON', scan.reason);
  const { spans } = scan;
  const values = Object.fromEntries(TEXT_FIELDS.map((name) => [name, valueOf(body, spans, name)]));
  const missing = TEXT_FIELDS.find((name) => !isIdentityText(values[name]));
  if (missing !== undefined) return quarantine(receiver, body, 'FIELD_REQUIRED', missing);
  if (spans['data'] === undefined) return quarantine(receiver, body, 'FIELD_REQUIRED', 'data');
  const { operationId, contractAccountId, relatedEntity, eventType } = values as Record<
    (typeof TEXT_FIELDS)[number],
    string
  >;
  if (contractAccountId.toLowerCase() !== receiver.contractAccountId.toLowerCase()) {
    return quarantine(receiver, body, 'TENANT_MISMATCH', 'contractAccountId');
  }
  const tenant = receiver.id;
  const dedupKey = notificationKey({
    tenant,
    operationId,
    eventType,
    dataBytes: spanBytes(body, spans['data']),
    errorBytes: spanBytes(body, spans['error']),
  });
  const known = { dedupKey, operationId, eventType, relatedEntity };
  if (isRelatedEntity(relatedEntity)) {
    const data = valueOf(body, spans, 'data') ?? null;
    const route = notificationRoute({ tenant, operationId, relatedEntity, data });
    const topic = notificationTopic(relatedEntity, eventType);
    const isTold = topic !== 'platform.notifications.users.v1' || receiver.users;
    const { partitionKey: key, subject } = route;
    return {
      kind: 'notification',
      notification: { ...known, topic: isTold ? topic : null, partitionKey: key, subject },
    };
  }
  // A refusal may be about any entity, one that the document does not know included.
  if (eventType !== OPERATION_FAILED) return quarantine(receiver, body, 'ENTITY_UNKNOWN', 'relatedEntity');
  const key = partitionKey(tenant, 'operation', operationId);
  return {
    kind: 'notification',
    notification: { ...known, topic: 'platform.notifications.orders.v1', partitionKey: key, subject: null },
  };
}

function valueOf(body: Uint8Array, spans: EnvelopeSpans, name: string): JsonValue | undefined {
  const bytes = spanBytes(body, spans[name]);
  return bytes === null ? undefined : tryParseWithDigits(decodeUtf8(bytes) ?? '');
}

/** Equal bytes of one tenant are one entry, however often they come. */
function quarantine(receiver: Receiver, body: Uint8Array, reason: QuarantineReason, detail: string): ReadNotification {
  const hash = createHash('sha256').update(body).digest('hex');
  return { kind: 'quarantine', dedupKey: `${receiver.id}:quarantine:${hash}`, reason, detail };
}
