import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { PoolClient } from 'pg';
import { createTestSchema, type TestSchema } from '@gondola/local-stack/test-stack';
import { ANSWER_LIMIT_MS } from '@gondola/local-stack/wait-for';
import { Database } from '@gondola/service-kit/database/database';
import type { RelayLimit, RelayRow, RelayStep } from '@gondola/lanes/outbox/relay-source';
import type { Notification, ReceivedBody } from '../notifications/read-notification.ts';
import { NotificationsRepository } from '../inbox/notifications.repository.ts';
import { UserErasuresRepository } from '../inbox/user-erasures.repository.ts';
import { RecentRows } from '@gondola/lanes/outbox/recent-rows';
import { MOST_RECENT_BYTES, type RecentNotifications, waitingRows } from './recent-notifications.ts';
import { NotificationSource } from './notification-source.repository.ts';
import { ingestMigrations } from '../database.schema.ts';

let schema: TestSchema;
let database: Database;
let connection: PoolClient;
const source = new NotificationSource('webhook-ingest');
const RECORD = 1_000;
/** Every value of a byte, repeated. */
const BYTES = Buffer.from(Array.from({ length: 50_000 }, (_, index) => index % 256));
const INSERT = `
  INSERT INTO notifications (dedup_key, tenant, operation_id, event_type, related_entity, topic, partition_key, subject, body, traceparent, received_at)
  VALUES ($1, 'acme', 'o', 'Order_Updated', 'Order', 'platform.notifications.orders.v1', 'acme/order/1', 'order/1', $2, '00-0-0-01', $3)`;

function envelopeOf(order: number): Buffer {
  return Buffer.from(`{"operationId":"o","data":{"number":${order},"user":{"firstName":"Cliente Teste 01"}}}`);
}

beforeAll(async () => {
  schema = await createTestSchema('source');
  database = new Database({
    url: schema.url,
    schema: schema.schema,
    migrations: ingestMigrations,
    queryTimeoutMs: ANSWER_LIMIT_MS,
  });
  await database.connect();
  connection = await database.connection();
});

beforeEach(async () => {
  await database.query('TRUNCATE notifications');
  for (const [dedupKey, bytes] of [
    ['a', 10],
    ['b', 10],
    ['c', 50_000],
    ['d', 10],
  ] as const) {
    await database.query(INSERT, [dedupKey, BYTES.subarray(0, bytes), '2026-11-20T13:15:02.104Z']);
  }
});

afterAll(async () => {
  connection.release();
  await database.close();
  await schema.drop();
});

function notificationOf(order: number): Notification {
  const topic = 'platform.notifications.orders.v1';
  const identity = { partitionKey: `acme/order/${order}`, subject: `order/${order}` };
  const event = { operationId: 'o', eventType: 'Order_Updated', relatedEntity: 'Order' };
  return { dedupKey: `key-${order}`, topic, ...event, ...identity };
}

function receivedOf(body: Buffer): ReceivedBody {
  return { tenant: 'acme', body, traceparent: '00-0-0-01', receivedAt: new Date('2026-11-20T13:15:02.104Z') };
}

/** Stored, and held in memory with the word `memory` as content, which shows where a value comes from. */
async function stored(...orders: number[]): Promise<{ recent: RecentNotifications; ids: (number | null)[] }> {
  const rows = orders.map((order) => ({ ...notificationOf(order), received: receivedOf(envelopeOf(order)) }));
  const inserted = await new NotificationsRepository(database, new UserErasuresRepository(database)).insert(rows);
  const recent: RecentNotifications = new RecentRows(MOST_RECENT_BYTES);
  recent.add(
    waitingRows({ ...inserted, rows: rows.map((row) => ({ ...row, received: receivedOf(Buffer.from('memory')) })) }),
  );
  return { recent, ids: [...inserted.ids] };
}

async function valuesWith(recent: RecentNotifications): Promise<string[]> {
  const step = { limit: { records: 10, bytes: 1_000_000 }, acked: [], underWay: [] };
  const rows = await new NotificationSource('webhook-ingest', recent).advance(connection, step);
  return rows.map(({ value }) => String(value));
}

async function next(limit: RelayLimit, more: Partial<RelayStep> = {}): Promise<RelayRow[]> {
  return source.advance(connection, { limit, acked: [], underWay: [], ...more });
}

async function keys(records: number, bytes: number): Promise<string> {
  const rows = await next({ records, bytes });
  return rows.map(({ key }) => key!.toString()).join('');
}

describe('the inbox as a source', () => {
  it('gives the first ones, in order, as many as fit by number and by size', async () => {
    expect(await keys(10, 1_000_000)).toBe('abcd');
    expect(await keys(1, 1_000_000)).toBe('a');
    expect(await keys(10, 2 * RECORD)).toBe('ab');
    expect(await source.backlog(database)).toMatchObject({ records: 4, parked: 0, oldestMs: expect.any(Number) });
  });

  it('counts keys and headers too', async () => {
    const [first] = await next({ records: 1, bytes: RECORD });
    const headers = first!.headers.map(([name, value]) => name.length + (value?.length ?? 0));
    const size = headers.reduce((sum, length) => sum + length, first!.key!.length + first!.value!.length);
    expect(await keys(10, 2 * size)).toBe('a');
  });

  it('returns a notification byte for byte, with its known facts in the headers', async () => {
    const [first] = await next({ records: 1, bytes: RECORD });
    const headers = Object.fromEntries(first!.headers.map(([name, value]) => [name, value?.toString()]));
    expect(first).toMatchObject({ topic: 'platform.notifications.orders.v1', value: BYTES.subarray(0, 10) });
    expect(headers).toEqual({
      'content-type': 'application/json',
      ce_specversion: '1.0',
      ce_id: 'a',
      ce_source: '/gondola/webhook-ingest',
      ce_type: 'platform.Order_Updated',
      ce_subject: 'order/1',
      ce_time: '2026-11-20T13:15:02.104Z',
      ce_tenant: 'acme',
      ce_partitionkey: 'acme/order/1',
      traceparent: '00-0-0-01',
      ce_operationid: 'o',
      ce_relatedentity: 'Order',
    });
  });

  it('publishes nothing personal of an order that is erased, whether it waited then or came later', async () => {
    await database.query('TRUNCATE notifications');
    await database.query(INSERT, ['waits', envelopeOf(1), '2026-11-20T13:15:02.104Z']);
    await database.query(
      `INSERT INTO erasures (tenant, order_number, partition_key, subject, requested_at)
       VALUES ('acme', '1', 'acme/order/1', 'order/1', now()), ('acme', '1', 'acme/order/1', 'order/1', now())`,
    );
    await database.query(INSERT, ['late', envelopeOf(1), '2026-11-20T13:15:02.104Z']);
    await database.query(INSERT.replaceAll('order/1', 'order/2'), ['other', envelopeOf(2), '2026-11-20T13:15:02.104Z']);
    const rows = await next({ records: 10, bytes: 1_000_000 });
    expect(rows.map(({ key, value }) => [String(key), String(value)])).toEqual([
      ['waits', '{"operationId":"o","data":{"number":1}}'],
      ['late', '{"operationId":"o","data":{"number":1}}'],
      ['other', String(envelopeOf(2))],
    ]);
    await database.query('TRUNCATE erasures');
  });

  describe('with what this process stored a moment ago', () => {
    // From 8 on, so that the order of the ids is not that of their texts.
    beforeEach(async () => {
      await database.query('TRUNCATE notifications, erasures');
      await database.query('ALTER TABLE notifications ALTER COLUMN id RESTART WITH 8');
    });

    it('takes it from memory, and what another process stored from the table, all in the order of the table', async () => {
      await stored(1, 2);
      await database.query(INSERT, ['other', envelopeOf(9), '2026-11-20T13:15:02.104Z']);
      const { recent } = await stored(3, 4);
      await database.query(INSERT, ['later', envelopeOf(5), '2026-11-20T13:15:02.104Z']);
      const ofTable = (order: number) => String(envelopeOf(order));
      const expected = [ofTable(1), ofTable(2), ofTable(9), 'memory', 'memory', ofTable(5)];
      expect(await valuesWith(recent)).toEqual(expected);
    });

    it('has the record that the table has', async () => {
      const { recent } = await stored(1);
      const step = { limit: { records: 10, bytes: 1_000_000 }, acked: [], underWay: [] };
      const [ofMemory] = await new NotificationSource('webhook-ingest', recent).advance(connection, step);
      const [ofTable] = await source.advance(connection, step);
      expect(ofMemory).toEqual({ ...ofTable, value: Buffer.from('memory') });
    });

    it('reads what has changed since, and what was erased', async () => {
      const { recent, ids } = await stored(1, 2, 3);
      await database.query('UPDATE notifications SET body = $2 WHERE id = $1', [ids[1], Buffer.from('changed')]);
      await database.query(
        `INSERT INTO erasures (tenant, order_number, partition_key, subject, requested_at)
         VALUES ('acme', '3', 'acme/order/3', 'order/3', now())`,
      );
      expect(await valuesWith(recent)).toEqual(['memory', 'changed', '{"operationId":"o","data":{"number":3}}']);
    });

    it('lets go of what another process published', async () => {
      const { recent } = await stored(1);
      await database.query('UPDATE notifications SET sent_at = now()');
      expect(recent.isEmpty).toBe(false);
      expect(await valuesWith(recent)).toEqual([]);
      expect(recent.isEmpty).toBe(true);
    });

    it('holds nothing of a shopper, nothing stored before, and no more than its bound', async () => {
      const recent: RecentNotifications = new RecentRows(MOST_RECENT_BYTES);
      const user = { ...notificationOf(1), relatedEntity: 'User', received: receivedOf(envelopeOf(1)) };
      recent.add(waitingRows({ rows: [user], ids: [1], version: '7' }));
      recent.add(waitingRows({ rows: [{ ...user, relatedEntity: 'Order' }], ids: [null], version: '7' }));
      expect(recent.isEmpty).toBe(true);
      const large = receivedOf(Buffer.alloc(20 * 1_048_576));
      for (const id of [1, 2])
        recent.add(waitingRows({ rows: [{ ...notificationOf(id), received: large }], ids: [id], version: '7' }));
      expect([recent.take(1, '7')?.dedupKey, recent.take(2, '7')]).toEqual(['key-1', null]);
    });
  });

  it('leaves out what is under way, and marks in the same step what was acknowledged', async () => {
    const [a, b] = await next({ records: 2, bytes: 1_000_000 });
    const limit = { records: 10, bytes: RECORD };
    expect((await next(limit, { underWay: [a!.id] })).map(({ id }) => id)).toEqual([b!.id]);
    await database.transaction(async (tx) => {
      const [after] = await source.advance(tx, { limit, acked: [a!.id], underWay: [b!.id] });
      expect(String(after!.key)).toBe('c');
    });
    expect(await keys(10, RECORD)).toBe('b');
  });

  it('gives one that is too large alone, and never again what is sent or parked', async () => {
    const rows = await next({ records: 2, bytes: 1_000_000 });
    await source.markSent(
      connection,
      rows.map(({ id }) => id),
    );
    expect(await keys(10, RECORD)).toBe('c');
    const [large] = await next({ records: 1, bytes: RECORD });
    await source.park(connection, large!.id, 'MESSAGE_TOO_LARGE');
    expect(await keys(10, RECORD)).toBe('d');
    expect(await source.backlog(database)).toMatchObject({ records: 1, parked: 1 });
  });
});
