import { sized } from '@gondola/local-stack/testing/sized';
import {
  type JsonRecord,
  type JsonValue,
  parseWithDigits,
  stringifyWithDigits,
} from '@gondola/shared/json/json-digits';
import { isStorable } from '@gondola/shared/json/storable-text';
import { anyCharacter } from '@gondola/shared/testing/any-character';
import { pathsBelow, poisonedAt, POISONS, renamedAt } from '@gondola/shared/testing/poisoned-leaves';
import { RELATED_ENTITY_KINDS } from '@gondola/shared/topics/identities';
import { ENVELOPE_TEXTS } from '@gondola/shared/topics/notification-envelope';
import { describe, expect, it } from '@jest/globals';
import { array, assert, boolean, constantFrom, double, oneof, property, record, string } from 'fast-check';
import { ACME_RECEIVER } from '../../test/support/incoming.ts';
import { type Poisoned, poisonedEverywhere, wholeNotifications } from '../../test/support/whole-notifications.ts';
import { type Notification, readNotification } from './read-notification.ts';

const OPERATION = '33333333-3333-4333-8333-333333333333';
const ORDINARY = wholeNotifications(OPERATION);
/** Coprime to the numbers of poisons and of names, so that each of them is in some places. */
const EVERY_NTH = sized(4, 1);
/** PostgreSQL's limit of an entry of an index. */
const MOST_INDEXED_BYTES = 2_704;

const FIELDS: readonly string[] = [...ENVELOPE_TEXTS, 'data'];
/** Reasons for the quarantine that a field of the envelope may give. */
const REASONS: ReadonlySet<string> = new Set([
  'FIELD_REQUIRED',
  'FIELD_TYPE',
  'LIMIT',
  'ENTITY_UNKNOWN',
  'TENANT_MISMATCH',
]);
const AS_SENT = ['operationId', 'eventType', 'relatedEntity'] as const;
const ROUTE = ['topic', 'partitionKey', 'subject'] as const;

/** Values below `data` in which the identity of an entity stands; other entities have none. */
const IDENTIFYING: Readonly<Record<string, readonly string[]>> = {
  Order: ['data.number'],
  ProductWithSKUs: ['data.product', 'data.product.externalReference'],
  Brand: ['data.externalReference'],
  Category: ['data.externalReference'],
  Warehouse: ['data.id'],
  SKUPricing: ['data.skuId', 'data.commercialPolicyId'],
};

const read = (text: string) => readNotification(ACME_RECEIVER, Buffer.from(text));

function ordinaryReading(ordinary: JsonRecord): Notification {
  const reading = read(JSON.stringify(ordinary));
  if (reading.kind !== 'notification') throw new Error('An ordinary notification is in quarantine');
  return reading.notification;
}

/** Problems of the reading of a notification that has something unusual at one place, and nowhere else. */
function problemsOf({ ordinary, place, text }: Poisoned): string[] {
  const reading = read(text);
  const isOfEnvelope = place.length === 1 && FIELDS.includes(String(place[0]));
  if (reading.kind === 'quarantine') {
    const { reason, detail } = reading.quarantined;
    return isOfEnvelope && detail === place[0] && REASONS.has(reason) ? [] : [`quarantine: ${reason} ${detail}`];
  }
  const { notification } = reading;
  const expected = isOfEnvelope ? (JSON.parse(text) as JsonRecord) : ordinary;
  const usual = ordinaryReading(ordinary);
  const isSame = JSON.stringify(ordinary) === text;
  const isIdentifying = isOfEnvelope || IDENTIFYING[usual.relatedEntity]?.includes(place.join('.')) === true;
  return [
    ...unstorable(notification),
    ...FIELDS.filter((name) => !Object.hasOwn(expected, name)).map((name) => `it has no ${name}`),
    ...AS_SENT.filter((name) => notification[name] !== expected[name]),
    ...ROUTE.filter((name) => !isIdentifying && notification[name] !== usual[name]),
    ...(isOfEnvelope || (notification.dedupKey === usual.dedupKey) === isSame
      ? []
      : ['the dedup key of another event']),
  ];
}

/** Columns and headers that PostgreSQL or UTF-8 refuses, or that do not belong together. */
function unstorable({ dedupKey, subject, partitionKey, ...others }: Notification): string[] {
  const texts = { dedupKey, partitionKey, subject: subject ?? '-', ...others, topic: others.topic ?? '-' };
  const problems = Object.entries(texts).flatMap(([name, text]) => {
    const isShort = Buffer.byteLength(text) <= MOST_INDEXED_BYTES;
    return isStorable(text) && text !== '' && isShort ? [] : [`${name} cannot be stored`];
  });
  const isRouted = partitionKey === `acme/${subject ?? `operation/${others.operationId}`}`;
  return isRouted ? problems : [...problems, 'its partition is not that of its subject'];
}

const anyText = string({ unit: anyCharacter, maxLength: 600 }).map((text) => JSON.stringify(text));
/** A value as JSON text, or a name, and the place that gets it, as a share of all places. */
const anyChange = record({
  json: oneof(constantFrom(...Object.values(POISONS)), anyText),
  share: double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
  isName: boolean(),
});
type Change = Parameters<Parameters<(typeof anyChange)['map']>[0]>[0];

function changed(value: JsonValue, { json, share, isName }: Change): JsonValue {
  const places = pathsBelow(value);
  const place = places[Math.floor(share * places.length)];
  if (place === undefined) return value;
  const isRenamed = isName && typeof place.at(-1) === 'string' && json.startsWith('"');
  return parseWithDigits(isRenamed ? renamedAt(value, place, json) : poisonedAt(value, place, json));
}

describe('a notification with poison in a place of it', () => {
  it('has forms of all entities', () => {
    const entities = ORDINARY.map((ordinary) => ordinaryReading(ordinary).relatedEntity);
    expect(new Set(entities)).toEqual(new Set(Object.keys(RELATED_ENTITY_KINDS)));
  });

  it('is read with a key and headers that can be stored, or is in quarantine for that field (rules 1, 4)', () => {
    const cases = ORDINARY.flatMap(poisonedEverywhere).filter((_, n) => n % EVERY_NTH === 0);
    expect(cases.flatMap((each) => problemsOf(each).map((problem) => `${each.what}: ${problem}`))).toEqual([]);
  });

  it('is never one that cannot be stored, with any text in several places (rules 1, 4)', () => {
    assert(
      property(constantFrom(...ORDINARY), array(anyChange, { minLength: 1, maxLength: 3 }), (ordinary, changes) => {
        const reading = read(stringifyWithDigits(changes.reduce<JsonValue>(changed, ordinary)));
        const isQuarantined = reading.kind === 'quarantine';
        expect(isQuarantined ? [] : unstorable(reading.notification)).toEqual([]);
        expect(isQuarantined ? reading.quarantined.reason : '').not.toBe('NOT_STORABLE');
      }),
      { numRuns: sized(1_000, 20_000) },
    );
  });
});
