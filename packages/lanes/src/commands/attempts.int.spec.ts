import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { waitFor } from '@gondola/local-stack/wait-for';
import type { AttemptProgress } from '@gondola/shared/commands/attempts';

import { Lanes } from '../lanes/lanes.ts';
import type { AttemptDeath, AttemptProcessOptions } from '../testing/attempt.main.ts';
import { startChild } from '@gondola/kafka/testing/child-process';
import { type ClaimedCommand, claimCommands, queueCommands } from '../testing/command-life.ts';
import { openTestDatabase, type TestDatabase } from '../testing/test-database.ts';
import { createWorkTables } from '../testing/work-tables.ts';
import { afterAttempt, afterCall, Attempts, type CallAnswer } from './attempts.ts';
import { Commands, type OpenCommand } from './commands.ts';

const PENDING: AttemptProgress = {
  attempts: [{ at: '2026-07-13T12:00:00Z', answer: { kind: 'pending' } }],
  blocked: null,
};
const PENDING_TEXT = JSON.stringify(PENDING);
const HOUR_MS = 3_600_000;

let test: TestDatabase;
let attempts: Attempts;
const commands = new Commands();

beforeAll(async () => {
  test = await openTestDatabase('attempts');
  await createWorkTables(test.database);
  attempts = new Attempts(new Lanes(test.database), commands, { fraction: () => 0.5 });
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

function answering(answer: CallAnswer, about: { deadlineMs?: number; seen?: (stored: OpenCommand) => void } = {}) {
  return {
    deadlineMs: about.deadlineMs ?? HOUR_MS,
    call: async (all: readonly ClaimedCommand[]) => {
      for (const each of all) about.seen?.(await stored(each));
      return new Map(all.map(({ lane }) => [lane.id, answer]));
    },
  };
}

const ACCEPTED: CallAnswer = { kind: 'accepted', operationId: 'op-1' };

describe('an attempt', () => {
  it('is committed before its call, and the first one starts the deadline (rules 5, 15)', async () => {
    const [one] = await claimed('made', 'c-1');
    const seen: OpenCommand[] = [];
    await attempts.make(
      [{ ...one!, progress: PENDING }],
      answering(ACCEPTED, { seen: (command) => void seen.push(command) }),
    );
    expect(seen).toMatchObject([{ attempts: 1, progress: PENDING_TEXT, firstSentAt: expect.any(String) }]);
    expect(seen[0]!.deadlineInMs).toBeGreaterThan(HOUR_MS / 2);
    expect(seen[0]!.deadlineInMs).toBeLessThanOrEqual(HOUR_MS);
    const next = afterAttempt(one!.command, PENDING_TEXT, 60_000);
    expect(next).toMatchObject({ attempts: 1, progress: PENDING_TEXT, deadlineInMs: 60_000 });
    await attempts.make([{ ...one!, progress: PENDING }], answering(ACCEPTED, { deadlineMs: 2 * HOUR_MS }));
    expect(await stored(one!)).toMatchObject({ attempts: 2, deadlineAt: seen[0]!.deadlineAt });
  });

  it('makes no call for a lane that another worker took over', async () => {
    const [one] = await claimed('lost', 'c-1');
    await test.database.query('UPDATE lanes SET epoch = epoch + 1 WHERE id = $1', [one!.lane.id]);
    let calls = 0;
    const made = await attempts.make(
      [{ ...one!, progress: PENDING }],
      answering(ACCEPTED, { seen: () => (calls += 1) }),
    );
    expect([made, calls]).toEqual([{ made: [], heldBack: [] }, 0]);
    expect(await stored(one!)).toMatchObject({ attempts: 0, progress: null });
  });

  it('is neither stored nor made if its lane is woken before it is stored, even while it waits for the lane', async () => {
    const [one] = await claimed('woken', 'c-1');
    const { making, calls } = await test.database.transaction(async (tx) => {
      await new Lanes(test.database).wake(tx, [one!.lane]);
      const seen: OpenCommand[] = [];
      const options = { ...answering(ACCEPTED, { seen: (command) => void seen.push(command) }), unlessWoken: true };
      const waiting = attempts.make([{ ...one!, progress: PENDING }], options);
      const { rows } = await tx.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
      const blocked = 'SELECT FROM pg_stat_activity WHERE $1 = ANY (pg_blocking_pids(pid))';
      const isBlocked = async () => (await test.database.query(blocked, [rows[0]!.pid])).rowCount === 1;
      await waitFor(isBlocked, { describe: 'the attempt to wait for its lane' });
      return { making: [waiting] as const, calls: seen };
    });
    expect(await making[0]).toMatchObject({ made: [], heldBack: [{ command: { commandId: 'c-1' } }] });
    expect(calls).toEqual([]);
    expect(await stored(one!)).toMatchObject({ attempts: 0, progress: null });
  });

  it('is stored only if its guard admits the command, and the others are named', async () => {
    const all = await claimed('guarded', 'c-1', 'c-2', 'c-3');
    const { made, heldBack } = await attempts.make(
      all.map((each) => ({ ...each, progress: PENDING })),
      {
        ...answering(ACCEPTED),
        guard: async (_tx, held) => held.filter(({ command }) => command.commandId !== 'c-2'),
      },
    );
    expect(made.map(({ attempted }) => attempted.command.commandId)).toEqual(['c-1', 'c-3']);
    expect(heldBack.map(({ command }) => command.commandId)).toEqual(['c-2']);
    expect((await Promise.all(all.map(stored))).map((open) => open.attempts)).toEqual([1, 0, 1]);
  });

  it('has its answer in the progress that the step saves', async () => {
    const [one] = await claimed('answered', 'c-1');
    const { made } = await attempts.make([{ ...one!, progress: PENDING }], answering(ACCEPTED));
    expect(made).toMatchObject([{ kind: 'answered', progress: { attempts: [{ answer: ACCEPTED }], blocked: null } }]);
    expect(made.map(afterCall)).toEqual([{ kind: 'wait', progress: JSON.stringify(made[0]!.progress) }]);
  });

  it('has of a lost answer the cause and the status, and not the text', async () => {
    const [one] = await claimed('unknown', 'c-1');
    const kept = { kind: 'unknown', cause: 'server-error', status: 500 } as const;
    const answer = { ...kept, message: 'Pedido de Maria' };
    const { made } = await attempts.make([{ ...one!, progress: PENDING }], answering(answer));
    expect(made.map(({ progress }) => progress.attempts.at(-1)?.answer)).toEqual([kept]);
  });

  it('is taken back with a pause of its own if nothing was sent (rule 17)', async () => {
    const [one] = await claimed('unsent', 'c-1');
    const answer: CallAnswer = { kind: 'unavailable', cause: 'throttled', retryAfterMs: 1_000 };
    const { made } = await attempts.make([{ ...one!, progress: PENDING }], answering(answer));
    const progress = { attempts: [], blocked: 'throttled' };
    expect(made).toMatchObject([{ kind: 'taken-back', progress, pauseMs: 1_250 }]);
    const outcome = { kind: 'wait', progress: JSON.stringify(made[0]!.progress), attempt: { kind: 'taken-back' } };
    expect(made.map(afterCall)).toEqual([outcome]);
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
    expect(progress).toBe(written === 0 ? null : PENDING_TEXT);
  });
});
