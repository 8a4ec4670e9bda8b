import { createHash } from 'node:crypto';
import { notificationKey } from '@gondola/shared/topics/dedup-keys';
import { notificationTopic, OPERATION_FAILED } from '@gondola/shared/topics/event-names';
import { isIdentityText, isRelatedEntity, notificationRoute, partitionKey } from '@gondola/shared/topics/identities';
import { tryParseWithDigits } from '@gondola/shared/json/json-digits';
import { type ByteSpan, scanEnvelopeInside, spanBytes, wantedNames } from '@gondola/shared/json/span-scanner';
import type { TopicName } from '@gondola/shared/topics/topics';
import { IDENTITY_NAMES, identityFieldsAt } from './identity-fields.ts';

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

/** Why a body is no notification; `NOT_STORABLE`: it is one, and the inbox refused it. */
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

/** Stored and shown, on no topic (rule 4). `detail` names a field, never a value. */
export interface Quarantined {
  readonly dedupKey: string;
  readonly reason: QuarantineReason;
  readonly detail: string;
}

export type ReadNotification =
  | { readonly kind: 'notification'; readonly notification: Notification }
  | { readonly kind: 'quarantine'; readonly quarantined: Quarantined };

type TextField = 'operationId' | 'contractAccountId' | 'relatedEntity' | 'eventType';

const TEXT_FIELDS: readonly TextField[] = ['operationId', 'contractAccountId', 'relatedEntity', 'eventType'];
const WANTED = wantedNames(...TEXT_FIELDS, 'data', 'error', ...IDENTITY_NAMES);
/**
 * In UTF-16 units. An operationId has 36, the longest event name 31; PostgreSQL's unique index takes a dedup key of
 * 2,704 bytes, and two such texts, at three bytes a unit, leave room for the rest of it.
 */
const MAX_TEXT_LENGTH = 255;
/** The longest that the JSON text of such a field can be: all of it `\uXXXX`. */
const MAX_TEXT_BYTES = MAX_TEXT_LENGTH * 6 + 2;
const QUOTE = 0x22;

/**
 * What an authenticated body is (docs/platform.md, "Notification envelope"). An unknown event name of a known entity
 * goes on, since fields are what it is judged by; what is not understood is kept in quarantine, because the platform
 * would only send the same bytes twice more.
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
  for (const name of TEXT_FIELDS) {
    const read = readText(body, spans.get(name));
    if ('problem' in read) return refuse(read.problem, name);
    texts[name] = read.text;
  }
  const { operationId, contractAccountId, relatedEntity, eventType } = texts as Record<TextField, string>;
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
    const isTold = topic !== 'platform.notifications.users.v1' || receiver.users;
    return notification({ ...known, ...pathOf(route), topic: isTold ? topic : null });
  }
  // A refusal may be about any entity, one that the document does not know included.
  if (eventType !== OPERATION_FAILED) return refuse('ENTITY_UNKNOWN', 'relatedEntity');
  const key = partitionKey(tenant, 'operation', operationId);
  return notification({ ...known, topic: 'platform.notifications.orders.v1', partitionKey: key, subject: null });
}

/** A body as an entry of the quarantine. Equal bytes of one tenant are one entry, however often they come. */
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

/** A field of the envelope that must be text. What cannot be is not parsed, however long it is. */
function readText(body: Buffer, span: ByteSpan | undefined): { text: string } | { problem: QuarantineReason } {
  if (span === undefined) return { problem: 'FIELD_REQUIRED' };
  if (body[span.start] !== QUOTE) return { problem: 'FIELD_TYPE' };
  if (span.end - span.start > MAX_TEXT_BYTES) return { problem: 'LIMIT' };
  const text = textAt(body, span);
  if (text === '') return { problem: 'FIELD_REQUIRED' };
  if (!isIdentityText(text)) return { problem: 'FIELD_TYPE' };
  return text.length > MAX_TEXT_LENGTH ? { problem: 'LIMIT' } : { text };
}

/**
 * The scanner has found one JSON string there; only one with escapes needs a parser, and may be no text for all that.
 */
function textAt(body: Buffer, { start, end }: ByteSpan): unknown {
  const text = body.toString('utf8', start + 1, end - 1);
  return text.includes('\\') ? tryParseWithDigits(`"${text}"`) : text;
}
