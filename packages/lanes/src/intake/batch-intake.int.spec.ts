import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';

import { waitFor } from '@gondola/local-stack/wait-for';

import type { Tx } from '@gondola/service-kit/database/database';

import { headersFromText, headerText, type InRecord } from '@gondola/kafka/records/record-codec';
import { recordingLogger } from '@gondola/kafka/testing/quiet-logger';
import {
  createFacts,
  decodeFact,
  insertFacts,
  testConsumer,
  type TestConsumer,
  type TestConsumerOptions,
  valuesOf,
} from '../testing/test-consumer.ts';
import { openTestDatabase, type TestDatabase } from '../testing/test-database.ts';
import { openTestKafka, type TestKafka } from '@gondola/kafka/testing/test-kafka';

const TOPIC = 'erp.orders.commands.v1';
const GUID = '0b0c8f6e-6d5c-4b8e-9d52-0d7d3f4d2f11';
const binary = Buffer.from([0, 255, 128]);

interface LetterRow {
  id: string;
  key: Buffer | null;
  value: Buffer | null;
  headers: string;
  tenant: string | null;
  reason_code: string;
  reason: string;
}

/** Stores facts, and a row for each whose id a sequence draws. */
async function insertArrivals(tx: Tx, records: readonly InRecord[]): Promise<void> {
  await insertFacts(tx, records);
  for (const _record of records) await tx.query('INSERT INTO arrivals DEFAULT VALUES');
}

describe('the intake of a batch', () => {
  let kafka: TestKafka;
  let test: TestDatabase;
  let consumers: TestConsumer[];

  beforeAll(async () => {
    test = await openTestDatabase('batch-intake');
    await createFacts(test.database);
  });

  beforeEach(async () => {
    kafka = await openTestKafka('batch-intake', [TOPIC]);
    await test.database.query('TRUNCATE facts, dead_letters, outbox');
    consumers = [];
  });

  afterEach(async () => {
    await Promise.all(consumers.map((consumer) => consumer.stop()));
    await kafka.close();
  });

  afterAll(async () => {
    await test.close();
  });

  async function consume(more: Partial<TestConsumerOptions> = {}): Promise<TestConsumer> {
    const consumer = testConsumer({ kafka, database: test.database, ...more });
    consumers.push(consumer);
    await consumer.start();
    return consumer;
  }

  async function letters(): Promise<LetterRow[]> {
    const { rows } = await test.database.query<LetterRow>('SELECT * FROM dead_letters ORDER BY record_offset');
    return rows;
  }

  function allCommitted({ group }: TestConsumer, count: number): Promise<unknown> {
    const isCommitted = async (): Promise<boolean> => (await kafka.committed(group, TOPIC))[0] === count;
    return waitFor(isCommitted, { describe: `offset ${count} to be committed` });
  }

  it('dead-letters the one record that cannot be stored, byte for byte, and the partition moves on', async () => {
    await kafka.produce(TOPIC, [
      { key: 'k', value: 'before', partition: 0 },
      {
        key: binary,
        value: 'op:no GUID',
        partition: 0,
        headers: [
          ['x', binary],
          ['x', Buffer.from('ação')],
        ],
      },
      { key: 'k', value: `op:${GUID}`, partition: 0 },
    ]);
    const consumer = await consume();
    await allCommitted(consumer, 3);
    await kafka.produce(TOPIC, [{ key: 'k', value: 'after', partition: 0 }]);
    await allCommitted(consumer, 4);
    expect(await valuesOf(test.database)).toEqual(['before', `op:${GUID}`, 'after']);
    const [letter, ...others] = await letters();
    expect(others).toEqual([]);
    expect(letter).toMatchObject({
      id: `${consumer.group}/${kafka.prefix}${TOPIC}/0/1`,
      key: binary,
      value: Buffer.from('op:no GUID'),
      tenant: 'acme',
      reason_code: 'PROCESSING_FAILED',
      reason: expect.stringContaining('22P02'),
    });
    expect(headersFromText(letter!.headers)).toEqual([
      ['x', binary],
      ['x', Buffer.from('ação')],
    ]);
    expect(consumer.exits).toEqual([]);
  });

  it('gives a dead letter the tenant of its header, if it is known, and its own trace or a new one', async () => {
    const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
    await kafka.produce(TOPIC, [
      { key: 'k', value: 'throw', partition: 0, headers: [['ce_tenant', Buffer.from('bravo')]] },
      { key: 'k', value: 'throw', partition: 0, headers: [['ce_tenant', Buffer.from('nobody')]] },
      { key: 'k', value: 'throw', partition: 0, headers: [['traceparent', Buffer.from(traceparent)]] },
      { key: 'k', value: 'throw', partition: 0, headers: [['traceparent', Buffer.from(`${traceparent}\0`)]] },
    ]);
    await allCommitted(await consume(), 4);
    expect((await letters()).map(({ tenant }) => tenant)).toEqual(['bravo', null, null, null]);
    const { rows } = await test.database.query<{ headers: string }>('SELECT headers FROM outbox ORDER BY seq');
    const published = rows.map(({ headers }) => headersFromText(headers));
    expect(published.map((headers) => headerText(headers, 'ce_tenant'))).toEqual([
      'bravo',
      undefined,
      undefined,
      undefined,
    ]);
    const traces = published.map((headers) => headerText(headers, 'traceparent'));
    const begun = expect.stringMatching(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/);
    expect(traces).toEqual([begun, begun, traceparent, begun]);
    expect(new Set(traces)).toHaveProperty('size', 4);
  });

  it('dead-letters records that the decoder rejects, with its code, and skips records that are not for the app', async () => {
    await kafka.produce(TOPIC, [
      { key: null, value: 'not-json', partition: 0 },
      { key: 'k', value: 'skip', partition: 0 },
      { key: 'k', value: 'good', partition: 0 },
    ]);
    const consumer = await consume();
    await allCommitted(consumer, 3);
    expect(await valuesOf(test.database)).toEqual(['good']);
    expect(await letters()).toMatchObject([{ key: null, value: Buffer.from('not-json'), reason_code: 'NOT_JSON' }]);
    const metrics = await consumer.registry.metrics();
    expect(metrics).toContain(`gondola_records_dead_lettered_total{topic="${TOPIC}",code="NOT_JSON"} 1`);
    expect(metrics).toContain(`gondola_records_skipped_total{topic="${TOPIC}",why="not-for-this-app"} 1`);
  });

  it('dead-letters a record that makes the decoder throw, and logs nothing of its content', async () => {
    const { logger, lines } = recordingLogger();
    await kafka.produce(TOPIC, [
      { key: 'k', value: 'throw', partition: 0 },
      { key: 'k', value: 'good', partition: 0 },
    ]);
    const consumer = await consume({ logger });
    await allCommitted(consumer, 2);
    const [letter] = await letters();
    expect(letter).toMatchObject({ reason_code: 'PROCESSING_FAILED', reason: expect.stringContaining('TypeError') });
    expect(letter?.reason).not.toContain('Cliente');
    // The record names no tenant, but only one is configured.
    expect(letter?.reason).not.toContain(' / ');
    expect(JSON.stringify(lines)).not.toContain('Cliente');
    expect(await valuesOf(test.database)).toEqual(['good']);
  });

  it('stores facts, dead letters and their records once if a batch is repeated', async () => {
    await kafka.produce(TOPIC, [
      { key: 'k', value: 'good', partition: 0 },
      { key: 'k', value: 'op:no GUID', partition: 0 },
      { key: 'k', value: 'not-json', partition: 0 },
    ]);
    const consumer = await consume({
      handle: async (batch, store) => {
        await store(batch);
        await store(batch);
      },
    });
    await allCommitted(consumer, 3);
    expect(await valuesOf(test.database)).toEqual(['good']);
    expect((await letters()).map(({ value }) => value?.toString())).toEqual(['op:no GUID', 'not-json']);
    const { rows } = await test.database.query<{ records: string }>('SELECT count(*) AS records FROM outbox');
    expect(rows).toEqual([{ records: '2' }]);
  });

  it('ends the process and commits nothing if even the dead letter cannot be stored', async () => {
    await kafka.produce(TOPIC, [{ key: 'k', value: 'not-json', partition: 0 }]);
    await test.database.query('ALTER TABLE dead_letters RENAME TO dead_letters_away');
    try {
      const consumer = await consume();
      await waitFor(() => consumer.exits.length > 0, { describe: 'the process to end' });
      expect(consumer.exits).toEqual([1]);
      expect((await kafka.committed(consumer.group, TOPIC))[0]).toBe(-1);
    } finally {
      await test.database.query('ALTER TABLE dead_letters_away RENAME TO dead_letters');
    }
  });

  it('ends the process, says setval and dead-letters nothing if a sequence stands behind its rows', async () => {
    await test.database.query('CREATE TABLE arrivals (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY)');
    await test.database.query('INSERT INTO arrivals OVERRIDING SYSTEM VALUE SELECT generate_series(1, 9)');
    await kafka.produce(
      TOPIC,
      ['one', 'two'].map((value) => ({ key: 'k', value, partition: 0 })),
    );
    const { logger, lines } = recordingLogger();
    const consumer = await consume({
      logger,
      handle: (batch) => consumer.intake.store(batch, decodeFact, insertArrivals),
    });
    await waitFor(() => consumer.exits.length > 0, { describe: 'the process to end' });
    expect(consumer.exits).toEqual([1]);
    expect(JSON.stringify(lines)).toMatch(/SELECT setval\(/);
    expect(await letters()).toEqual([]);
    expect(await valuesOf(test.database)).toEqual([]);
    expect((await kafka.committed(consumer.group, TOPIC))[0]).toBe(-1);
  });
});
