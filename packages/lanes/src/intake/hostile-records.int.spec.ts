import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Consumer, Message, Producer } from 'kafkajs';

import { waitFor } from '@gondola/local-stack/wait-for';

import type { DeadLetter } from '../dead-letters/dead-letters.ts';
import { KafkaSender } from '@gondola/kafka/produce/kafka-sender';
import { OutboxRelay } from '../outbox/outbox-relay.ts';
import { OutboxSource } from '../outbox/outbox-source.ts';
import { decodeRecord, type InRecord, type RawHeaders } from '@gondola/kafka/records/record-codec';
import { RECORD_SET_LIMITS } from '@gondola/kafka/wire/record-set';
import { AdvisoryRelayLock } from '../outbox/relay-lock.ts';
import {
  brokenLz4,
  type Compression,
  COMPRESSION_NAMES,
  COMPRESSIONS,
  compressingBy,
} from '@gondola/kafka/testing/test-codecs';
import { createFacts, testConsumer, type TestConsumer, valuesOf } from '../testing/test-consumer.ts';
import { openTestDatabase, type TestDatabase } from '../testing/test-database.ts';
import { openTestKafka, TEST_SEND_TIMEOUT_MS, type TestKafka } from '@gondola/kafka/testing/test-kafka';
import { quietLogger } from '@gondola/kafka/testing/quiet-logger';

const TOPIC = 'erp.orders.commands.v1';

/** No record can stop a consumer, whatever its content, and no record is lost. */
describe('a large or hostile record', () => {
  let kafka: TestKafka;
  let test: TestDatabase;
  let producer: Producer;
  let consumer: TestConsumer;
  let relay: OutboxRelay;
  let watcher: Consumer;
  /** Records on `dead-letters.v1`. */
  let published: InRecord[];

  beforeAll(async () => {
    test = await openTestDatabase('hostile-records');
    await createFacts(test.database);
  });

  beforeEach(async () => {
    kafka = await openTestKafka('hostile-records', [TOPIC, 'dead-letters.v1']);
    await test.database.query('TRUNCATE facts, dead_letters, outbox');
    producer = kafka.client().producer({ allowAutoTopicCreation: false });
    await producer.connect();
    const source = new OutboxSource();
    const lock = new AdvisoryRelayLock(test.database, source.name);
    const sender = new KafkaSender(kafka.client(), kafka.prefix, TEST_SEND_TIMEOUT_MS);
    relay = new OutboxRelay({ source, lock, sender, logger: quietLogger() });
    await relay.start();
    published = [];
    watcher = kafka.client().consumer({ groupId: `${kafka.prefix}watcher`, maxWaitTimeInMs: 100 });
    await watcher.connect();
    await watcher.subscribe({ topic: `${kafka.prefix}dead-letters.v1`, fromBeginning: true });
    await watcher.run({
      eachMessage: async ({ partition, message }) => {
        published.push(decodeRecord('dead-letters.v1', partition, message));
      },
    });
    consumer = testConsumer({ kafka, database: test.database });
    await consumer.start();
  });

  afterEach(async () => {
    await Promise.all([consumer.stop(), relay.stop(), producer.disconnect(), watcher.disconnect()]);
    await kafka.close();
  });

  afterAll(async () => {
    await test.close();
  });

  function send(messages: readonly Message[], compression?: Compression): Promise<unknown> {
    const topic = kafka.prefix + TOPIC;
    const records = messages.map((message) => ({ partition: 0, ...message }));
    if (compression === undefined) return producer.send({ topic, messages: records });
    return compressingBy(compression, (by) => producer.send({ topic, messages: records, compression: by }));
  }

  async function letters(): Promise<DeadLetter[]> {
    const summaries = await consumer.deadLetters.list({ limit: 100 });
    const found = await Promise.all(summaries.map(({ id }) => consumer.deadLetters.find(id)));
    return found.map((letter) => letter!);
  }

  function untilCommitted(count: number): Promise<unknown> {
    const isCommitted = async (): Promise<boolean> => (await kafka.committed(consumer.group, TOPIC))[0] === count;
    return waitFor(isCommitted, { describe: `offset ${count} to be committed` });
  }

  async function theLetter(): Promise<{ letter: DeadLetter; record: InRecord }> {
    const record = await waitFor(() => published[0], { describe: 'the dead letter on its topic' });
    const [letter, ...others] = await letters();
    expect(others).toEqual([]);
    expect(record.header('ce_id')).toBe(letter!.id);
    return { letter: letter!, record };
  }

  it.each(COMPRESSION_NAMES)('compressed by any codec is read (%s)', async (name) => {
    const values = ['first', 'x'.repeat(100_000), 'last'];
    await send(
      values.map((value) => ({ key: 'k', value, headers: { a: 'b' } })),
      COMPRESSIONS[name],
    );
    await untilCommitted(3);
    expect(await valuesOf(test.database)).toEqual(values);
    expect(consumer.exits).toEqual([]);
  });

  it('in a batch with a broken compressed body becomes a dead letter, and the batches beside it are stored', async () => {
    await send([{ key: 'k', value: 'before' }]);
    await send(
      [
        { key: 'k', value: 'one' },
        { key: 'k', value: 'two' },
      ],
      brokenLz4,
    );
    await send([{ key: 'k', value: 'after' }], COMPRESSIONS.zstd);
    await untilCommitted(4);
    expect(await valuesOf(test.database)).toEqual(['before', 'after']);
    const { letter, record } = await theLetter();
    expect(letter).toMatchObject({ key: null, offset: '2', code: 'BATCH_UNREADABLE' });
    expect(letter.reason).toMatch(/offsets 1 a 2: lz4: .*foi gravado assim/);
    expect(letter.value!.readBigInt64BE()).toBe(1n);
    expect(record.value).toEqual(letter.value);
    await expect(consumer.deadLetters.redrive(letter.id)).rejects.toThrow('has to send the records again');
    expect(consumer.exits).toEqual([]);
  });

  it('in a batch that would unpack beyond memory becomes a dead letter', async () => {
    const bomb = Buffer.alloc(RECORD_SET_LIMITS.unpackedBytes);
    await send([{ key: 'k', value: bomb }], COMPRESSIONS.zstd);
    await send([{ key: 'k', value: 'after' }]);
    await untilCommitted(2);
    expect(await valuesOf(test.database)).toEqual(['after']);
    const { letter } = await theLetter();
    expect(letter).toMatchObject({
      code: 'BATCH_UNREADABLE',
      reason: expect.stringContaining('passa de 33554432 bytes'),
    });
  });

  it('with headers named like properties of every object becomes a dead letter with them all', async () => {
    const names = ['constructor', '__proto__', 'toString', 'valueOf', 'hasOwnProperty'];
    const headers = Object.fromEntries(names.map((name) => [name, Buffer.from(name)]));
    await send([
      { key: 'k', value: 'not-json', headers },
      { key: 'k', value: 'after' },
    ]);
    await untilCommitted(2);
    const { letter, record } = await theLetter();
    const original: RawHeaders = names.map((name) => [name, Buffer.from(name)]);
    expect(letter.headers).toEqual(original);
    expect(record.headers.slice(-names.length)).toEqual(original.map(([name, value]) => [`orig_${name}`, value]));
    expect(await valuesOf(test.database)).toEqual(['after']);
    expect(await consumer.deadLetters.redrive(letter.id)).toBe(1);
    const isCounted = async () => (await consumer.deadLetters.find(letter.id))!.failures === 2;
    await waitFor(isCounted, { describe: 'the failure of the redriven record' });
    expect(await letters()).toMatchObject([{ id: letter.id, failures: 2, headers: original }]);
  });

  it('with the headers of a redrive, and a NUL in them, becomes a dead letter', async () => {
    const headers = { ce_redrivegroup: consumer.group, ce_redrive: '1', ce_redriveof: 'id\0' };
    await send([
      { key: 'k', value: 'not-json', headers },
      { key: 'k', value: 'after' },
    ]);
    await untilCommitted(2);
    expect((await theLetter()).letter.headers).toContainEqual(['ce_redriveof', Buffer.from('id\0')]);
    expect(await valuesOf(test.database)).toEqual(['after']);
  });

  it('with far too many headers becomes a dead letter with them all', async () => {
    const headers = Object.fromEntries(Array.from({ length: 25_000 }, (_, index) => [`name-${index}`, 'v']));
    await send([
      { key: 'k', value: 'many headers', headers },
      { key: 'k', value: 'after' },
    ]);
    await untilCommitted(2);
    expect(await valuesOf(test.database)).toEqual(['after']);
    const { letter, record } = await theLetter();
    expect(letter).toMatchObject({ code: 'RECORD_TOO_LARGE', reason: expect.stringContaining('25000 cabeçalhos') });
    expect(letter.headers).toHaveLength(25_000);
    expect(record.headers.filter(([name]) => name.startsWith('orig_'))).toHaveLength(5_000);
    expect(record.header('ce_truncated')).toBe('headers=25000');
    expect(record.value?.toString()).toBe('many headers');
  });

  it('with a key of 900 kB becomes a dead letter with it', async () => {
    const key = Buffer.alloc(900_000, 'k');
    await send([
      { key, value: 'not-json' },
      { key: 'k', value: 'after' },
    ]);
    await untilCommitted(2);
    const { letter, record } = await theLetter();
    expect([letter.key!.equals(key), record.key!.equals(key)]).toEqual([true, true]);
  });

  it('with a value above 2 MiB, unpacked, is a dead letter on a topic of the ERP', async () => {
    const value = Buffer.alloc(2_097_153, 'x');
    await send([{ key: 'k', value }], COMPRESSIONS.gzip);
    await untilCommitted(1);
    const { letter } = await theLetter();
    expect(letter).toMatchObject({ code: 'RECORD_TOO_LARGE', reason: expect.stringContaining('o máximo é 2097152') });
  });

  it('with a value too large for any topic uncompressed is stored whole, and published up to the limit', async () => {
    const value = Buffer.alloc(20_000_000, 'x');
    await send(
      [
        { key: 'k', value },
        { key: 'k', value: 'after' },
      ],
      COMPRESSIONS.gzip,
    );
    await untilCommitted(2);
    expect(await valuesOf(test.database)).toEqual(['after']);
    const { letter, record } = await theLetter();
    expect(letter.value!.equals(value)).toBe(true);
    expect(letter).toMatchObject({ code: 'RECORD_TOO_LARGE', reason: expect.stringContaining('20000000 bytes') });
    expect(record.header('ce_truncated')).toBe('value=20000000');
    expect(record.value!.equals(value.subarray(0, record.value!.length))).toBe(true);
  });
});
