import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { Lanes } from '../lanes/lanes.ts';
import type { AttemptDeath, AttemptProcessOptions } from '../testing/attempt.main.ts';
import { startChild } from '../testing/child-process.ts';
import { type ClaimedCommand, claimCommands, queueCommands } from '../testing/command-life.ts';
import { openTestDatabase, type TestDatabase } from '../testing/test-database.ts';
import { createWorkTables } from '../testing/work-tables.ts';
import { Attempts, afterAttempt } from './attempts.ts';
import { Commands } from './commands.ts';

const PENDING = '{"attempts":[{"answer":{"kind":"pending"}}]}';
const HOUR_MS = 3_600_000;
const OPTIONS = { deadlineMs: HOUR_MS };

let test: TestDatabase;
let attempts: Attempts;
const commands = new Commands();

beforeAll(async () => {
  test = await openTestDatabase('attempts');
  await createWorkTables(test.database);
  attempts = new Attempts(new Lanes(test.database), commands);
});

afterAll(async () => {
  await test.close();
});

async function claimed(tenant: string, ...ids: string[]): Promise<ClaimedCommand[]> {
  const queued = ids.map((commandId, index) => ({ order: String(index + 1), commandId }));
  await queueCommands(test.database, tenant, queued);
  return claimCommands(test.database, tenant);
}

async function stored({ lane }: ClaimedCommand) {
  const [open] = await commands.open(test.database, lane.id, 1);
  return open!;
}

describe('an attempt', () => {
  it('is committed before its call, and the first one starts the deadline (rules 5, 15)', async () => {
    const [one] = await claimed('made', 'c-1');
    const made = await attempts.make({ ...one!, progress: PENDING }, OPTIONS, () => stored(one!));
    expect(made?.answer).toMatchObject({ attempts: 1, progress: PENDING, firstSentAt: expect.any(String) });
    expect(made?.answer.deadlineInMs).toBeGreaterThan(HOUR_MS / 2);
    expect(made?.answer.deadlineInMs).toBeLessThanOrEqual(HOUR_MS);
    const next = afterAttempt(one!.command, PENDING, 60_000);
    expect(next).toMatchObject({ attempts: 1, progress: PENDING, deadlineInMs: 60_000 });
    await attempts.make({ ...one!, progress: PENDING }, { deadlineMs: 2 * HOUR_MS }, async () => null);
    expect(await stored(one!)).toMatchObject({ attempts: 2, deadlineAt: made?.answer.deadlineAt });
  });

  it('makes no call for a lane that another worker took over', async () => {
    const [one] = await claimed('lost', 'c-1');
    await test.database.query('UPDATE lanes SET epoch = epoch + 1 WHERE id = $1', [one!.lane.id]);
    let calls = 0;
    const made = await attempts.make({ ...one!, progress: PENDING }, OPTIONS, async () => (calls += 1));
    expect([made, calls]).toEqual([null, 0]);
    expect(await stored(one!)).toMatchObject({ attempts: 0, progress: null });
  });

  it('is stored only if its guard admits the command, and the others are named', async () => {
    const all = await claimed('guarded', 'c-1', 'c-2', 'c-3');
    const { written, heldBack } = await attempts.writeDown(
      all.map((each) => ({ ...each, progress: PENDING })),
      { ...OPTIONS, guard: async (_tx, held) => held.filter(({ command }) => command.commandId !== 'c-2') },
    );
    expect(written.map(({ command }) => command.commandId)).toEqual(['c-1', 'c-3']);
    expect(heldBack.map(({ command }) => command.commandId)).toEqual(['c-2']);
    expect((await Promise.all(all.map(stored))).map((open) => open.attempts)).toEqual([1, 0, 1]);
  });

  it.each<[AttemptDeath, { written: number; called: number }]>([
    ['while it is written down', { written: 0, called: 0 }],
    ['before the call', { written: 1, called: 0 }],
    ['after the call', { written: 1, called: 1 }],
  ])('of a process killed %s was stored before it was called', async (death, expected) => {
    const tenant = death.replaceAll(' ', '-');
    const [one] = await claimed(tenant, 'c-1');
    const options: AttemptProcessOptions = { url: test.url, schema: test.schema, death, ...one!, progress: PENDING };
    const child = await startChild(new URL('../testing/attempt.main.ts', import.meta.url), options);
    try {
      expect((await child.exited).signal).toBe('SIGKILL');
    } finally {
      await child.clear();
    }
    const text = 'SELECT 1 FROM work_done WHERE lane_id = $1';
    const { rowCount } = await test.database.query(text, [one!.lane.id]);
    const { attempts: written, progress } = await stored(one!);
    expect({ written, called: rowCount }).toEqual(expected);
    expect(progress).toBe(written === 0 ? null : PENDING);
  });
});
