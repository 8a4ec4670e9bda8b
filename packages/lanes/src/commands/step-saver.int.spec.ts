import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';

import type { NamedStatement, Tx } from '@gondola/service-kit/database/database';
import { applied, unconfirmed } from '@gondola/shared/results/conclusion';
import type { Result } from '@gondola/shared/results/result';

import { Lanes } from '../lanes/lanes.ts';
import { Outbox } from '../outbox/outbox.ts';
import { type ClaimedCommand, claimCommands, ORDERS, queueCommands } from '../testing/command-life.ts';
import { openTestDatabase, type TestDatabase } from '../testing/test-database.ts';
import { createWorkTables } from '../testing/work-tables.ts';
import type { SavedResult } from './command-report.ts';
import { Commands } from './commands.ts';
import type { LaneStep, StepOutcome } from './step-outcome.ts';
import { type LaneResults, StepSaver } from './step-saver.ts';

const NOW = '2026-11-20T10:00:00.000Z';
const DONE: StepOutcome = { kind: 'concluded', conclusion: applied('event'), operationIds: ['op-1'] };

const RESULTS: LaneResults = {
  topics: { commands: ORDERS, results: 'erp.orders.results.v1' },
  aboutOf: ({ identity }) => ({ entity: { kind: 'order', orderNumber: Number(identity) } }),
};

let test: TestDatabase;
let lanes: Lanes;
let saver: StepSaver;
let reported: SavedResult[];
let wakes: number;
let statements: string[];
const commands = new Commands();

beforeAll(async () => {
  test = await openTestDatabase('step-saver');
  await createWorkTables(test.database);
  lanes = new Lanes(test.database);
  const relay = { wake: () => void (wakes += 1), isActive: () => true };
  const report = { saved: (results: readonly SavedResult[]) => void reported.push(...results) };
  saver = new StepSaver(lanes, commands, new Outbox('test'), relay, report, { now: () => Date.parse(NOW) });
});

beforeEach(() => {
  reported = [];
  wakes = 0;
  statements = [];
});

afterAll(async () => {
  await test.close();
});

async function claimed(tenant: string, ...ids: string[]): Promise<ClaimedCommand[]> {
  await queueCommands(
    test.database,
    tenant,
    ids.map((commandId, index) => ({ order: String(index + 1), commandId })),
  );
  return claimCommands(test.database, tenant);
}

function stepOf({ lane, command }: ClaimedCommand, outcome: StepOutcome, dueInMs: number | null = null): LaneStep {
  return { lane, commands: [{ command, outcome }], dueInMs };
}

/** A write of the app's own, so that the test can count the statements of the transaction. */
async function insertDone(tx: Tx, { lane }: { readonly lane: { readonly id: string } }): Promise<void> {
  await tx.query('INSERT INTO work_done (lane_id) VALUES ($1)', [lane.id]);
}

async function published(tenant: string): Promise<Result[]> {
  const { rows } = await test.database.query<{ value: Buffer }>('SELECT value FROM outbox ORDER BY seq');
  return rows.map(({ value }) => JSON.parse(value.toString()) as Result).filter((result) => result.tenant === tenant);
}

describe('StepSaver', () => {
  it('saves the outcome and the result of each command, and the due times of the lanes', async () => {
    const [one, two, three] = await claimed('outcomes', 'c-1', 'c-2', 'c-3');
    const wait: StepOutcome = { kind: 'wait', progress: '{"attempts":[]}' };
    const saved = await saver.save(RESULTS, [stepOf(one!, DONE), stepOf(two!, wait, 0), stepOf(three!, DONE)]);
    expect(saved.map(({ concluded }) => concluded.size)).toEqual([1, 0, 1]);
    expect(await published('outcomes')).toMatchObject([
      { commandId: 'c-1', outcome: 'applied', entity: { orderNumber: 1 }, operationIds: ['op-1'], time: NOW },
      { commandId: 'c-3', outcome: 'applied', entity: { orderNumber: 3 } },
    ]);
    expect(reported.map(({ result }) => result.commandId)).toEqual(['c-1', 'c-3']);
    expect(wakes).toBe(1);
    const again = await claimCommands(test.database, 'outcomes');
    expect(again).toMatchObject([{ command: { commandId: 'c-2', progress: '{"attempts":[]}' } }]);
  });

  it('publishes nothing for a command that has its outcome, and the app’s own save excludes it (guarantee 3)', async () => {
    const [one, two] = await claimed('once', 'c-1', 'c-2');
    await test.database.transaction((tx) =>
      commands.conclude(tx, [{ id: one!.command.id, outcome: 'invalid', resultId: 'r-0' }]),
    );
    const beside: string[] = [];
    await saver.save(RESULTS, [stepOf(one!, DONE), stepOf(two!, DONE)], async (_tx, saved) => {
      beside.push(...saved.flatMap(({ concluded }) => [...concluded.values()].map(({ commandId }) => commandId)));
      return [];
    });
    expect(beside).toEqual(['c-2']);
    expect((await published('once')).map(({ commandId }) => commandId)).toEqual(['c-2']);
  });

  it('saves the outcome of an unpublished command without publishing or reporting it', async () => {
    const [one, two, three] = await claimed('quiet', 'c-1', 'c-2', 'c-3');
    const awaits = { for: [{ kind: 'sku', externalReference: 's' }], count: 1 } as const;
    const unpublished = { ...RESULTS, isUnpublished: ({ commandId }: { commandId: string }) => commandId !== 'c-3' };
    const steps = [stepOf(one!, DONE), stepOf(two!, { kind: 'wait', progress: null, awaits }), stepOf(three!, DONE)];
    const saved = await saver.save(unpublished, steps);
    expect(saved.map(({ concluded }) => concluded.size)).toEqual([1, 0, 1]);
    expect((await published('quiet')).map(({ commandId }) => commandId)).toEqual(['c-3']);
    expect(reported.map(({ result }) => result.commandId)).toEqual(['c-3']);
    expect(await commands.open(test.database, one!.lane.id, 1)).toEqual([]);
  });

  it('saves nothing of a lane that another worker took over', async () => {
    const [lost, kept] = await claimed('lost', 'c-1', 'c-2');
    await test.database.query(`UPDATE lanes SET epoch = epoch + 1 WHERE id = $1`, [lost!.lane.id]);
    const saved = await saver.save(RESULTS, [stepOf(lost!, DONE), stepOf(kept!, DONE)]);
    expect(saved.map(({ step }) => step.lane.id)).toEqual([kept!.lane.id]);
    expect((await published('lost')).map(({ commandId }) => commandId)).toEqual(['c-2']);
    expect(await commands.open(test.database, lost!.lane.id, 5)).toHaveLength(1);
  });

  it('saves outcomes within a step that then fails: its lane is leased as before, and its failures still count', async () => {
    const [one] = await claimed('within', 'c-1');
    await test.database.query('UPDATE lanes SET failures = 10 WHERE id = $1', [one!.lane.id]);
    await saver.saveWithin(RESULTS, [stepOf(one!, DONE)], async (tx, [saved]) => {
      await insertDone(tx, saved!.step);
      return [];
    });
    expect((await published('within')).map(({ commandId }) => commandId)).toEqual(['c-1']);
    expect([reported.length, wakes]).toEqual([1, 1]);
    const text = 'SELECT failures, lease_until IS NOT NULL AS leased FROM lanes WHERE id = $1';
    expect((await test.database.query(text, [one!.lane.id])).rows).toEqual([{ failures: 10, leased: true }]);
  });

  it('saves nothing within a step whose lane another worker took over', async () => {
    const [lost] = await claimed('lost-within', 'c-1');
    await test.database.query(`UPDATE lanes SET epoch = epoch + 1 WHERE id = $1`, [lost!.lane.id]);
    expect(await saver.saveWithin(RESULTS, [stepOf(lost!, DONE)], async () => [])).toEqual([]);
    expect(await published('lost-within')).toEqual([]);
    expect(await commands.open(test.database, lost!.lane.id, 5)).toHaveLength(1);
  });

  it('saves all of a step or nothing: if the app’s own save fails, so do outcomes and results', async () => {
    const [one] = await claimed('failed', 'c-1');
    const failing = saver.save(RESULTS, [stepOf(one!, DONE)], async (tx, saved) => {
      await insertDone(tx, saved[0]!.step);
      throw new Error('the app failed');
    });
    await expect(failing).rejects.toThrow('the app failed');
    expect(await published('failed')).toEqual([]);
    expect([reported, wakes]).toEqual([[], 0]);
    expect(await commands.open(test.database, one!.lane.id, 5)).toHaveLength(1);
  });

  it('saves nothing of a step that its guard excludes, which it asks about woken lanes, and hands its lane back', async () => {
    const [overtaken, newest, unwoken] = await claimed('guarded', 'c-1', 'c-2', 'c-3');
    const woken = [overtaken!, newest!].map(({ lane }) => lane);
    await test.database.transaction((tx) => lanes.wake(tx, woken));
    const beside: number[] = [];
    const asked: number[] = [];
    const saved = await saver.save(
      RESULTS,
      [stepOf(overtaken!, DONE), stepOf(newest!, DONE), stepOf(unwoken!, DONE)],
      async (_tx, all) => {
        beside.push(all.length);
        return [];
      },
      async (_tx, steps) => {
        asked.push(steps.length);
        return steps.filter(({ lane }) => lane.id === newest!.lane.id);
      },
    );
    expect(saved.map(({ step }) => step.lane.id)).toEqual([newest!.lane.id, unwoken!.lane.id]);
    expect([asked, beside]).toEqual([[2], [2]]);
    expect((await published('guarded')).map(({ commandId }) => commandId)).toEqual(['c-2', 'c-3']);
    expect(await claimCommands(test.database, 'guarded')).toMatchObject([{ command: { commandId: 'c-1' } }]);
  });

  it('reverts an attempt in the same step, and the deadline with the only one', async () => {
    const [one] = await claimed('back', 'c-1');
    await test.database.transaction((tx) =>
      commands.save(tx, [{ id: one!.command.id, progress: null, attempt: { kind: 'made', deadlineMs: 60_000 } }]),
    );
    await saver.save(RESULTS, [stepOf(one!, { kind: 'wait', progress: '{}', attempt: { kind: 'taken-back' } })]);
    expect(await commands.open(test.database, one!.lane.id, 1)).toMatchObject([
      { attempts: 0, firstSentAt: null, deadlineAt: null, progress: '{}' },
    ]);
    expect(wakes).toBe(0);
  });

  it('publishes what a command starts to wait for, and late outcomes of concluded commands', async () => {
    const [one] = await claimed('more', 'c-1');
    const awaits = { for: [{ kind: 'sku', externalReference: 's' }], count: 2 } as const;
    const { commandId, command, receivedAt, traceparent } = one!.command;
    const ended = {
      commandId: `${commandId}-0`,
      command,
      receivedAt,
      traceparent,
      attempts: 1,
      operationIds: ['op-0'],
    };
    const corrections = [{ ...ended, resultId: 'r-0', conclusion: applied('event') }];
    await saver.save(RESULTS, [{ ...stepOf(one!, { kind: 'wait', progress: null, awaits }), corrections }]);
    expect(await published('more')).toMatchObject([
      { commandId: 'c-1-0', outcome: 'corrected', correctedOutcome: 'applied', corrects: 'r-0', attempts: 1 },
      { commandId: 'c-1', outcome: 'waiting', final: false, for: [{ kind: 'sku' }] },
    ]);
  });

  it('takes as many statements for a hundred lanes as for one', async () => {
    const counting = new Proxy(test.database, {
      get: (database, property) => {
        if (property !== 'transaction') return Reflect.get(database, property) as unknown;
        return (work: (tx: Tx) => Promise<unknown>) =>
          database.transaction((tx) => {
            const query = (statement: string | NamedStatement, values?: unknown[]) => {
              statements.push(typeof statement === 'string' ? statement : statement.text);
              return tx.query(statement, values);
            };
            return work({ query } as unknown as Tx);
          });
      },
    });
    const relay = { wake: () => {}, isActive: () => false };
    const report = { saved: () => {} };
    const watched = new StepSaver(new Lanes(counting), commands, new Outbox('test'), relay, report, { now: () => 0 });
    const counts: number[] = [];
    for (const size of [2, 100]) {
      const all = await claimed(`many-${size}`, ...Array.from({ length: size }, (_, index) => `c-${index}`));
      statements = [];
      const half = size / 2;
      const end: StepOutcome = { kind: 'concluded', conclusion: unconfirmed('en'), operationIds: [] };
      await watched.save(
        RESULTS,
        all.map((each, index) => stepOf(each, index < half ? end : { kind: 'wait', progress: '{}' })),
      );
      counts.push(statements.length);
      expect(await published(`many-${size}`)).toHaveLength(half);
    }
    expect(counts[1]).toBe(counts[0]);
  });
});
