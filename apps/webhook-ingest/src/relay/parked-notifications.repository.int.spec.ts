import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createTestSchema, type TestSchema } from '@gondola/local-stack/test-stack';
import { ANSWER_LIMIT_MS } from '@gondola/local-stack/wait-for';
import { Database } from '@gondola/service-kit/database/database';
import { ingestMigrations } from '../database.schema.ts';
import { NotificationSource } from './notification-source.repository.ts';
import { ParkedNotifications } from './parked-notifications.repository.ts';

const NEWEST = '9223372036854775807';
const INSERT = `
  INSERT INTO notifications (dedup_key, tenant, operation_id, event_type, related_entity, topic, partition_key, subject, body,
    traceparent, received_at, parked_at, parked_reason, erased_at)
  VALUES ($1, 'acme', 'o', 'Order_Updated', 'Order', 'platform.notifications.orders.v1', 'acme/order/1', 'order/1', $2,
    '00-0-0-01', now(), $3, $4, $5)`;

let schema: TestSchema;
let database: Database;
let parked: ParkedNotifications;
let wakes = 0;

beforeAll(async () => {
  schema = await createTestSchema('parked_notifications');
  const { url } = schema;
  database = new Database({
    url,
    schema: schema.schema,
    migrations: ingestMigrations,
    queryTimeoutMs: ANSWER_LIMIT_MS,
  });
  await database.connect();
  parked = new ParkedNotifications(database, { wake: () => (wakes += 1) } as never);
});

beforeEach(async () => {
  await database.query('TRUNCATE notifications');
  const [at, bytes] = [new Date(), Buffer.alloc(10)];
  await database.query(INSERT, ['large', bytes, at, 'MESSAGE_TOO_LARGE', null]);
  await database.query(INSERT, ['clock', bytes, at, 'INVALID_TIMESTAMP', null]);
  await database.query(INSERT, ['waits', bytes, null, null, null]);
  await database.query(INSERT, ['erased', null, at, 'MESSAGE_TOO_LARGE', at]);
});

afterAll(async () => {
  await database.close();
  await schema.drop();
});

async function waiting(): Promise<string[]> {
  const step = { limit: { records: 10, bytes: 1_000_000 }, acked: [], underWay: [] };
  const rows = await database.transaction((tx) => new NotificationSource('webhook-ingest').advance(tx, step));
  return rows.map(({ key }) => String(key));
}

describe('parked notifications', () => {
  it('are listed and counted, but not those whose content is erased', async () => {
    const list = await parked.list({}, NEWEST, 10);
    expect(list.map(({ reason, bytes, subject, type, tenant }) => [reason, bytes, subject, type, tenant])).toEqual([
      ['INVALID_TIMESTAMP', 10, 'order/1', 'Order_Updated', 'acme'],
      ['MESSAGE_TOO_LARGE', 10, 'order/1', 'Order_Updated', 'acme'],
    ]);
    expect(await parked.find(list[0]!.id)).toEqual(list[0]);
    expect(await parked.groups('acme')).toMatchObject([{ count: 1 }, { count: 1 }]);
    expect(await parked.groups('bairro')).toEqual([]);
    expect(await new NotificationSource('webhook-ingest').backlog(database)).toMatchObject({ records: 1, parked: 2 });
  });

  it('wait for the relay again once they are released, in the order of their receipt', async () => {
    expect(await parked.releaseAll({ reason: 'INVALID_TIMESTAMP' })).toEqual({ released: 1, isMore: false });
    expect(await waiting()).toEqual(['clock', 'waits']);
    const [left] = await parked.list({}, NEWEST, 10);
    expect(await parked.release(left!.id)).toMatchObject({ topic: 'platform.notifications.orders.v1' });
    expect(await waiting()).toEqual(['large', 'clock', 'waits']);
    expect([await parked.release(left!.id), await parked.releaseAll({})]).toEqual([
      null,
      { released: 0, isMore: false },
    ]);
    expect(wakes).toBeGreaterThan(0);
  });
});
