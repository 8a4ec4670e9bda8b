import { createHash, hash } from 'node:crypto';
import type { Outcome } from '../outcomes/outcomes.ts';
import type { TopicName } from './topics.ts';

/**
 * Forms of the dedup key (contract, "Headers on what Gondola writes"). Keys are readable, but are never parsed. A
 * tenant's id contains neither colon nor slash (`tenant-of`), and colons in the other components of a
 * notification's key are escaped, so different components never give the same key.
 */

export interface NotificationKeyParts {
  readonly tenant: string;
  readonly operationId: string;
  readonly eventType: string;
  /** Bytes of `data` as received; null if the envelope has no such key. */
  readonly dataBytes: Uint8Array | null;
  /** Bytes of `error` as received; null if the envelope has no such key. */
  readonly errorBytes: Uint8Array | null;
}

/** `<tenant>:<operationId>:<eventType>:<sha256 of data and error>`: one platform event, one key (rule 1). */
export function notificationKey({
  tenant,
  operationId,
  eventType,
  dataBytes,
  errorBytes,
}: NotificationKeyParts): string {
  const digest = digestOfBoth(dataBytes, errorBytes);
  return `${tenant}:${escapeColons(operationId)}:${escapeColons(eventType)}:${digest}`;
}

/**
 * Number of bytes that are hashed in one call, from one buffer; a hash that is updated in steps would create a
 * native object per notification, which the garbage collector has to free.
 */
const SCRATCH_BYTES = 65_536;
const scratch = Buffer.allocUnsafeSlow(SCRATCH_BYTES);

function digestOfBoth(dataBytes: Uint8Array | null, errorBytes: Uint8Array | null): string {
  const parts = [lengthOf(dataBytes), dataBytes ?? NOTHING, lengthOf(errorBytes), errorBytes ?? NOTHING];
  const bytes = parts.reduce((sum, part) => sum + part.length, 0);
  if (bytes > SCRATCH_BYTES) {
    const whole = createHash('sha256');
    for (const part of parts) whole.update(part);
    return whole.digest('hex');
  }
  let at = 0;
  for (const part of parts) {
    if (typeof part === 'string') scratch.write(part, at, 'latin1');
    else scratch.set(part, at);
    at += part.length;
  }
  return hash('sha256', scratch.subarray(0, bytes));
}

const NOTHING = new Uint8Array(0);

/**
 * Precedes a block: it distinguishes data "ab" + error "c" from "a" + "bc", and an absent block from an empty one.
 */
function lengthOf(bytes: Uint8Array | null): string {
  return bytes === null ? '-:' : `${bytes.byteLength}:`;
}

/** `<tenant>:order:<number>:<revision>`. */
export function orderEventKey(tenant: string, orderNumber: string | number, revision: number): string {
  return `${tenant}:order:${orderNumber}:${revision}`;
}

/**
 * `<tenant>:result:<input topic without prefix>:<commandId>:<outcome>`. The suffix is the number of a further
 * `waiting` (2, 3 …) or `recordHash16` of a conflicting repeat. No outcome is a number or 16 hexadecimal digits, so
 * the last component identifies itself, and the commandId may contain any character.
 */
export function resultKey(
  tenant: string,
  inputTopic: TopicName,
  commandId: string,
  outcome: Outcome,
  suffix?: string | number,
): string {
  const key = `${tenant}:result:${inputTopic}:${commandId}:${outcome}`;
  return suffix === undefined ? key : `${key}:${suffix}`;
}

/** First 16 hexadecimal digits of the SHA-256 of a record's value as received. */
export function recordHash16(valueBytes: Uint8Array): string {
  return createHash('sha256').update(valueBytes).digest('hex').slice(0, 16);
}

/** `<tenant>/<SKU reference>`: the key of a SKU's snapshot. */
export function skuKey(tenant: string, skuExternalReference: string): string {
  return `${tenant}/${skuExternalReference}`;
}

/** `<tenant>:command:<commandId>`: `ce_id` of a command that the order saga sends to the file gateway. */
export function derivedCommandKey(tenant: string, commandId: string): string {
  return `${tenant}:command:${commandId}`;
}

/** `<topic>/<partition>/<offset>`: the id of a catalog record without `recordId`. The topic is the full name. */
export function positionRecordId(topic: string, partition: number, offset: string): string {
  return `${topic}/${partition}/${offset}`;
}

function escapeColons(part: string): string {
  return part.replaceAll('%', '%25').replaceAll(':', '%3A');
}
