import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { QueryResultRow } from 'pg';

import { waitFor } from '@gondola/local-stack/wait-for';

import { deleteInSteps } from './delete-in-steps.ts';
import type { Queryable } from './queryable.ts';
import { openTestDatabase, type TestDatabase } from '../testing/test-database.ts';

let test: TestDatabase;

beforeAll(async () => {
  test = await openTestDatabase('delete_in_steps');
});

afterAll(() => test.close());

describe('deleteInSteps', () => {
  it('deletes rows that meet the condition, at most a thousand in one statement', async () => {
    await test.database.query('CREATE TABLE numbers AS SELECT n FROM generate_series(1, 2500) AS series (n)');
    const deleted: (number | null)[] = [];
    const db: Queryable = {
      query: async <R extends QueryResultRow>(text: string, values?: unknown[]) => {
        const result = await test.database.query<R>(text, values);
        deleted.push(result.rowCount);
        return result;
      },
    };
    await deleteInSteps(db, 'numbers', 'n > $1', [3]);
    expect(deleted).toEqual([1_000, 1_000, 497]);
    const { rows } = await test.database.query<{ n: number }>('SELECT n FROM numbers ORDER BY n');
    expect(rows.map(({ n }) => n)).toEqual([1, 2, 3]);
  });

  it('keeps a row that a concurrent change takes out of the condition', async () => {
    await test.database.query(
      'CREATE TABLE ages AS SELECT n, true AS is_old FROM generate_series(1, 10) AS series (n)',
    );
    const other = await test.database.connection();
    try {
      await other.query('BEGIN');
      await other.query('UPDATE ages SET is_old = false WHERE n = 7');
      const { rows } = await other.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
      const deleting = deleteInSteps(test.database, 'ages', 'is_old', []);
      const waits = 'SELECT 1 FROM pg_stat_activity WHERE $1 = ANY (pg_blocking_pids(pid))';
      await waitFor(async () => (await test.database.query(waits, [rows[0]!.pid])).rowCount !== 0, {
        describe: 'the deletion to wait for the change',
      });
      await other.query('COMMIT');
      await deleting;
    } finally {
      other.release();
    }
    expect((await test.database.query<{ n: number }>('SELECT n FROM ages')).rows).toEqual([{ n: 7 }]);
  });
});
