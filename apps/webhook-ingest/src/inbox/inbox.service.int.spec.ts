import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Database } from '@gondola/service-kit/database/database';
import { createLogger } from '@gondola/service-kit/logging/logger';
import { NotificationsRepository } from './notifications.repository.ts';
import { UserErasuresRepository } from './user-erasures.repository.ts';
import { envelope } from '../../test/support/deliver.ts';
import { InboxDatabase } from '../../test/support/inbox-database.ts';
import { ACME_RECEIVER, incoming, received } from '../../test/support/incoming.ts';
import { Inbox } from './inbox.service.ts';
import { Incoming } from '../notifications/read-notification.ts';

let store: InboxDatabase;
let inbox: Inbox;
let wakes = 0;

function inboxOf(
  database: Database,
  notifications: Pick<NotificationsRepository, 'insert' | 'quarantine'> = new NotificationsRepository(
    database,
    new UserErasuresRepository(database),
  ),
): Inbox {
  const relay = { publish: () => void (wakes += 1) };
  return new Inbox(notifications, relay, createLogger({ app: 'inbox', level: 'silent' }));
}

beforeAll(async () => {
  store = await InboxDatabase.open('inbox');
  inbox = inboxOf(store.database);
});

afterAll(() => store.close());

beforeEach(() => store.clear());

describe('a group of bodies', () => {
  it('is stored in the order of arrival, each body in its table, and wakes the relay once', async () => {
    const good = Array.from({ length: 200 }, (_, number) => envelope({ data: { number } }));
    const before = wakes;
    const outcomes = await inbox.storeAll([...good.slice(0, 100), '{', ...good.slice(100), '['].map(incoming));
    expect(await store.bodies('notifications')).toEqual(good);
    expect(await store.bodies('quarantine')).toEqual(['{', '[']);
    expect(outcomes).toEqual(
      good
        .map(() => 'stored')
        .toSpliced(100, 0, 'quarantined')
        .concat('quarantined'),
    );
    expect(wakes).toBe(before + 1);
  });

  it('has one row of what is in it twice, or was there before; the others are repeats (rules 1, 2)', async () => {
    const [one, two, three] = [envelope(), envelope(), envelope()];
    await inbox.storeAll([incoming(two)]);
    const outcomes = await inbox.storeAll([one, two, '{', one, three, '{'].map(incoming));
    expect(outcomes).toEqual(['stored', 'repeated', 'quarantined', 'repeated', 'stored', 'repeated']);
    expect(await store.bodies('notifications')).toEqual([two, one, three]);
    expect(await store.bodies('quarantine')).toEqual(['{']);
  });

  it('keeps when each was received, to the millisecond', async () => {
    const start = Date.parse('2026-11-20T23:59:59.001Z');
    const times = Array.from({ length: 400 }, (_, index) => new Date(start + index * 86_399_997));
    const items = times.flatMap((receivedAt, index) =>
      [envelope(), `{${index}`].map((body) => new Incoming(ACME_RECEIVER, received(body, { receivedAt }))),
    );
    await inbox.storeAll(items);
    for (const table of ['notifications', 'quarantine']) {
      const { rows } = await store.database.query(
        `SELECT (extract(epoch FROM received_at) * 1000)::text AS ms FROM ${table} ORDER BY id`,
      );
      expect(rows.map(({ ms }) => Number(ms))).toEqual(times.map(Number));
    }
  });

  it('is stored but for the rows that PostgreSQL refuses, which go into quarantine alone (rule 4)', async () => {
    await store.database.query("ALTER TABLE notifications ADD CONSTRAINT odd CHECK (event_type <> 'Order_Odd')");
    const good = Array.from({ length: 50 }, (_, number) => envelope({ data: { number } }));
    const odd = [envelope({ eventType: 'Order_Odd' }), envelope({ eventType: 'Order_Odd' })];
    const group = good.toSpliced(10, 0, odd[0]!).toSpliced(40, 0, odd[1]!);
    const outcomes = await inbox.storeAll(group.map(incoming));
    await store.database.query('ALTER TABLE notifications DROP CONSTRAINT odd');
    expect(outcomes).toEqual(group.map((body) => (odd.includes(body) ? 'quarantined' : 'stored')));
    expect(await store.bodies('notifications')).toEqual(good);
    const { rows } = await store.database.query('SELECT reason, detail FROM quarantine');
    expect(rows).toEqual(odd.map(() => ({ reason: 'NOT_STORABLE', detail: '23514' })));
  });

  it('fails as a whole, with nothing in quarantine, while PostgreSQL refuses connections (guarantee 1)', async () => {
    const role = `inbox_${randomUUID().replaceAll('-', '')}`;
    const { schema } = store.database;
    await store.database.query(`CREATE ROLE ${role} LOGIN PASSWORD 'first'`);
    await store.database.query(`GRANT USAGE ON SCHEMA ${schema} TO ${role}`);
    await store.database.query(`GRANT ALL ON ALL TABLES IN SCHEMA ${schema} TO ${role}`);
    await store.database.query(`GRANT ALL ON ALL SEQUENCES IN SCHEMA ${schema} TO ${role}`);
    const url = new URL(store.url);
    [url.username, url.password] = [role, 'first'];
    const database = new Database({ url: url.href, schema, migrations: [], poolSize: 1 });
    await database.connect();
    const repository = new NotificationsRepository(database, new UserErasuresRepository(database));
    const refused = inboxOf(database, {
      insert: (rows) => repository.insert(rows),
      // As a pool does whose other connections are older than the new password.
      quarantine: (rows) =>
        new NotificationsRepository(store.database, new UserErasuresRepository(store.database)).quarantine(rows),
    });
    const group = [envelope(), envelope(), envelope()].map(incoming);
    try {
      await store.database.query(`ALTER ROLE ${role} PASSWORD 'second'`);
      await store.database.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = $1', [role]);
      await expect(refused.storeAll(group)).rejects.toMatchObject({ code: '28P01' });
      expect(await store.bodies('quarantine')).toEqual([]);
      expect(await inbox.storeAll(group)).toEqual(['stored', 'stored', 'stored']);
    } finally {
      await database.close();
      await store.database.query(`DROP OWNED BY ${role}`);
      await store.database.query(`DROP ROLE ${role}`);
    }
  });

  it('fails as a whole, and says setval, while a sequence stands behind its rows, as after logical replication', async () => {
    await inbox.storeAll(Array.from({ length: 20 }, () => incoming(envelope())));
    await store.database.query(`SELECT setval('notifications_id_seq', (SELECT min(id) FROM notifications), false)`);
    const group = [envelope(), envelope(), envelope()].map(incoming);
    const message = expect.stringContaining('SELECT setval(');
    await expect(inbox.storeAll(group)).rejects.toMatchObject({ code: 'SEQUENCE_BEHIND', message });
    expect(await store.bodies('quarantine')).toEqual([]);
    await store.database.query(`SELECT setval('notifications_id_seq', (SELECT max(id) FROM notifications))`);
    expect(await inbox.storeAll(group)).toEqual(['stored', 'stored', 'stored']);
  });

  it('fails as a whole when it is not known what became of it, and can be stored again', async () => {
    const unconnected = inboxOf(new Database({ url: 'postgres://127.0.0.1:9/x', schema: 'nowhere', migrations: [] }));
    const group = [envelope(), envelope()].map(incoming);
    await expect(unconnected.storeAll(group)).rejects.toMatchObject({ code: 'DATABASE_UNAVAILABLE' });
    expect(await inbox.storeAll(group)).toEqual(['stored', 'stored']);
  });
});
