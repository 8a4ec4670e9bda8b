import { describe, expect, it } from '@jest/globals';
import { AdvisoryRelayLock, type RelayLock } from '@gondola/lanes/outbox/relay-lock';
import { withTestDatabase } from '@gondola/local-stack/test-stack';
import { ANSWER_LIMIT_MS } from '@gondola/local-stack/wait-for';
import { Database } from '@gondola/service-kit/database/database';
import { deadlocksIn } from './support/deadlocks.ts';
import { IngestBench } from './support/ingest-bench.ts';
import { nothingIsAnsweredBeforeItsCommit, withoutWaiting } from './invariants/answer-order.ts';
import { insertsMeetNoDeadlock, withoutSorting } from './invariants/no-deadlock.ts';
import { eachIsToldOnce } from './invariants/published-once.ts';

type Use = (database: Database, bench: IngestBench) => Promise<void>;

/** The app's tables and topics, without any running app. */
async function withBench(databaseUrl: string | undefined, use: Use): Promise<void> {
  const bench = await IngestBench.open('control', {}, databaseUrl === undefined ? {} : { databaseUrl });
  const { DATABASE_URL: url = '', DATABASE_SCHEMA: schema = '' } = bench.env;
  const database = new Database({ url, schema, migrations: [], queryTimeoutMs: ANSWER_LIMIT_MS });
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

/** Runs `use` in its own database, and throws its finding with the number of deadlocks that PostgreSQL counted. */
async function countingDeadlocks(use: Use): Promise<void> {
  await withTestDatabase('control', async (databaseUrl) => {
    const found = await withBench(databaseUrl, use).then(() => 'nothing', String);
    const deadlocks = await deadlocksIn(databaseUrl);
    if (found !== 'nothing' || deadlocks > 0) throw new Error(`found ${found}; deadlocks counted: ${deadlocks}`);
  });
}

/** Broken on purpose: every relay gets the lock. */
function everybodyHas(database: Database): RelayLock {
  return {
    tell: async () => undefined,
    tryAcquire: async () => {
      const connection = await database.connection();
      return { connection, isHeld: () => true, release: () => connection.release(true) };
    },
  };
}

describe('an answer', () => {
  it('does not come before its commit (guarantee 1)', async () => {
    const run = withBench(undefined, (database) => nothingIsAnsweredBeforeItsCommit(database, (storeAll) => storeAll));
    await expect(run).resolves.toBeUndefined();
  });

  it('that does is found out', async () => {
    const run = withBench(undefined, (database) => nothingIsAnsweredBeforeItsCommit(database, withoutWaiting));
    await expect(run).rejects.toThrow('answered although its transaction is open');
  });
});

describe('two replicas that store the same notifications, each in another order', () => {
  it('meet no deadlock (rule 2)', async () => {
    const run = countingDeadlocks((database) => insertsMeetNoDeadlock(database, (same) => same));
    await expect(run).resolves.toBeUndefined();
  });

  it('are detected by PostgreSQL’s count of deadlocks if they do not sort them', async () => {
    const run = countingDeadlocks((database) => insertsMeetNoDeadlock(database, withoutSorting));
    await expect(run).rejects.toThrow(/deadlock detected[^]*deadlocks counted: 1/);
  });
});

describe('two relays over one inbox', () => {
  it('tell each notification once (guarantee 2)', async () => {
    const run = withBench(undefined, (database, bench) =>
      eachIsToldOnce(database, bench, new AdvisoryRelayLock(database, 'notifications')),
    );
    await expect(run).resolves.toBeUndefined();
  });

  it('are detected if their lock excludes neither', async () => {
    const run = withBench(undefined, (database, bench) => eachIsToldOnce(database, bench, everybodyHas(database)));
    await expect(run).rejects.toThrow('told twice');
  });
});
