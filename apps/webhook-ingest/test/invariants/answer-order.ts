import { strict as assert } from 'node:assert';
import { waitFor } from '@gondola/local-stack/wait-for';
import type { Database } from '@gondola/service-kit/database/database';
import { createLogger } from '@gondola/service-kit/logging/logger';
import { Inbox, type Stored } from '../../src/inbox/inbox.service.ts';
import type { Incoming } from '../../src/notifications/read-notification.ts';
import { InboxOrSpool } from '../../src/spool/inbox-or-spool.service.ts';
import { NotificationsRepository } from '../../src/inbox/notifications.repository.ts';
import { UserErasuresRepository } from '../../src/inbox/user-erasures.repository.ts';
import { incoming } from '../support/incoming.ts';

type StoreAll = (items: readonly Incoming[]) => Promise<readonly Stored[]>;

/** Longer than any wait of this file: nothing may go into the spool. */
const BUDGET_MS = 600_000;
const NO_SPOOL = { isEmpty: true, isWritable: false, append: () => Promise.reject(new Error('There is no spool')) };
const WHO_WAITS = "SELECT pid FROM pg_locks WHERE NOT granted AND relation = 'notifications'::regclass";
const STORED = 'SELECT count(*)::int AS count FROM notifications';

/**
 * While a notification's transaction is open, no delivery of it is answered as stored; if its connection is lost
 * then, it is stored before a delivery is answered (guarantee 1). A lock on the table holds the transaction open.
 * `through` wraps the inbox's `storeAll`.
 */
export async function nothingIsAnsweredBeforeItsCommit(
  database: Database,
  through: (storeAll: StoreAll) => StoreAll,
): Promise<void> {
  const logger = createLogger({ app: 'webhook-ingest', level: 'silent' });
  const inbox = new Inbox(
    new NotificationsRepository(database, new UserErasuresRepository(database)),
    { publish: () => {} },
    logger,
  );
  const storeAll = through((items) => inbox.storeAll(items));
  const inboxOrSpool = new InboxOrSpool({ storeAll }, NO_SPOOL, { ingest: { inboxBudgetMs: BUDGET_MS } }, logger);
  inboxOrSpool.release();
  const holder = await database.connection();
  try {
    await holder.query('BEGIN');
    await holder.query('LOCK TABLE notifications IN EXCLUSIVE MODE');
    let answer: boolean | undefined;
    const answered = inboxOrSpool.store(incoming()).then(
      () => (answer = true),
      () => (answer = false),
    );
    const waiting = await waitFor(async () => (await database.query<{ pid: number }>(WHO_WAITS)).rows[0]?.pid, {
      describe: 'the transaction to wait for the lock',
    });
    assert.equal(answer, undefined, 'A delivery is answered although its transaction is open');
    await database.query('SELECT pg_terminate_backend($1)', [waiting]);
    await holder.query('ROLLBACK');
    const { rows } = (await answered) ? await database.query<{ count: number }>(STORED) : { rows: [{ count: 0 }] };
    assert.equal(rows[0]?.count, 1, 'A delivery is answered, and stored nowhere');
  } finally {
    holder.release(true);
  }
}

/** Broken on purpose: it does not wait for the commit. */
export function withoutWaiting(storeAll: StoreAll): StoreAll {
  return async (items) => {
    storeAll(items).catch(() => {});
    return items.map(() => 'stored' as const);
  };
}
