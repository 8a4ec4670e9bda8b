import assert from 'node:assert/strict';

import type { Kafka } from 'kafkajs';

import { testStack } from '@gondola/local-stack/test-stack';
import { waitFor } from '@gondola/local-stack/wait-for';
import { type HostileJson, hostileJson, UNREADABLE_JSON } from '@gondola/shared/testing/hostile-json';
import { fullTopicName, type TopicName } from '@gondola/shared/topics/topics';

import { createKafka } from '../client/kafka-client.ts';
import { quietLogger } from './quiet-logger.ts';
import type { ResultTopic } from '../records/result-record.ts';
import type { TestInstallation } from './test-installation.ts';
import { brokenLz4, COMPRESSION_NAMES, COMPRESSIONS, compressingBy } from './test-codecs.ts';

/** Names of properties that every object has. */
const HEADER_NAMES = ['constructor', '__proto__', 'toString', 'valueOf'];
const PARTITION = 0;

/** A topic of commands or records with which a producer could try to stop an app. */
export interface HostileTarget {
  readonly topic: TopicName;
  readonly results: ResultTopic;
  /** Consumer group, without prefix, that has to commit all records. */
  readonly group: string;
  readonly tenant: string;
  /** Fields of a valid record of the topic for an id, as JSON without braces. */
  readonly fields: (id: string) => string;
  /** A valid record for an id; it must get its result after each kind of hostile records. */
  readonly ordinary: (id: string) => object;
  /** Hostile records for this topic only. */
  readonly more?: readonly HostileJson[];
}

/**
 * Sends hostile records to a topic of an app. Checks that each leads to one dead letter or one `invalid` result
 * with its reason, and that a valid record behind them gets its result.
 *
 * @throws AssertionError if one does not
 */
export async function checkHostileRecords(installation: TestInstallation, target: HostileTarget): Promise<void> {
  await checkHostileBatches(installation, target);
  await checkHostileJson(installation, target);
}

/** Records that cannot be decoded: one dead letter each, in the order of their offsets. */
async function checkHostileBatches(installation: TestInstallation, target: HostileTarget): Promise<void> {
  const { prefix } = installation;
  await sendHostileRecords(prefix, target.topic, prefix + target.group);
  const letters = await lettersOf(installation, target.topic, HOSTILE_REASON_CODES.length);
  assert.equal(letters.join(), HOSTILE_REASON_CODES.join());
  await sendOrdinary(installation, target, `${target.topic}-after-batches`);
}

/** Records that would cause work without limit. */
async function checkHostileJson(installation: TestInstallation, target: HostileTarget): Promise<void> {
  const { topic, results, tenant, fields, more = [] } = target;
  const hostile = [...hostileJson(fields, topic), ...more];
  const headers = { ce_tenant: tenant };
  const texts = [...UNREADABLE_JSON, ...hostile].map(({ text }) => text);
  for (const value of texts) await installation.sendBad(topic, { key: 'k', value, headers, partition: PARTITION });
  await sendOrdinary(installation, target, `${topic}-after-json`);
  for (const { id, code, isCut } of hostile) {
    const { value } = await installation.resultOf(results, id);
    const errors = value['errors'] as readonly { readonly code: string }[];
    const codes = errors.map((error) => error.code);
    const how = [value['outcome'], value['attempts'], value['final']];
    assert.equal(how.join(), 'invalid,0,true', id);
    assert.ok(codes.includes(code), `${id}: ${code} is not among ${codes.slice(0, 5).join()}`);
    assert.equal(codes.includes('NOT_LISTED'), isCut, id);
    assert.equal(installation.results(results, id).length, 1, id);
  }
  const unreadable = UNREADABLE_JSON.map(({ code }) => code);
  const letters = await lettersOf(installation, topic, HOSTILE_REASON_CODES.length + unreadable.length);
  assert.equal(letters.slice(HOSTILE_REASON_CODES.length).join(), unreadable.join());
}

/** Sends a valid record; resolves when it has its final result. */
async function sendOrdinary(installation: TestInstallation, target: HostileTarget, id: string): Promise<void> {
  const value = JSON.stringify(target.ordinary(id));
  const headers = { ce_tenant: target.tenant };
  await installation.sendBad(target.topic, { key: 'k', value, headers, partition: PARTITION });
  const { value: result } = await installation.resultOf(target.results, id);
  assert.equal(result['final'], true, id);
}

/** Reason codes of the dead letters of a topic by offset, once there are `count`. */
async function lettersOf(installation: TestInstallation, topic: TopicName, count: number): Promise<string[]> {
  const ofTopic = () =>
    installation
      .records('dead-letters.v1')
      .filter(({ headers }) => headers['ce_origintopic'] === installation.prefix + topic);
  const letters = await installation.untilCount(`${count} dead letters of ${topic}`, ofTopic, count);
  return letters
    .toSorted((one, other) => Number(one.headers['ce_originoffset']) - Number(other.headers['ce_originoffset']))
    .map(({ headers }) => headers['ce_reasoncode'] ?? '');
}

/**
 * Reason codes of the dead letters that `sendHostileRecords` causes on each topic, in the order of their offsets.
 */
const HOSTILE_REASON_CODES = ['NOT_JSON', 'BATCH_UNREADABLE', ...COMPRESSION_NAMES.map(() => 'NOT_JSON')];

/**
 * Sends records to one partition of `topic` that were once able to stop a consumer: a record with headers named
 * like properties of every object, a batch with a damaged compressed body that the broker accepts, and values that
 * are no JSON, in every codec. Resolves when `group` has committed all of them.
 */
async function sendHostileRecords(prefix: string, topic: TopicName, group: string): Promise<void> {
  const kafka: Kafka = createKafka(
    { brokers: testStack().kafkaBrokers.split(','), ssl: false },
    'hostile',
    quietLogger(),
  );
  const producer = kafka.producer({ allowAutoTopicCreation: false });
  const admin = kafka.admin();
  await Promise.all([producer.connect(), admin.connect()]);
  try {
    const name = fullTopicName(prefix, topic);
    const headers = Object.fromEntries(HEADER_NAMES.map((each) => [each, each]));
    const message = { key: 'k', value: 'no JSON', partition: PARTITION };
    await producer.send({ topic: name, messages: [{ ...message, headers }] });
    for (const compression of [brokenLz4, ...Object.values(COMPRESSIONS)]) {
      await compressingBy(compression, (by) => producer.send({ topic: name, messages: [message], compression: by }));
    }
    const end = (await admin.fetchTopicOffsets(name)).find(({ partition }) => partition === PARTITION)!.offset;
    const isCommitted = async (): Promise<boolean> => {
      const [found] = await admin.fetchOffsets({ groupId: group, topics: [name] });
      return found?.partitions.find(({ partition }) => partition === PARTITION)?.offset === end;
    };
    await waitFor(isCommitted, { describe: `${group} to commit ${name} up to ${end}` });
  } finally {
    await Promise.all([producer.disconnect(), admin.disconnect()]);
  }
}
