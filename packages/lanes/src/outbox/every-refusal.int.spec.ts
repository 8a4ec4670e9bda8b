import { sized } from '@gondola/local-stack/testing/sized';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { waitFor } from '@gondola/local-stack/wait-for';
import { TOPIC_NAMES, type TopicName } from '@gondola/shared/topics/topics';
import * as fc from 'fast-check';

import type { OutRecord } from '@gondola/kafka/records/record-codec';
import { causeOf, KAFKA_CODES, type KafkaCode } from '@gondola/kafka/client/kafka-codes';
import { ModelBroker } from '@gondola/kafka/testing/model-broker';
import { quietLogger } from '@gondola/kafka/testing/quiet-logger';
import { eventOf, publish, untilSent } from '../testing/relay-invariants.ts';
import { openTestDatabase, type TestDatabase } from '../testing/test-database.ts';
import { OutboxRelay } from './outbox-relay.ts';
import { OutboxSource } from './outbox-source.ts';
import { AdvisoryRelayLock } from './relay-lock.ts';

const [FIRST, SECOND, THIRD] = TOPIC_NAMES as readonly [TopicName, TopicName, TopicName];
/** More sends than a test makes. */
const FOR_EVER = 1_000_000;
const ENTITIES = ['1', '2', '3', '4', '5'];

let test: TestDatabase;
let broker: ModelBroker;
let relay: OutboxRelay | undefined;

beforeAll(async () => {
  test = await openTestDatabase('every_refusal');
});

afterEach(() => stop());

afterAll(async () => {
  await test.close();
});

async function stop(): Promise<void> {
  await relay?.stop();
  relay = undefined;
  await test.database.query('TRUNCATE outbox, relay_places');
}

async function startRelay(): Promise<void> {
  broker = new ModelBroker();
  const source = new OutboxSource();
  const lock = new AdvisoryRelayLock(test.database, source.name);
  relay = new OutboxRelay({ source, lock, sender: broker, logger: quietLogger(), pollMs: 10, standbyMs: 20 });
  await relay.start();
}

/** Records of all entities for a topic, each entity's with rising places. */
function recordsOf(topic: TopicName, places: number, name: string): OutRecord[] {
  return Array.from({ length: places }, (_, place) =>
    ENTITIES.map((entity): OutRecord => {
      const { id: _id, ...record } = eventOf(entity, place);
      return { ...record, topic, id: `${name}/${entity}#${place}` };
    }),
  ).flat();
}

/** Arrived exactly once, an entity's in the order of its places. */
function expectWhole(topic: TopicName, records: readonly OutRecord[], besides: ReadonlySet<string> = new Set()): void {
  const wanted = records.map(({ id }) => id).filter((id) => !besides.has(id));
  const arrived = broker.idsOf(topic).filter((id) => wanted.includes(id));
  expect(arrived.toSorted()).toEqual(wanted.toSorted());
  for (const entity of ENTITIES) {
    const of = (ids: readonly string[]) => ids.filter((id) => id.includes(`/${entity}#`));
    expect(of(arrived)).toEqual(of(wanted));
  }
}

async function parked(): Promise<{ readonly id: string; readonly reason: KafkaCode }[]> {
  const { rows } = await test.database.query<{ id: string; reason: string }>(
    `SELECT convert_from(key, 'UTF8') AS id, parked_reason AS reason FROM outbox WHERE parked_at IS NOT NULL`,
  );
  return rows;
}

const arrivedAt = (topic: TopicName, count: number) =>
  waitFor(() => broker.idsOf(topic).length >= count, { describe: `${count} records in ${topic}` });

describe('every code of Kafka', () => {
  it('is played once to a batch and then accepts it: all records arrive once, in order, and none is parked', async () => {
    await startRelay();
    const codes = KAFKA_CODES.map(({ name }) => name);
    for (let at = 0; at < codes.length; at += TOPIC_NAMES.length) {
      const played = codes
        .slice(at, at + TOPIC_NAMES.length)
        .map((code, index) => ({ code, topic: TOPIC_NAMES[index]! }));
      for (const { code, topic } of played) broker.faults.set(topic, { code, times: 1, where: 1 });
      const records = played.map(({ code, topic }) => recordsOf(topic, 4, code));
      await publish(test.database, ...records.flat());
      await untilSent(test.database);
      for (const [index, { topic }] of played.entries()) expectWhole(topic, records[index]!);
    }
    expect(await parked()).toEqual([]);
  });

  it.each(KAFKA_CODES.filter(({ cause }) => cause === 'record').map(({ name }) => name))(
    'that depends on the record, %s, parks the guilty ones alone, and all others arrive once, in order',
    async (code) => {
      await startRelay();
      const records = recordsOf(SECOND, 6, 'batch');
      const guilty = new Set([records[7]!.id, records[18]!.id]);
      for (const id of guilty) broker.guilty.set(id, code);
      const others = recordsOf(FIRST, 3, 'other');
      await publish(test.database, ...records.map((each) => ({ ...each, key: each.id })), ...others);
      await untilSent(test.database);
      expectWhole(SECOND, records, guilty);
      expectWhole(FIRST, others);
      expect((await parked()).toSorted((one, other) => one.id.localeCompare(other.id))).toEqual(
        [...guilty].toSorted().map((id) => ({ id, reason: code })),
      );
      broker.guilty.clear();
      await test.database.query('UPDATE outbox SET parked_at = NULL, parked_reason = NULL');
      await arrivedAt(SECOND, records.length);
    },
  );

  it('that depends on time, place or rights stops its topic alone while it lasts (guarantee 5)', async () => {
    await startRelay();
    for (const where of ['all', 1] as const) {
      for (const code of ['TOPIC_AUTHORIZATION_FAILED', 'INVALID_TIMESTAMP', 'NOT_ENOUGH_REPLICAS', 'CODE_999']) {
        const name = `${code} ${where}`;
        broker.faults.set(FIRST, { code, times: FOR_EVER, where });
        // More than one send of the topic that waits stands in front of the others.
        const held = recordsOf(FIRST, 150, name);
        const others = [...recordsOf(SECOND, 2, name), ...recordsOf(THIRD, 2, name)];
        const before = broker.idsOf(SECOND).length;
        await publish(test.database, ...held, ...others);
        await arrivedAt(SECOND, before + ENTITIES.length * 2);
        await waitFor(() => relay!.refusedTopics(Date.now()).some((each) => each.code === code), {
          describe: 'a refusal',
        });
        expect(relay!.failure).toMatchObject({ code: 'KAFKA_SEND_FAILED', message: expect.stringContaining(code) });
        broker.faults.clear();
        await untilSent(test.database);
        expectWhole(FIRST, held);
        expectWhole(
          SECOND,
          others.filter(({ topic }) => topic === SECOND),
        );
        expectWhole(
          THIRD,
          others.filter(({ topic }) => topic === THIRD),
        );
        expect(relay!.failure).toBeUndefined();
      }
    }
    expect(await parked()).toEqual([]);
  });
});

function sku(id: string, key: string): OutRecord {
  return { ...eventOf('1', 1), topic: 'catalog.skus.v1', id, key };
}

it('a parked record of a compacted topic goes once a later one of its key is in Kafka: it would undo that', async () => {
  await startRelay();
  broker.guilty.set('old', 'INVALID_RECORD').set('alone', 'INVALID_RECORD');
  await publish(test.database, sku('old', 'acme/s1'), sku('alone', 'acme/s2'), sku('other', 'acme/s3'));
  await waitFor(async () => (await parked()).length === 2, { describe: 'two parked records' });
  await publish(test.database, sku('new', 'acme/s1'));
  await waitFor(async () => (await parked()).length === 1, { describe: 'one parked record' });
  expect(await parked()).toMatchObject([{ id: 'acme/s2' }]);
});

const code = (ofRecord: boolean) =>
  fc.constantFrom(...KAFKA_CODES.filter(({ cause }) => (cause === 'record') === ofRecord).map(({ name }) => name));
const fault = fc.record({
  topic: fc.constantFrom(FIRST, SECOND, THIRD),
  code: fc.oneof(code(false), code(true)),
  times: fc.integer({ min: 1, max: 3 }),
  where: fc.constantFrom('all' as const, 0, 1, 2),
});
const course = fc.record({
  places: fc.tuple(fc.nat(12), fc.nat(12), fc.nat(12)),
  faults: fc.array(fault, { maxLength: 3 }),
  guilty: fc.array(fc.tuple(fc.nat(200), code(true)), { maxLength: 6 }),
  silences: fc.array(fc.constantFrom('arrived' as const, 'lost' as const), { maxLength: 2 }),
});

describe('any course of refusals', () => {
  it('loses nothing, repeats nothing, keeps the order of each entity and parks no innocent record', async () => {
    await fc.assert(
      fc.asyncProperty(course, async ({ places, faults, guilty, silences }) => {
        await startRelay();
        const topics = [FIRST, SECOND, THIRD];
        const records = topics.flatMap((topic, index) => recordsOf(topic, places[index]!, `t${index}`));
        for (const { topic, ...each } of faults) broker.faults.set(topic, each);
        for (const [index, reason] of guilty) {
          const record = records[index];
          if (record !== undefined) broker.guilty.set(record.id, reason);
        }
        broker.silences.push(...silences);
        await publish(test.database, ...records.map((each) => ({ ...each, key: each.id })));
        await untilSent(test.database);
        // A record that was alone in its batch when a code of records was played is parked, too: Kafka says so of it.
        const held = new Set((await parked()).map(({ id }) => id));
        const guiltyIds = [...broker.guilty.keys()];
        expect(guiltyIds.filter((id) => !held.has(id))).toEqual([]);
        const isAnyOfRecords = faults.some((each) => causeOf(each.code) === 'record');
        expect(isAnyOfRecords || held.size === guiltyIds.length).toBe(true);
        for (const [index, topic] of topics.entries())
          expectWhole(
            topic,
            records.filter((each) => each.topic === topics[index]),
            held,
          );
        await stop();
      }),
      { numRuns: sized(12, 150) },
    );
  });
});
