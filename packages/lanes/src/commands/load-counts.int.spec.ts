import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';

import { sized } from '@gondola/local-stack/testing/sized';

import { queueCommands } from '../testing/command-life.ts';
import { openTestDatabase, type TestDatabase } from '../testing/test-database.ts';
import type { Queryable } from '../store/queryable.ts';
import { type CommandChange, Commands } from './commands.ts';
import { type LoadCount, LoadCounts, type LoadState } from './load-counts.ts';

const DEADLINE = { kind: 'made', deadlineMs: 60_000 } as const;
const ENDS = ['applied', 'invalid', 'refused', 'unchanged', 'unconfirmed', 'superseded'] as const;
const STATES = ['queued', 'waiting', 'sent', ...ENDS] as const satisfies readonly LoadState[];

let test: TestDatabase;
const commands = new Commands();
const counts = new LoadCounts();

beforeAll(async () => {
  test = await openTestDatabase('load-counts');
});

afterAll(() => test.close());

/** Queues one command per state and brings it into that state. */
async function load(tenant: string, loadId: string, states: readonly LoadState[]): Promise<void> {
  const named = states.map((state, index) => ({ order: `${index}`, commandId: `${loadId}-${index}`, state }));
  await queueCommands(
    test.database,
    tenant,
    named.map((each) => ({ ...each, loadId })),
  );
  const { rows } = await test.database.query<{ id: string; command_id: string }>(
    'SELECT id, command_id FROM commands WHERE tenant = $1 AND load_id = $2',
    [tenant, loadId],
  );
  const ids = new Map(rows.map(({ id, command_id }) => [command_id, id]));
  const idsIn = (state: LoadState): string[] =>
    named.filter((each) => each.state === state).map(({ commandId }) => ids.get(commandId)!);
  await test.database.transaction(async (tx) => {
    const change = (state: LoadState, more: Partial<CommandChange>): Promise<void> =>
      commands.save(
        tx,
        idsIn(state).map((id) => ({ id, progress: null, ...more })),
      );
    await change('waiting', { awaits: true });
    // A waiting command is sent once all its references are known.
    await change('sent', { awaits: true });
    await change('sent', { attempt: DEADLINE });
    for (const outcome of ENDS) {
      await commands.conclude(
        tx,
        idsIn(outcome).map((id) => ({ id, outcome, resultId: `r-${id}` })),
      );
    }
  });
}

async function countOf(loadId: string, db: Queryable = test.database, tenant = 'acme'): Promise<LoadCount> {
  return (await counts.count(db, [{ tenant, loadId }]))[0]!;
}

describe('LoadCounts', () => {
  it('counts each command of a load once, in the state that it is in, and none of another load', async () => {
    await load('acme', 'l-0', ['queued', 'applied']);
    await load('other', 'l-1', ['applied']);
    await load('acme', 'l-1', ['queued', 'queued', 'waiting', 'sent', 'applied', 'applied', 'applied', 'invalid']);
    const counted = await countOf('l-1');
    expect(counted.states).toEqual({ queued: 2, waiting: 1, sent: 1, applied: 3, invalid: 1 });
    expect(counted).toMatchObject({ lastMinute: 4, lastFinishedAt: expect.any(Date) });
  });

  it('counts a load that is over once, and again when a record joins it', async () => {
    await load('acme', 'over', ['applied', 'invalid']);
    await test.database.query(
      `UPDATE commands SET finished_at = finished_at - interval '1 hour' WHERE load_id = 'over'`,
    );
    const statements: string[] = [];
    const query = async (text: string, values?: unknown[]) => {
      statements.push(text);
      return test.database.query(text, values);
    };
    const count = async () => (await countOf('over', { query } as Queryable)).states;
    const over = { applied: 1, invalid: 1 };
    expect([await count(), await count(), await count(), statements.length]).toEqual([over, over, over, 4]);
    await queueCommands(test.database, 'acme', [{ order: '9', commandId: 'late', loadId: 'over' }]);
    expect(await count()).toEqual({ ...over, queued: 1 });
    await test.database.query(
      `UPDATE commands SET state = 'done', outcome = 'refused', result_id = 'r', finished_at = now() WHERE command_id = 'late'`,
    );
    expect(await count()).toEqual({ ...over, refused: 1 });
  });

  it('adds up to the queued commands, whatever their outcomes', async () => {
    let run = 0;
    const states = fc.array(fc.constantFrom(...STATES), { maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(states, async (each) => {
        const loadId = `any-${(run += 1)}`;
        await load('acme', loadId, each);
        const { states: counted } = await countOf(loadId);
        const wanted = STATES.flatMap((state) => {
          const number = each.filter((one) => one === state).length;
          return number === 0 ? [] : [[state, number]];
        });
        expect(counted).toEqual(Object.fromEntries(wanted));
      }),
      { numRuns: sized(15, 200) },
    );
  });

  it('counts a repeated command with its first load', async () => {
    await queueCommands(test.database, 'again', [{ order: '1', commandId: 'c', loadId: 'first' }]);
    await queueCommands(test.database, 'again', [{ order: '1', commandId: 'c', loadId: 'second' }]);
    expect((await countOf('first', test.database, 'again')).states).toEqual({ queued: 1 });
    expect(await countOf('second', test.database, 'again')).toEqual({
      states: {},
      lastMinute: 0,
      lastFinishedAt: null,
    });
  });

  it('counts the open commands of the given loads, up to the limit asked for', async () => {
    await load('open', 'a', ['queued', 'sent', 'waiting', 'applied']);
    await load('open', 'b', ['applied']);
    const loads = [
      { tenant: 'open', loadId: 'b' },
      { tenant: 'open', loadId: 'none' },
      { tenant: 'open', loadId: 'a' },
    ];
    expect(await counts.open(test.database, loads, 10)).toEqual([0, 0, 3]);
    expect(await counts.open(test.database, loads, 2)).toEqual([0, 0, 2]);
  });

  it('finds whether loads continue: a command is open or was concluded since a given time', async () => {
    await load('on', 'open', ['applied', 'queued']);
    await load('on', 'ended', ['applied']);
    const loads = ['ended', 'none', 'open'].map((loadId) => ({ tenant: 'on', loadId }));
    const hour = 3_600_000;
    expect(await counts.goOn(test.database, loads, new Date(Date.now() - hour))).toEqual([true, false, true]);
    expect(await counts.goOn(test.database, loads, new Date(Date.now() + hour))).toEqual([false, false, true]);
  });

  it('lists commands with given outcomes', async () => {
    await load('named', 'a', ['applied', 'refused', 'queued']);
    const key = { tenant: 'named', loadId: 'a' };
    expect(await counts.ended(test.database, key, ['refused', 'invalid'], 5)).toEqual([
      { kind: 'order', identity: '1', commandId: 'a-1', outcome: 'refused' },
    ]);
  });

  it('can count concluded commands from the index alone', async () => {
    const plan = await test.database.transaction(async (tx) => {
      await tx.query('SET LOCAL enable_seqscan = off');
      await tx.query('SET LOCAL enable_bitmapscan = off');
      const { rows } = await tx.query<{ 'QUERY PLAN': string }>(
        `EXPLAIN SELECT outcome, count(*), max(finished_at) FROM commands
         WHERE tenant = 'acme' AND load_id = 'l-1' AND finished_at IS NOT NULL GROUP BY outcome`,
      );
      return rows.map((row) => row['QUERY PLAN']).join('\n');
    });
    expect(plan).toContain('Index Only Scan using commands_of_load');
  });
});
