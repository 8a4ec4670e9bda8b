import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Registry } from 'prom-client';

import { waitFor } from '@gondola/local-stack/wait-for';
import type { Tx } from '@gondola/service-kit/database/database';
import { Clock } from '@gondola/service-kit/run/clock';

import { type DeadLetters, NotRedrivableError } from '@gondola/lanes/dead-letters/dead-letters';
import type { TopicName } from '@gondola/shared/topics/topics';
import type { InRecord } from '@gondola/kafka/records/record-codec';
import { MessagingMetrics } from '@gondola/kafka/metrics/messaging-metrics';
import type { Outbox } from '@gondola/lanes/outbox/outbox';
import { quietLogger } from '@gondola/kafka/testing/quiet-logger';
import { StoredShadowCalls } from '@gondola/lanes/shadow/stored-shadow-calls';
import type { KafkaClients } from '@gondola/kafka/client/kafka-clients';
import { openTestKafka, type TestKafka } from '@gondola/kafka/testing/test-kafka';
import { openTestDatabase, type TestDatabase } from '@gondola/lanes/testing/test-database';
import { testIntake } from '@gondola/lanes/testing/test-intake';
import { EraseOrder } from './erase-order.service.ts';
import { OrderErasuresRepository } from '@gondola/lanes/erased-orders/order-erasures.repository';

const ORDER = '100234';
const CANARY = 'Cliente Teste 01';
const ABOUT = `{"orderNumber": ${ORDER}, "reason": ["${CANARY}"]}`;

describe('the erasure of an order', () => {
  let test: TestDatabase;
  let kafka: TestKafka;
  let deadLetters: DeadLetters;
  let outbox: Outbox;
  let erase: EraseOrder;
  let isHeld: Promise<void>;

  beforeAll(async () => {
    test = await openTestDatabase('erasures');
    kafka = await openTestKafka('erasures', ['dead-letters.v1']);
  });

  afterAll(async () => {
    await kafka.close();
    await test.close();
  });

  beforeEach(async () => {
    const { database } = test;
    await database.query('TRUNCATE dead_letters, outbox, order_erasures');
    const metrics = new MessagingMetrics(new Registry());
    const origin = { app: 'order-command-handler', group: 'g', topicPrefix: '', tenants: ['acme', 'bairro'] };
    ({ deadLetters, outbox } = testIntake({ origin, database, metrics, logger: quietLogger() }));
    isHeld = Promise.resolve();
    const content = {
      topics: [],
      erase: async () => ({ erased: {}, stays: [] }),
      withoutPeople: (topic: string) => (topic === 'erp.orders.events.v1' ? Buffer.from('nobody') : null),
    };
    erase = new EraseOrder(
      database,
      content,
      deadLetters,
      outbox,
      new StoredShadowCalls(database, new Clock(), { of: () => 'live' }, []),
      new OrderErasuresRepository(database),
      { for: () => kafka.client() } as unknown as KafkaClients,
      { topicPrefix: kafka.prefix, shadows: new Set() },
      new Clock(),
      quietLogger(),
    );
  });

  const add = (tx: Tx, offset: number, value: string | null, tenant?: string): Promise<void> =>
    deadLetters.add(tx, [
      {
        record: recordOf(offset, value),
        code: 'NOT_JSON',
        reason: 'Não é JSON.',
        ...(tenant !== undefined && { tenant }),
      },
    ]);
  const stored = async (offset: number): Promise<string | null> => {
    const letter = await deadLetters.find(idOf(offset));
    if (letter === null) throw new Error(`No dead letter ${offset}`);
    return letter.value?.toString() ?? null;
  };
  const run = (): ReturnType<EraseOrder['run']> => erase.run({ tenant: 'acme', orderNumber: ORDER });

  it('erases dead letters about it to a mark without content, which cannot be redriven', async () => {
    await test.database.transaction(async (tx) => {
      await add(tx, 1, ABOUT, 'acme');
      await add(tx, 2, `broken ${ORDER} ${CANARY}`);
      await add(tx, 3, ABOUT, 'bairro');
      await add(tx, 4, '{"orderNumber": 7}', 'acme');
    });
    expect(await run()).toMatchObject({
      erased: { deadLetters: 2 },
      topics: [{ topic: `${kafka.prefix}dead-letters.v1`, until: expect.any(String) }],
    });
    expect([await stored(1), await stored(2), await stored(4)]).toEqual([null, null, '{"orderNumber": 7}']);
    expect(await stored(3)).toContain(CANARY);
    expect(await deadLetters.find(idOf(1))).toMatchObject({
      key: null,
      headers: [],
      code: 'NOT_JSON',
      contentErasedAt: expect.any(Date),
    });
    await expect(deadLetters.redrive(idOf(1))).rejects.toBeInstanceOf(NotRedrivableError);
    expect(await run()).toMatchObject({ erased: { deadLetters: 0 } });
  });

  it('finds dead letters by the numbers stored with them, and reads those that have none', async () => {
    await test.database.transaction(async (tx) => {
      await add(tx, 1, ABOUT, 'acme');
      await add(tx, 2, `[${ABOUT}]`, 'acme');
      await add(tx, 3, ABOUT, 'acme');
    });
    // As an earlier version stored it.
    await test.database.query('UPDATE dead_letters SET order_numbers = NULL WHERE id = $1', [idOf(3)]);
    expect(await run()).toMatchObject({ erased: { deadLetters: 3 } });
    const { rows } = await test.database.query('SELECT DISTINCT order_numbers AS numbers FROM dead_letters');
    expect(rows).toEqual([{ numbers: [] }]);
  });

  it('publishes later dead letters about it, and stores no content of them', async () => {
    await run();
    const addLate = () =>
      test.database.transaction(async (tx) => {
        await add(tx, 1, ABOUT, 'acme');
        await add(tx, 2, `{"data": {"number": "${ORDER}", "user": "${CANARY}"}}`, 'acme');
        await add(tx, 3, `broken ${ORDER} ${CANARY}`);
        await add(tx, 4, ABOUT, 'bairro');
      });
    await addLate();
    await addLate();
    expect([await stored(1), await stored(2), await stored(3)]).toEqual([null, null, null]);
    expect(await stored(4)).toContain(CANARY);
    const { rows } = await test.database.query<{ value: Buffer }>('SELECT value FROM outbox ORDER BY seq');
    expect(rows.map(({ value }) => value.toString()).filter((value) => value.includes(CANARY))).toHaveLength(4);
    await expect(deadLetters.redrive(idOf(1))).rejects.toThrow('erased');
  });

  it.each(['the dead letter', 'the erasure'])(
    'finds a dead letter that is being stored if %s is first',
    async (first) => {
      const letGo: { now: () => void } = { now: () => {} };
      isHeld = new Promise((resolve) => (letGo.now = resolve));
      const steps: string[] = [];
      const letter = () =>
        test.database.transaction(async (tx) => {
          await add(tx, 1, ABOUT, 'acme');
          steps.push('letter');
          if (first === 'the dead letter') await isHeld;
        });
      const erasure = () =>
        test.database.transaction(async (tx) => {
          await deadLetters.erase(tx, 'acme', ORDER);
          steps.push('erasure');
          if (first === 'the erasure') await isHeld;
          const at = new Date(0);
          await new OrderErasuresRepository(test.database).add(tx, { tenant: 'acme', orderNumber: ORDER }, at, {});
        });
      const [one, other] = first === 'the dead letter' ? [letter, erasure] : [erasure, letter];
      const both = [one()];
      await waitFor(() => steps.length === 1, { describe: 'the first' });
      both.push(other());
      await waitFor(isWaiting, { describe: 'the second to wait for the first' });
      letGo.now();
      await Promise.all(both);
      expect(steps).toHaveLength(2);
      expect(await stored(1)).toBeNull();
    },
  );

  it('redacts records about it that wait to be published, by their subject, and no others', async () => {
    const record = (topic: TopicName, tenant: string, order: string) => ({
      topic,
      key: Buffer.from(order),
      headers: [
        ['ce_tenant', Buffer.from(tenant)],
        ['ce_subject', Buffer.from(`order/${order}`)],
      ] as const,
      value: Buffer.from(CANARY),
    });
    const EVENTS = 'erp.orders.events.v1';
    await test.database.transaction((tx) =>
      outbox.appendWire(tx, [
        record(EVENTS, 'acme', ORDER),
        record('erp.orders.results.v1', 'acme', ORDER),
        record(EVENTS, 'bairro', ORDER),
        record(EVENTS, 'acme', `${ORDER}5`),
      ]),
    );
    await run();
    const { rows } = await test.database.query<{ value: Buffer; bytes: number; headers: string; key: Buffer }>(
      'SELECT key, value, bytes, headers FROM outbox ORDER BY seq',
    );
    expect(rows.map(({ value }) => value.toString())).toEqual(['nobody', CANARY, CANARY, CANARY]);
    for (const { key, value, bytes, headers } of rows) expect(bytes).toBe(key.length + value.length + headers.length);
  });

  it('deletes parked records about it', async () => {
    await test.database.query(
      `INSERT INTO outbox (topic, key, headers, value, bytes, parked_at, parked_reason)
       SELECT 'erp.orders.events.v1', NULL, headers, convert_to(value, 'UTF8'), 0, now(), 'too large' FROM (VALUES
         ('[["ce_tenant","acme"]]', $1), ('[["ce_tenant","bairro"]]', $1), ('[["ce_tenant","acme"]]', '{"orderNumber": 7}'))
       AS parked (headers, value)`,
      [ABOUT],
    );
    expect(await run()).toMatchObject({ erased: { parked: 1 } });
    const { rows } = await test.database.query<{ headers: string }>('SELECT headers FROM outbox ORDER BY seq');
    expect(rows.map(({ headers }) => headers)).toEqual(['[["ce_tenant","bairro"]]', '[["ce_tenant","acme"]]']);
  });

  /** True while a transaction of this schema waits for the lock of dead letters. */
  async function isWaiting(): Promise<boolean> {
    const text = `SELECT 1 FROM pg_locks, hashtextextended(current_schema || '.dead_letters', 0) AS k
      WHERE locktype = 'advisory' AND NOT granted AND (classid::bigint << 32 | objid::bigint) = k`;
    return (await test.database.query(text)).rows.length > 0;
  }
});

function recordOf(offset: number, value: string | null): InRecord {
  const bytes = { key: Buffer.from(CANARY), value: value === null ? null : Buffer.from(value) };
  const headers = [['x', Buffer.from(CANARY)]] as const;
  const topic = 'erp.orders.commands.v1';
  return { topic, partition: 0, offset: String(offset), timestamp: '1', headers, header: () => undefined, ...bytes };
}

function idOf(offset: number): string {
  return `g/erp.orders.commands.v1/0/${offset}`;
}
