import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { PoolClient } from 'pg';
import { createTestSchema, type TestSchema } from '@gondola/local-stack/test-stack';
import { Database } from '@gondola/service-kit/database';
import { NotificationSource } from './notification-source.ts';
import { CreateNotifications1760000002001 } from './notifications.migration.ts';
import { NotificationsRepository } from './notifications.repository.ts';

let schema: TestSchema;
let database: Database;
let connection: PoolClient;
const source = new NotificationSource('webhook-ingest');
const RECORD = 1_000;

beforeAll(async () => {
  schema = await createTestSchema('source');
  const migrations = [CreateNotifications1760000002001];
  database = new Database({ url: schema.url, schema: schema.schema, migrations });
  await database.connect();
  const inbox = new NotificationsRepository(database);
  for (const [dedupKey, bytes] of [
    ['a', 10],
    ['b', 10],
    ['c', 50_000],
    ['d', 10],
  ] as const) {
    const known = { operationId: 'o', eventType: 'Order_Updated', relatedEntity: 'Order' };
    const path = {
      topic: 'platform.notifications.orders.v1',
      partitionKey: 'acme/order/1',
      subject: 'order/1',
    } as const;
    const received = { tenant: 'acme', body: Buffer.alloc(bytes), traceparent: '00-0-0-01', receivedAt: new Date() };
    await inbox.insert({ dedupKey, ...known, ...path }, received);
  }
  connection = await database.connection();
});

afterAll(async () => {
  connection.release();
  await database.close();
  await schema.drop();
});

async function keys(records: number, bytes: number): Promise<string> {
  const rows = await source.fetch(connection, { records, bytes });
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
    const [first] = await source.fetch(connection, { records: 1, bytes: RECORD });
    const headers = first!.headers.map(([name, value]) => name.length + (value?.length ?? 0));
    const size = headers.reduce((sum, length) => sum + length, first!.key!.length + first!.value!.length);
    expect(await keys(10, 2 * size)).toBe('a');
  });

  it('gives one that is too large alone, and never again what is sent or parked', async () => {
    const rows = await source.fetch(connection, { records: 2, bytes: 1_000_000 });
    await source.markSent(
      connection,
      rows.map(({ id }) => id),
    );
    expect(await keys(10, RECORD)).toBe('c');
    const [large] = await source.fetch(connection, { records: 1, bytes: RECORD });
    await source.park(connection, large!.id, 'MESSAGE_TOO_LARGE');
    expect(await keys(10, RECORD)).toBe('d');
    expect(await source.backlog(database)).toMatchObject({ records: 1, parked: 1 });
  });
});
