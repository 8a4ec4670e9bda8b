import { describe, expect, it } from '@jest/globals';
import { AdvisoryRelayLock, type RelayLock } from '@gondola/messaging/outbox/relay-lock';
import { withTestDatabase } from '@gondola/local-stack/test-stack';
import { Database } from '@gondola/service-kit/database/database';
import { deadlocksIn } from './support/deadlocks.ts';
import { IngestBench } from './support/ingest-bench.ts';
import { nothingIsAnsweredBeforeItsCommit, withoutWaiting } from './invariants/answer-order.ts';
import { insertsMeetNoDeadlock, withoutSorting } from './invariants/no-deadlock.ts';
import { eachIsToldOnce } from './invariants/published-once.ts';

const LIMIT_MS = 180_000;
/** Longer than anything that is waited for here. */
const QUERY_TIMEOUT_MS = 120_000;

type Use = (database: Database, bench: IngestBench) => Promise<void>;

/** The app's tables and topics, as the app made them, and nobody who works on them. */
async function withBench(databaseUrl: string | undefined, use: Use): Promise<void> {
  const bench = await IngestBench.open('control', {}, databaseUrl === undefined ? {} : { databaseUrl });
  const { DATABASE_URL: url = '', DATABASE_SCHEMA: schema = '' } = bench.env;
  const database = new Database({ url, schema, migrations: [], queryTimeoutMs: QUERY_TIMEOUT_MS });
  try {
    const app = await bench.start();
    await app.stop();
    await database.connect();
    await use(database, bench);
  } finally {
    await database.close();
    await bench.close();
  }
}

/** Runs it in a database of its own, and throws what it found with how many deadlocks PostgreSQL has counted. */
async function countingDeadlocks(use: Use): Promise<void> {
  await withTestDatabase('control', async (databaseUrl) => {
    const found = await withBench(databaseUrl, use).then(() => 'nothing', String);
    const deadlocks = await deadlocksIn(databaseUrl);
    if (found !== 'nothing' || deadlocks > 0) throw new Error(`found ${found}; deadlocks counted: ${deadlocks}`);
  });
}

/** Broken on purpose. */
function everybodyHas(database: Database): RelayLock {
  return {
    tryAcquire: async () => {
      const connection = await database.connection();
      return { connection, isHeld: () => true, release: () => connection.release(true) };
    },
  };
}

describe('an answer', () => {
  it(
    'does not come before its commit (guarantee 1)',
    async () => {
      const run = withBench(undefined, (database) =>
        nothingIsAnsweredBeforeItsCommit(database, (storeAll) => storeAll),
      );
      await expect(run).resolves.toBeUndefined();
    },
    LIMIT_MS,
  );

  it(
    'that does is found out',
    async () => {
      const run = withBench(undefined, (database) => nothingIsAnsweredBeforeItsCommit(database, withoutWaiting));
      await expect(run).rejects.toThrow('answered although its transaction is open');
    },
    LIMIT_MS,
  );
});

describe('two replicas that store the same notifications, each in another order', () => {
  it(
    'meet no deadlock (rule 2)',
    async () => {
      const run = countingDeadlocks((database) => insertsMeetNoDeadlock(database, (same) => same));
      await expect(run).resolves.toBeUndefined();
    },
    LIMIT_MS,
  );

  it(
    'are found out if they do not sort them, and PostgreSQL counts it',
    async () => {
      const run = countingDeadlocks((database) => insertsMeetNoDeadlock(database, withoutSorting));
      await expect(run).rejects.toThrow(/deadlock detected[^]*deadlocks counted: 1/);
    },
    LIMIT_MS,
  );
});

describe('two relays over one inbox', () => {
  it(
    'tell each notification once (guarantee 2)',
    async () => {
      const run = withBench(undefined, (database, bench) =>
        eachIsToldOnce(database, bench, new AdvisoryRelayLock(database, 'notifications')),
      );
      await expect(run).resolves.toBeUndefined();
    },
    LIMIT_MS,
  );

  it(
    'are found out if their lock holds nobody back',
    async () => {
      const run = withBench(undefined, (database, bench) => eachIsToldOnce(database, bench, everybodyHas(database)));
      await expect(run).rejects.toThrow('told twice');
    },
    LIMIT_MS,
  );
});
