import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Tx } from '@gondola/service-kit/database/database';

import { queueCommands } from '../testing/command-life.ts';
import { openTestDatabase, type TestDatabase } from '../testing/test-database.ts';
import { createWorkTables } from '../testing/work-tables.ts';
import { Lanes, laneText } from './lanes.ts';
import { deleteUnusedLanes } from './unused-lanes.ts';

let test: TestDatabase;
let lanes: Lanes;

beforeAll(async () => {
  test = await openTestDatabase('unused-lanes');
  await createWorkTables(test.database);
  lanes = new Lanes(test.database);
});

afterAll(() => test.close());

beforeEach(async () => {
  for (const table of ['commands', 'work_done', 'lanes']) await test.database.query(`DELETE FROM ${table}`);
});

const keyOf = (identity: string) => ({ tenant: 'acme', kind: 'order', identity });

async function wake(tx: Tx, identity: string): Promise<string> {
  return (await lanes.wake(tx, [keyOf(identity)])).get(laneText(keyOf(identity)))!;
}

/** A lane that slept since its last step; returns its id. */
async function sleeping(identity: string): Promise<string> {
  const id = await test.database.transaction((tx) => wake(tx, identity));
  await test.database.query('UPDATE lanes SET due_at = NULL WHERE id = $1', [id]);
  return id;
}

async function left(): Promise<string[]> {
  const { rows } = await test.database.query<{ identity: string }>('SELECT identity FROM lanes ORDER BY 1');
  return rows.map(({ identity }) => identity);
}

const WORK = 'INSERT INTO work_done (lane_id, by) VALUES ($1, $2)';

describe('lanes to which no row belongs', () => {
  it('are deleted; those with a command, a row of the app, a due time or a lease stay', async () => {
    await sleeping('unused');
    await test.database.query(WORK, [await sleeping('work'), 'app']);
    await queueCommands(test.database, 'acme', [{ order: 'command', commandId: 'c' }]);
    await test.database.query('UPDATE lanes SET due_at = NULL');
    await test.database.transaction((tx) => wake(tx, 'due'));
    await test.database.query(`UPDATE lanes SET lease_until = now(), due_at = NULL WHERE id = $1`, [
      await sleeping('leased'),
    ]);
    await deleteUnusedLanes(test.database);
    expect(await left()).toEqual(['command', 'due', 'leased', 'work']);
  });

  it('are deleted page by page', async () => {
    await test.database.query(
      `INSERT INTO lanes (tenant, kind, identity) SELECT 'acme', 'order', n FROM generate_series(1, 2500) AS n`,
    );
    await test.database.query(WORK, [await sleeping('last'), 'app']);
    await deleteUnusedLanes(test.database);
    expect(await left()).toEqual(['last']);
  });

  it('stay if somebody is about to use one, who does not wait', async () => {
    await sleeping('woken');
    await test.database.transaction(async (tx) => {
      await tx.query(WORK, [await wake(tx, 'woken'), 'app']);
      await deleteUnusedLanes(test.database);
    });
    expect(await left()).toEqual(['woken']);
  });

  it('stay if a whole step on one ends after it was found unused', async () => {
    const id = await sleeping('quick');
    const { database } = test;
    const transaction = async <T>(work: (tx: Tx) => Promise<T>): Promise<T> => {
      await database.query(WORK, [id, 'a quick step']);
      return database.transaction(work);
    };
    const whileFound = { query: database.query.bind(database), transaction };
    await deleteUnusedLanes(whileFound);
    expect(await left()).toEqual(['quick']);
  });
});
