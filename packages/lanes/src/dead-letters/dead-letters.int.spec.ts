import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Consumer, KafkaMessage } from 'kafkajs';

import { waitFor } from '@gondola/local-stack/wait-for';

import { KafkaSender } from '@gondola/kafka/produce/kafka-sender';
import { OutboxRelay } from '../outbox/outbox-relay.ts';
import { OutboxSource } from '../outbox/outbox-source.ts';
import { decodeRecord, headerText, type InRecord, type RawHeaders } from '@gondola/kafka/records/record-codec';
import { AdvisoryRelayLock } from '../outbox/relay-lock.ts';
import { quietLogger } from '@gondola/kafka/testing/quiet-logger';
import {
  createFacts,
  testConsumer,
  type TestConsumer,
  type TestConsumerOptions,
  valuesOf,
} from '../testing/test-consumer.ts';
import { openTestDatabase, type TestDatabase } from '../testing/test-database.ts';
import { openTestKafka, TEST_SEND_TIMEOUT_MS, type TestKafka } from '@gondola/kafka/testing/test-kafka';
import { untilMetric } from '@gondola/kafka/testing/until-metric';

const NOT_JSON = { 'pt-BR': 'Não é JSON.', en: 'It is no JSON.' };

const TOPIC = 'erp.orders.commands.v1';
const binary = Buffer.from([0, 255, 128]);

describe('dead letters', () => {
  let kafka: TestKafka;
  let test: TestDatabase;
  let relay: OutboxRelay;
  let consumers: TestConsumer[];
  let watcher: Consumer;
  /** Records on `dead-letters.v1`. */
  let published: InRecord[];

  beforeAll(async () => {
    test = await openTestDatabase('dead-letters');
    await createFacts(test.database);
  });

  beforeEach(async () => {
    kafka = await openTestKafka('dead-letters', [TOPIC, 'dead-letters.v1']);
    await test.database.query('TRUNCATE facts, dead_letters, outbox');
    consumers = [];
    const source = new OutboxSource();
    const lock = new AdvisoryRelayLock(test.database, source.name);
    relay = new OutboxRelay({
      source,
      lock,
      sender: new KafkaSender(kafka.client(), kafka.prefix, TEST_SEND_TIMEOUT_MS),
      logger: quietLogger(),
    });
    await relay.start();
    published = [];
    watcher = await watch('dead-letters.v1', published);
  });

  afterEach(async () => {
    await Promise.all(consumers.map((consumer) => consumer.stop()));
    await relay.stop();
    await watcher.disconnect();
    await kafka.close();
  });

  afterAll(async () => {
    await test.close();
  });

  async function watch(topic: 'dead-letters.v1' | typeof TOPIC, seen: InRecord[]): Promise<Consumer> {
    const consumer = kafka.client().consumer({ groupId: `${kafka.prefix}watcher-${topic}`, maxWaitTimeInMs: 100 });
    await consumer.connect();
    await consumer.subscribe({ topic: kafka.prefix + topic, fromBeginning: true });
    const onMessage = (partition: number, message: KafkaMessage): void =>
      void seen.push(decodeRecord(topic, partition, message));
    await consumer.run({ eachMessage: async ({ partition, message }) => onMessage(partition, message) });
    return consumer;
  }

  async function consume(more: Partial<TestConsumerOptions> = {}): Promise<TestConsumer> {
    const consumer = testConsumer({ kafka, database: test.database, ...more });
    consumers.push(consumer);
    await consumer.start();
    return consumer;
  }

  async function untilTold(count: number): Promise<void> {
    await waitFor(() => published.length >= count, { describe: `${count} dead letters on their topic` });
  }

  async function old(column: 'dead_at' | 'last_failed_at', id: string): Promise<void> {
    const set = `${column} = now() - interval '30 days 1 second'`;
    await test.database.query(`UPDATE dead_letters SET ${set} WHERE id = $1`, [id]);
  }

  it('are published on their topic with the original key, value and headers, and with origin and reason', async () => {
    await kafka.produce(TOPIC, [
      {
        key: binary,
        value: 'not-json',
        partition: 1,
        headers: [
          ['x', binary],
          ['x', Buffer.from('2')],
        ],
      },
    ]);
    const { group } = await consume();
    await untilTold(1);
    expect(published[0]).toMatchObject({ key: binary, value: Buffer.from('not-json') });
    expect(headerText(published[0]!.headers, 'traceparent')).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/);
    const headers = published[0]!.headers.filter(([name]) => name !== 'ce_time' && name !== 'traceparent');
    expect(headers.slice(0, -2).map(([name, value]) => `${name}: ${value?.toString()}`)).toEqual([
      'ce_specversion: 1.0',
      `ce_id: ${group}/${kafka.prefix}${TOPIC}/1/0`,
      'ce_source: /gondola/order-command-handler',
      'ce_type: gondola.dead-letter.v1',
      'ce_tenant: acme',
      `ce_origintopic: ${kafka.prefix}${TOPIC}`,
      'ce_originpartition: 1',
      'ce_originoffset: 0',
      `ce_group: ${group}`,
      'ce_reasoncode: NOT_JSON',
      'ce_reason: O conteúdo não é um objeto JSON válido. (o texto é UTF-8, mas não é JSON, ou tem objetos demais um dentro do outro)',
    ]);
    expect(headers.slice(-2)).toEqual([
      ['orig_x', binary],
      ['orig_x', Buffer.from('2')],
    ]);
  });

  it('keep a null key and a null value', async () => {
    await kafka.produce(TOPIC, [{ key: null, value: null, partition: 0 }]);
    const consumer = await consume({
      handle: (batch) =>
        consumers[0]!.intake.store(
          batch,
          () => ({ kind: 'dead-letter', code: 'NOT_JSON', reason: NOT_JSON }),
          async () => {},
        ),
    });
    await untilTold(1);
    expect(published[0]).toMatchObject({ key: null, value: null });
    expect(await consumer.deadLetters.find(published[0]!.header('ce_id')!)).toMatchObject({ key: null, value: null });
  });

  it("return to their topic byte for byte on an operator's redrive, and only their own group consumes them", async () => {
    const original: RawHeaders = [['x', binary]];
    let isMended = false;
    const own = await consume({
      handle: async (batch, store) => {
        const records = batch.records.map((record) =>
          isMended && record.value?.toString() === 'not-json' ? { ...record, value: Buffer.from('mended') } : record,
        );
        await store({ ...batch, records });
      },
    });
    const seenByOther: string[] = [];
    const other = await consume({
      handle: async ({ records }) => void seenByOther.push(...records.map(({ value }) => value!.toString())),
    });
    await kafka.produce(TOPIC, [{ key: binary, value: 'not-json', headers: original }]);
    await untilTold(1);
    const [letter] = await own.deadLetters.list({ limit: 10 });
    isMended = true;

    const onTopic: InRecord[] = [];
    const topicWatcher = await watch(TOPIC, onTopic);
    expect(await own.deadLetters.redrive(letter!.id)).toBe(1);
    await waitFor(() => onTopic.length === 2, { describe: 'the redriven record' });
    await topicWatcher.disconnect();
    const [first, redriven] = onTopic;
    expect(redriven).toMatchObject({ key: first!.key, value: first!.value, partition: first!.partition });
    expect(redriven!.headers).toEqual([
      ...original,
      ['ce_redrive', Buffer.from('1')],
      ['ce_redrivegroup', Buffer.from(own.group)],
      ['ce_redriveof', Buffer.from(letter!.id)],
    ]);

    await waitFor(async () => (await valuesOf(test.database)).includes('mended'), {
      describe: 'the own group to take it',
    });
    const end = first!.partition;
    await waitFor(async () => (await kafka.committed(other.group, TOPIC))[end] === 2, {
      describe: 'the other to pass it',
    });
    expect(seenByOther).toEqual(['not-json']);
    const skipped = `gondola_records_skipped_total{topic="${TOPIC}",why="redrive-of-another-group"} 1`;
    await untilMetric(other.registry, skipped);
    expect(await own.deadLetters.find(letter!.id)).toMatchObject({ redriven: 1, redrivenAt: expect.any(Date) });
  });

  it('can be redriven any number of times, with or without key and value, and with any headers', async () => {
    const binaryHeaders: RawHeaders = [
      ['b', binary],
      ['b', Buffer.alloc(0)],
      ['a', Buffer.from('ação')],
    ];
    await kafka.produce(TOPIC, [
      { key: null, value: null, headers: binaryHeaders },
      { key: binary, value: null },
      { key: Buffer.alloc(0), value: Buffer.alloc(0) },
      { key: null, value: binary },
    ]);
    const own = await consume({
      handle: (batch) =>
        consumers[0]!.intake.store(
          batch,
          (record) =>
            record.header('ce_redrive') === undefined
              ? { kind: 'dead-letter', code: 'NOT_JSON', reason: NOT_JSON }
              : { kind: 'skip', why: 'redriven' },
          async () => {},
        ),
    });
    await untilTold(4);
    const letters = await own.deadLetters.list({ limit: 10 });
    for (const { id } of letters) {
      expect(await own.deadLetters.redrive(id)).toBe(1);
      expect(await own.deadLetters.redrive(id)).toBe(2);
      expect(await own.deadLetters.find(id)).toMatchObject({ redriven: 2, redrivenAt: expect.any(Date) });
    }
    const onTopic: InRecord[] = [];
    const topicWatcher = await watch(TOPIC, onTopic);
    await waitFor(() => onTopic.length === 12, { describe: 'four records, and each twice again' });
    await topicWatcher.disconnect();
    const sent = onTopic.filter((record) => record.header('ce_redrive') === undefined).map(contentOf);
    for (const times of ['1', '2']) {
      const again = onTopic.filter((record) => record.header('ce_redrive') === times);
      expect(again.map((record) => record.header('ce_redrivegroup'))).toEqual(
        Array.from({ length: 4 }, () => own.group),
      );
      expect(again.map(contentOf).toSorted()).toEqual(sent.toSorted());
    }
  });

  it('count the failures of their redrives, which become no entries of their own', async () => {
    await kafka.produce(TOPIC, [{ key: 'k', value: 'not-json' }]);
    const { deadLetters } = await consume();
    await untilTold(1);
    const [letter] = await deadLetters.list({ limit: 10 });
    expect(letter).toMatchObject({ state: 'open', failures: 1, lastFailedAt: letter!.deadAt });
    for (const failures of [2, 3]) {
      await deadLetters.redrive(letter!.id);
      await waitFor(async () => (await deadLetters.find(letter!.id))!.failures === failures, {
        describe: `failure ${failures}`,
      });
    }
    const [again, ...others] = await deadLetters.list({ limit: 10 });
    expect(others).toEqual([]);
    expect(again).toMatchObject({ id: letter!.id, state: 'open', redriven: 2, deadAt: letter!.deadAt });
    expect(again!.lastFailedAt.getTime()).toBeGreaterThan(letter!.deadAt.getTime());
    expect(published).toHaveLength(1);
    expect(await deadLetters.redrive('no such letter')).toBeNull();
  });

  it('count a redrive that is consumed twice once, and none of another record', async () => {
    const { intake, deadLetters, group } = testConsumer({ kafka, database: test.database });
    const store = (record: InRecord): Promise<void> =>
      intake.store(
        { topic: TOPIC, partition: 0, records: [record] },
        () => ({ kind: 'dead-letter', code: 'NOT_JSON', reason: NOT_JSON }),
        async () => {},
      );
    await store(firstRecord('lost'));
    const { id } = (await deadLetters.list({ limit: 1 }))[0]!;
    const redriven = (value: string, offset: string): InRecord => {
      const headers: RawHeaders = [
        ['ce_redrive', Buffer.from('1')],
        ['ce_redrivegroup', Buffer.from(group)],
        ['ce_redriveof', Buffer.from(id)],
      ];
      return { ...firstRecord(value), offset, headers, header: (name) => headerText(headers, name) };
    };
    await store(redriven('lost', '7'));
    await store(redriven('lost', '7'));
    expect(await deadLetters.find(id)).toMatchObject({ failures: 2 });
    await store(redriven('of somebody else', '8'));
    expect((await deadLetters.list({ limit: 10 })).map(({ failures }) => failures)).toEqual([1, 2]);
  });

  it('are listed newest first, page by page and by topic, and are stored for 30 days after they failed last', async () => {
    await kafka.produce(
      TOPIC,
      Array.from({ length: 5 }, () => ({ key: 'k', value: 'not-json', partition: 0 })),
    );
    const { deadLetters } = await consume();
    await untilTold(5);
    const all = await deadLetters.list({ limit: 10 });
    expect(all).toHaveLength(5);
    const firstPage = await deadLetters.list({ limit: 3, topic: TOPIC });
    const secondPage = await deadLetters.list({ limit: 3, before: firstPage[2]!.id });
    expect([...firstPage, ...secondPage]).toEqual(all);
    expect(await deadLetters.list({ limit: 3, topic: 'catalog.skus.v1' })).toEqual([]);
    for (const { id } of all.slice(0, 2)) await old('dead_at', id);
    await old('last_failed_at', all[0]!.id);
    await deadLetters.deleteOld();
    expect(await deadLetters.find(all[0]!.id)).toBeNull();
    expect(await deadLetters.list({ limit: 10 })).toHaveLength(4);
  });

  it('that are too old are deleted in small batches, however many there are', async () => {
    const { deadLetters } = testConsumer({ kafka, database: test.database });
    const insert = `
      INSERT INTO dead_letters (id, consumer_group, topic, partition, record_offset, headers, reason_code, reason, dead_at, last_failed_at)
      SELECT 'old/' || n, 'g', '${TOPIC}', 0, n, '[]', 'NOT_JSON', '-', at, at
      FROM generate_series(1, 1101) AS n, LATERAL (SELECT now() - CASE WHEN n > 1 THEN interval '31 days' ELSE interval '1 day' END AS at) AS age`;
    await test.database.query(insert);
    await deadLetters.deleteOld();
    expect((await deadLetters.list({ limit: 10 })).map(({ id }) => id)).toEqual(['old/1']);
  });

  it('of a recreated topic replace those at the same offset of the old one', async () => {
    const { intake, deadLetters } = testConsumer({ kafka, database: test.database });
    const store = (value: string): Promise<void> =>
      intake.store(
        { topic: TOPIC, partition: 0, records: [firstRecord(value)] },
        () => ({ kind: 'dead-letter', code: 'NOT_JSON', reason: NOT_JSON }),
        async () => {},
      );
    await store('old');
    await store('old');
    await store('new');
    const [letter, ...others] = await deadLetters.list({ limit: 10 });
    expect(others).toEqual([]);
    expect((await deadLetters.find(letter!.id))?.value).toEqual(Buffer.from('new'));
    await untilTold(2);
  });
});

/** Key, value and headers, byte for byte, without the headers of a redrive. */
function contentOf({ key, value, headers }: InRecord): string {
  const original = headers.filter(([name]) => !name.startsWith('ce_redrive'));
  const bytes = [key, value, ...original.flatMap(([name, each]) => [Buffer.from(name), each])];
  return JSON.stringify(bytes.map((each) => each?.toString('hex') ?? null));
}

function firstRecord(value: string): InRecord {
  const bytes = { key: null, value: Buffer.from(value), headers: [] };
  return { topic: TOPIC, partition: 0, offset: '0', timestamp: '1', ...bytes, header: () => undefined };
}
