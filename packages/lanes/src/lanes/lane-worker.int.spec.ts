import { AsyncLocalStorage } from 'node:async_hooks';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { sized } from '@gondola/local-stack/testing/sized';
import { waitFor } from '@gondola/local-stack/wait-for';

import { ASLEEP } from './lanes.ts';
import { gate, LONG_MS, openWorkerBench, type WorkerBench } from '../testing/worker-bench.ts';

const BACKLOG = sized(2_000, 20_000);

let bench: WorkerBench;

beforeAll(async () => {
  bench = await openWorkerBench('lane_worker');
});

afterEach(async () => {
  await bench.stopWorkers();
});

afterAll(async () => {
  await bench.close();
});

describe('LaneWorker, at work', () => {
  it('takes a woken lane at once, and one that comes due before the next poll in time', async () => {
    const seen: string[] = [];
    const poll = bench.poll({ pollMs: LONG_MS });
    const slow = bench.worker({
      tenant: 'wake',
      poll,
      step: async (claimed) => {
        seen.push('step');
        const inMs = seen.length === 1 ? 30 : LONG_MS;
        await bench.lanes.finish(claimed, () => inMs);
      },
    });
    await slow.start();
    await bench.wake('wake', '1');
    poll.wake();
    await waitFor(() => seen.length === 2, { describe: 'a second step when it is due' });
    expect(seen).toHaveLength(2);
  });

  it('runs at most as many steps at once as its limit', async () => {
    const steps = { open: 0, most: 0, done: 0 };
    const { opened, open } = gate();
    await bench.wake('many', ...Array.from({ length: 12 }, (_, index) => `${index}`));
    await bench
      .worker({
        tenant: 'many',
        concurrency: 4,
        step: async (claimed) => {
          steps.open += 1;
          steps.most = Math.max(steps.most, steps.open);
          await opened;
          await bench.sleepOn(claimed);
          steps.open -= 1;
          steps.done += 1;
        },
      })
      .start();
    await waitFor(() => steps.open === 4, { describe: 'four open steps' });
    open();
    await waitFor(() => steps.done === 12, { describe: 'all steps' });
    expect(steps.most).toBe(4);
  });

  it('runs its steps inside the given runner', async () => {
    const context = new AsyncLocalStorage<string>();
    const seen: unknown[] = [];
    await bench.wake('within', '1');
    await bench
      .worker({
        tenant: 'within',
        runBy: (work) => context.run('urgent', work),
        step: async (claimed) => {
          await bench.sleepOn(claimed);
          seen.push(context.getStore());
        },
      })
      .start();
    await waitFor(() => seen.length === 1, { describe: 'a step' });
    expect(seen).toEqual(['urgent']);
  });

  it('works again on a lane that its step has finished, while the step goes on with another (guarantee 5)', async () => {
    const { opened, open } = gate();
    let quickSteps = 0;
    await bench.wake('parted', 'quick', 'slow');
    await bench
      .worker({
        tenant: 'parted',
        concurrency: 2,
        batchSize: 2,
        step: async (claimed) => {
          const [quick, slow] = ['quick', 'slow'].map((wanted) =>
            claimed.filter(({ identity }) => identity === wanted),
          );
          quickSteps += quick!.length;
          const inMs = quickSteps === 1 ? 0 : LONG_MS;
          await bench.lanes.finish(quick!, () => inMs);
          if (slow!.length === 0) return;
          await opened;
          await bench.sleepOn(slow!);
        },
      })
      .start();
    await waitFor(() => quickSteps === 2, { describe: 'a second step of the quick lane' });
    open();
    expect(quickSteps).toBe(2);
  });

  it('never runs two steps of one lane at once, however often it is woken', async () => {
    const busy = new Set<string>();
    let doubled = 0;
    let steps = 0;
    const poll = bench.poll();
    const greedy = bench.worker({
      tenant: 'greedy',
      poll,
      concurrency: 4,
      batchSize: 2,
      step: async (claimed) => {
        steps += 1;
        for (const { id } of claimed) {
          if (busy.has(id)) doubled += 1;
          busy.add(id);
        }
        await bench.database.query('SELECT pg_sleep(0.002)');
        await bench.lanes.finish(claimed, ASLEEP, async (_, held) => {
          for (const { id } of held) busy.delete(id);
        });
      },
    });
    await greedy.start();
    for (let index = 0; index < 100; index += 1) {
      await bench.wake('greedy', '1', '2', '3');
      poll.wake();
    }
    await waitFor(
      async () => {
        await bench.wake('greedy', '1', '2', '3');
        return steps > 3;
      },
      { describe: 'a second step of a lane' },
    );
    await waitFor(
      async () => (await bench.rowsOf('greedy')).every((row) => row.lease_until === null && row.due_at === null),
      {
        describe: 'all lanes asleep',
      },
    );
    expect(doubled).toBe(0);
  });

  it('takes lanes of one tenant in their order, and those of another beside its backlog, not behind it (guarantee 5)', async () => {
    const backlog = Array.from({ length: BACKLOG }, (_, index) => `${index}`.padStart(6, '0'));
    const large: string[] = [];
    const small: string[] = [];
    const poll = bench.poll();
    const working = (tenant: string, done: string[]) =>
      bench.worker({
        tenant,
        poll,
        concurrency: 6,
        step: async (claimed) => {
          done.push(...claimed.map(({ identity }) => identity));
          await bench.sleepOn(claimed);
        },
      });
    await bench.wake('large', ...backlog);
    await working('large', large).start();
    await working('small', small).start();
    await waitFor(() => large.length >= 50, { describe: 'work on the backlog' });
    const before = large.length;
    await bench.wake('small', ...Array.from({ length: 10 }, (_, index) => `${index}`));
    await waitFor(() => small.length === 10, { describe: 'the lanes of the small tenant' });
    expect(large.length - before).toBeLessThan(BACKLOG / 4);
    await waitFor(() => large.length === BACKLOG, { describe: 'the backlog' });
    expect(large).toEqual(backlog);
    expect(small).toEqual(small.toSorted());
  });

  it('renews its lease during a much longer step, so that no other worker gets the lane', async () => {
    // A machine that stalls for more than 5 s between two renewals loses the lease, as it must.
    const leaseMs = 12_000;
    const { opened, open } = gate();
    let renewedUntil = 0;
    let aborted = true;
    let others = 0;
    await bench.wake('long', '1');
    await bench
      .worker({
        tenant: 'long',
        leaseMs,
        step: async (claimed, signal) => {
          await opened;
          aborted = signal.aborted;
          await bench.sleepOn(claimed);
        },
      })
      .start();
    const first = await waitFor(async () => (await bench.rowsOf('long'))[0]?.lease_until, { describe: 'a lease' });
    await bench.worker({ tenant: 'long', step: async () => void (others += 1) }).start();
    await waitFor(
      async () => {
        renewedUntil = (await bench.rowsOf('long'))[0]?.lease_until?.getTime() ?? 0;
        return renewedUntil > first.getTime() + leaseMs;
      },
      { describe: 'a lease that was renewed after the first one’s end' },
    );
    open();
    await waitFor(async () => (await bench.rowsOf('long'))[0]?.lease_until === null, {
      describe: 'the end of the step',
    });
    expect({ others, aborted }).toEqual({ others: 0, aborted: false });
  });
});
