import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { PoolClient } from 'pg';
import { createTestSchema, type TestSchema } from '@gondola/local-stack/test-stack';
import { ANSWER_LIMIT_MS } from '@gondola/local-stack/wait-for';
import { Database } from '@gondola/service-kit/database/database';
import type { RelayLimit, RelayRow, RelayStep } from '@gondola/messaging/outbox/relay-source';
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
