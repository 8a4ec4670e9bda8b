import { createHash } from 'node:crypto';
import { notificationKey } from '@gondola/shared/topics/dedup-keys';
import { notificationTopic, OPERATION_FAILED } from '@gondola/shared/topics/event-names';
import { isRelatedEntity, notificationRoute, partitionKey } from '@gondola/shared/topics/identities';
import { scanEnvelopeInside, spanBytes, wantedNames } from '@gondola/shared/json/span-scanner';
import { ENVELOPE_TEXTS, envelopeText } from '@gondola/shared/topics/notification-envelope';
import type { TopicName } from '@gondola/shared/topics/topics';
import { IDENTITY_NAMES, identityFieldsAt } from './identity-fields.ts';

/** Tenant whose webhook received a body. */
export interface Receiver {
  readonly id: string;
  readonly contractAccountId: string;
  /** True if user notifications are published (rule 6); they are stored either way. */
  readonly users: boolean;
  /** True if accepted bodies are passed on to another receiver, too. */
  readonly isMirrored: boolean;
}

/** A notification that is understood well enough to be published; consumers of the topic judge its `data`. */
export interface Notification {
  readonly dedupKey: string;
  readonly operationId: string;
  readonly eventType: string;
  readonly relatedEntity: string;
  /** Null: stored but not published. */
  readonly topic: TopicName | null;
  readonly partitionKey: string;
  /** Null if the entity has no identity that a header may hold. */
  readonly subject: string | null;
}

/**
 * Reasons for the quarantine. `NOT_STORABLE`: a notification that the inbox refused; all others: no notification.
 */
export const QUARANTINE_REASONS = [
  'NOT_JSON',
  'FIELD_REQUIRED',
  'FIELD_TYPE',
  'LIMIT',
  'ENTITY_UNKNOWN',
  'TENANT_MISMATCH',
  'NOT_STORABLE',
] as const;
export type QuarantineReason = (typeof QUARANTINE_REASONS)[number];

/** Stored and shown, but on no topic (rule 4). `detail` names a field, never a value. */
export interface Quarantined {
  readonly dedupKey: string;
  readonly reason: QuarantineReason;
  readonly detail: string;
}

export type ReadNotification =
  | { readonly kind: 'notification'; readonly notification: Notification }
  | { readonly kind: 'quarantine'; readonly quarantined: Quarantined };

const WANTED = wantedNames(...ENVELOPE_TEXTS, 'data', 'error', ...IDENTITY_NAMES);

/**
 * Reads an authenticated body (docs/platform.md, "Notification envelope"). An unknown event name of a known entity
 * passes, because consumers judge it by its fields. A body that is not understood goes into the quarantine, because
 * the platform would only send the same bytes twice more.
 */
export function readNotification(receiver: Receiver, body: Buffer): ReadNotification {
  const tenant = receiver.id;
  const refuse = (reason: QuarantineReason, detail: string): ReadNotification => ({
    kind: 'quarantine',
    quarantined: quarantined(tenant, body, reason, detail),
  });
  const scan = scanEnvelopeInside(body, 'data', WANTED);
  if (!scan.ok) return refuse('NOT_JSON', scan.reason);
  const { spans, inside } = scan;
  const texts: Record<string, string> = {};
  for (const name of ENVELOPE_TEXTS) {
    const read = envelopeText(body, spans.get(name));
    if ('problem' in read) return refuse(read.problem, name);
    texts[name] = read.text;
  }
  const { operationId, contractAccountId, relatedEntity, eventType } = texts as Record<
    (typeof ENVELOPE_TEXTS)[number],
    string
  >;
  const dataBytes = spanBytes(body, spans.get('data'));
  if (dataBytes === null) return refuse('FIELD_REQUIRED', 'data');
  if (contractAccountId.toLowerCase() !== receiver.contractAccountId.toLowerCase()) {
    return refuse('TENANT_MISMATCH', 'contractAccountId');
  }
  const errorBytes = spanBytes(body, spans.get('error'));
  const dedupKey = notificationKey({ tenant, operationId, eventType, dataBytes, errorBytes });
  const known = { dedupKey, operationId, eventType, relatedEntity };
  if (isRelatedEntity(relatedEntity)) {
    const data = inside === null ? null : identityFieldsAt(body, inside);
    const route = notificationRoute({ tenant, operationId, relatedEntity, data });
    const topic = notificationTopic(relatedEntity, eventType);
    const isPublished = topic !== 'platform.notifications.users.v1' || receiver.users;
    return notification({ ...known, ...pathOf(route), topic: isPublished ? topic : null });
  }
  // A failure event may concern any entity, also one that the platform's document does not list.
  if (eventType !== OPERATION_FAILED) return refuse('ENTITY_UNKNOWN', 'relatedEntity');
  const key = partitionKey(tenant, 'operation', operationId);
  return notification({ ...known, topic: 'platform.notifications.orders.v1', partitionKey: key, subject: null });
}

/** Quarantine entry of a body. Equal bytes of one tenant are one entry, however often they are delivered. */
export function quarantined(tenant: string, body: Uint8Array, reason: QuarantineReason, detail: string): Quarantined {
  const hash = createHash('sha256').update(body).digest('hex');
  return { dedupKey: `${tenant}:quarantine:${hash}`, reason, detail };
}

function notification(value: Notification): ReadNotification {
  return { kind: 'notification', notification: value };
}

function pathOf({ partitionKey: key, subject }: { partitionKey: string; subject: string | null }) {
  return { partitionKey: key, subject };
}

/** A received body that is not read yet. */
export interface ReceivedBody {
  readonly tenant: string;
  readonly body: Buffer;
  readonly traceparent: string;
  readonly receivedAt: Date;
  /** Headers to pass on to the tenant's mirror, names and values in turn; absent without a mirror. */
  readonly headers?: readonly string[];
}

/** A notification that is to be stored. */
export interface NewNotification extends Notification {
  readonly received: ReceivedBody;
}

/** A quarantine entry that is to be stored. */
export interface NewQuarantined extends Quarantined {
  readonly received: ReceivedBody;
}

/** A received body and its meaning, which is read on first use: the spool never reads it. */
export class Incoming {
  readonly received: ReceivedBody;
  readonly #receiver: Receiver;
  #read: ReadNotification | undefined;

  constructor(receiver: Receiver, received: ReceivedBody) {
    this.#receiver = receiver;
    this.received = received;
  }

  get read(): ReadNotification {
    this.#read ??= this.#reading();
    return this.#read;
  }

  /**
   * A body that cannot be read goes into the quarantine like any other that is not understood: delivered again, it
   * would fail again and then be lost.
   */
  #reading(): ReadNotification {
    const { tenant, body } = this.received;
    try {
      return readNotification(this.#receiver, body);
    } catch (error) {
      return {
        kind: 'quarantine',
        quarantined: quarantined(tenant, body, 'NOT_STORABLE', error instanceof Error ? error.name : typeof error),
      };
    }
  }
}
