import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Tx } from '@gondola/service-kit/database/database';
import { UnsweptRows } from '@gondola/service-kit/run/unswept-rows';
import { Registry } from 'prom-client';

import { DAY_MS } from '@gondola/shared/durations';
import { queueCommands } from '../testing/command-life.ts';
import { quietLogger } from '@gondola/kafka/testing/quiet-logger';
import { openTestDatabase, type TestDatabase } from '../testing/test-database.ts';
import { CommandSweep } from './command-sweep.ts';
import { Commands } from './commands.ts';
import type { NewCommand } from './new-command.ts';

const RETENTION_MS = 90 * DAY_MS;

let test: TestDatabase;

beforeAll(async () => {
  test = await openTestDatabase('command-sweep');
});

afterAll(() => test.close());

beforeEach(async () => {
  await test.database.query('DELETE FROM commands');
});

function commandSweep(unswept = unsweptRows(new Registry())): CommandSweep {
  return new CommandSweep(test.database, { times: { commandRetentionMs: RETENTION_MS } }, unswept, quietLogger());
}

function unsweptRows(registry: Registry): UnsweptRows {
  return new UnsweptRows(test.database, registry, { now: () => Date.now() });
}

/** A command that came so many days ago, and was concluded so many days ago; null: it is open. */
async function stored(commandId: string, received: number, finished: number | null, loadId?: string): Promise<void> {
  await queueCommands(test.database, 'acme', [
    { order: commandId, commandId, ...(loadId !== undefined && { loadId }) },
  ]);
  await test.database.query(`UPDATE commands SET received_at = now() - $2 * interval '1 day' WHERE command_id = $1`, [
    commandId,
    received,
  ]);
  if (finished !== null) await conclude(commandId, finished);
}

async function conclude(commandId: string, finished: number): Promise<void> {
  await test.database.query(
    `UPDATE commands SET state = 'done', outcome = 'applied', result_id = command_id,
       finished_at = now() - $2 * interval '1 day' WHERE command_id = $1`,
    [commandId, finished],
  );
}

async function left(): Promise<string[]> {
  const { rows } = await test.database.query<{ command_id: string }>('SELECT command_id FROM commands ORDER BY 1');
  return rows.map(({ command_id: id }) => id);
}

describe('CommandSweep', () => {
  it('deletes commands concluded before the retention, and no open command, however old', async () => {
    await stored('old-open', 200, null);
    await stored('old-done', 200, 91);
    await stored('old-done-late', 200, 89);
    await stored('new', 1, 1);
    await commandSweep().sweep();
    expect(await left()).toEqual(['new', 'old-done-late', 'old-open']);
  });

  it('keeps all commands of a load until its last one was concluded before the retention', async () => {
    await stored('open-1', 120, 119, 'open');
    await stored('open-2', 120, null, 'open');
    await stored('fresh-1', 120, 119, 'fresh');
    await stored('fresh-2', 120, 80, 'fresh');
    await stored('ended-1', 120, 119, 'ended');
    await stored('ended-2', 120, 91, 'ended');
    await commandSweep().sweep();
    expect(await left()).toEqual(['fresh-1', 'fresh-2', 'open-1', 'open-2']);
  });

  it('keeps all commands of a load for at most twice the retention', async () => {
    await stored('endless-1', 400, 181, 'endless');
    await stored('endless-2', 1, null, 'endless');
    await commandSweep().sweep();
    expect(await left()).toEqual(['endless-2']);
  });

  it('passes commands that stay, page by page, while another replica sweeps too', async () => {
    await stored('first', 200, null);
    await test.database.query(
      `INSERT INTO commands (lane_id, tenant, topic, command_id, command, content_hash, value, received_at, state, outcome,
         result_id, finished_at)
       SELECT lane_id, tenant, topic, 'c-' || n, command, '', NULL, now() - interval '200 days',
         CASE WHEN n % 100 = 0 THEN 'open' ELSE 'done' END, CASE WHEN n % 100 > 0 THEN 'applied' END,
         CASE WHEN n % 100 > 0 THEN 'r' END, CASE WHEN n % 100 > 0 THEN now() - interval '199 days' END
       FROM commands, generate_series(1, 2500) AS n WHERE command_id = 'first'`,
    );
    await Promise.all([commandSweep().sweep(), commandSweep().sweep()]);
    expect(await left()).toHaveLength(26);
  });

  it('shows for how long the oldest command has been due, one of a load after twice the retention', async () => {
    const registry = new Registry();
    const unswept = unsweptRows(registry);
    const sweep = commandSweep(unswept);
    const daysDue = async (): Promise<number> => {
      await unswept.read();
      const [, seconds] = /^gondola_oldest_unswept_age_seconds\{table="commands"\} (.*)$/m.exec(
        await registry.metrics(),
      )!;
      return Math.round((Number(seconds) * 1_000) / DAY_MS);
    };
    expect(await daysDue()).toBe(0);
    await stored('open', 400, null);
    await stored('of-load', 400, 120, 'load');
    expect(await daysDue()).toBe(0);
    await stored('done', 300, 97);
    expect(await daysDue()).toBe(7);
    await sweep.sweep();
    expect(await daysDue()).toBe(0);
  });

  it('first runs the app’s own deletion, up to the same time', async () => {
    await stored('old', 200, 91);
    const sweep = commandSweep();
    const seen: unknown[] = [];
    sweep.beforehand(async (before) => void seen.push(Date.now() - before.getTime(), await left()));
    await sweep.sweep();
    expect(seen).toEqual([expect.any(Number), ['old']]);
    expect(Math.abs(Number(seen[0]) - RETENTION_MS)).toBeLessThan(DAY_MS);
  });

  it('frees the id: a command that arrives later or meanwhile under it is new (rule 19)', async () => {
    await stored('again', 200, 91);
    const { rows } = await test.database.query<{ lane_id: string }>('SELECT lane_id FROM commands');
    const again: NewCommand = {
      laneId: rows[0]!.lane_id,
      tenant: 'acme',
      topic: 'erp.orders.commands.v1',
      commandId: 'again',
      command: 'Ship',
      contentHash: 'other',
      value: null,
      traceparent: '',
    };
    const taken = await test.database.transaction((tx) => new Commands().insert(sweptAfterInsert(tx), [again]));
    expect(taken).toMatchObject({ inserted: [{ item: again }], repeats: [], conflicts: [] });
    expect(await left()).toEqual(['again']);
  });
});

/** A transaction beside which the sweep runs between the insertion of commands and what follows. */
function sweptAfterInsert(tx: Tx): Tx {
  let statements = 0;
  const query = async (text: string, values: unknown[]) => {
    statements += 1;
    const result = await tx.query(text, values);
    if (statements === 1) await commandSweep().sweep();
    return result;
  };
  return Object.assign(Object.create(tx) as Tx, { query });
}
