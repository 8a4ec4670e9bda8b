import { strict as assert } from 'node:assert';
import { waitFor } from '@gondola/local-stack/wait-for';
import type { Database, NamedStatement } from '@gondola/service-kit/database/database';
import { NotificationsRepository } from '../../src/inbox/notifications.repository.ts';
import type { NewNotification } from '../../src/notifications/read-notification.ts';
import { UserErasuresRepository } from '../../src/inbox/user-erasures.repository.ts';
import { ORDERS } from '../support/ingest-bench.ts';

const GATE = 4_711;

/** Makes every transaction wait at the gate before its second row. */
const GATED = [
  `CREATE FUNCTION wait_before_the_second() RETURNS trigger LANGUAGE plpgsql AS $$
  DECLARE
    place int := coalesce(nullif(current_setting('gate.rows', true), ''), '0')::int + 1;
  BEGIN
    PERFORM set_config('gate.rows', place::text, true);
    IF place = 2 THEN PERFORM pg_advisory_xact_lock_shared(${GATE}); END IF;
    RETURN NEW;
  END $$`,
  `CREATE TRIGGER gate BEFORE INSERT ON notifications FOR EACH ROW EXECUTE FUNCTION wait_before_the_second()`,
];
const UNGATED = ['DROP TRIGGER gate ON notifications', 'DROP FUNCTION wait_before_the_second()'];
/** Number of sessions that wait at the gate or for the other's row. */
const WAITING = `SELECT count(*)::int AS count FROM pg_locks JOIN pg_stat_activity USING (pid)
  WHERE NOT granted AND datname = current_database()`;

/**
 * Two replicas store the same two notifications in opposite orders, and each has stored its first before it begins
 * the second: both succeed (rule 2). `insertsThrough` wraps a replica's database. The database holds the tables and
 * belongs to this test alone.
 */
export async function insertsMeetNoDeadlock(
  database: Database,
  insertsThrough: (database: Database) => Database,
): Promise<void> {
  for (const statement of GATED) await database.query(statement);
  const holder = await database.connection();
  try {
    await holder.query(`SELECT pg_advisory_lock(${GATE})`);
    const insert = async (rows: readonly NewNotification[]) =>
      new NotificationsRepository(insertsThrough(database), new UserErasuresRepository(database)).insert(rows);
    const [one, two] = [notification('1'), notification('2')];
    const inserts = Promise.allSettled([insert([one, two]), insert([two, one])]);
    await waitFor(async () => (await database.query<{ count: number }>(WAITING)).rows[0]?.count === 2, {
      describe: 'two statements that wait',
    });
    await holder.query(`SELECT pg_advisory_unlock(${GATE})`);
    const failures = (await inserts).flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []));
    assert.deepEqual(failures.map(String), [], 'A replica could not store what another one stored too');
  } finally {
    holder.release(true);
    for (const statement of UNGATED) await database.query(statement);
  }
}

/** Database for replicas that do not sort their inserts: the rows keep the order of arrival. */
export function withoutSorting(database: Database): Database {
  const query = async ({ text }: NamedStatement, values: readonly unknown[]) => {
    const unsorted = text.replace(/ORDER BY dedup_key[^\n]*/, '');
    assert.notEqual(unsorted, text, 'The statement has no order to be taken away');
    return await database.query(unsorted, values);
  };
  return { query } as Pick<Database, 'query'> as Database;
}

function notification(number: string): NewNotification {
  return {
    dedupKey: `key-${number}`,
    operationId: `operation-${number}`,
    eventType: 'Order_Updated',
    relatedEntity: 'Order',
    topic: ORDERS,
    partitionKey: `acme/order/${number}`,
    subject: `order/${number}`,
    received: { tenant: 'acme', body: Buffer.from('{}'), traceparent: '', receivedAt: new Date(0) },
  };
}
