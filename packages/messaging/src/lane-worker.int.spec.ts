import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { waitFor } from '@gondola/local-stack/wait-for';

import { LaneWorker, type LaneWorkerOptions } from './lane-worker.ts';
import { LaneWorkers } from './lane-workers.ts';
import { type ClaimedLane, Lanes } from './lanes.ts';
import { wakeNow } from './testing/lane-invariants.ts';
import { quietLogger, recordingLogger } from './testing/quiet-logger.ts';
import { openTestDatabase, type TestDatabase } from './testing/test-database.ts';

let test: TestDatabase;
let lanes: Lanes;
const workers: LaneWorker[] = [];

beforeAll(async () => {
  test = await openTestDatabase('lane_worker');
  lanes = new Lanes(test.database);
});

afterEach(async () => {
  await Promise.all(workers.splice(0).map((worker) => worker.stop()));
});

afterAll(async () => {
  await test.close();
});

const LONG_MS = 600_000;
const QUICK_BACKOFF = { baseMs: 5, maxMs: 20 };

type Variable = Pick<LaneWorkerOptions, 'tenant' | 'step'> & Partial<LaneWorkerOptions>;

function worker(options: Variable): LaneWorker {
  const made = new LaneWorker({
    name: `${options.tenant} worker`,
    lanes,
    kind: 'order',
    batchSize: 1,
    concurrency: 1,
    pollMs: 20,
    leaseMs: 60_000,
    backoff: QUICK_BACKOFF,
    logger: quietLogger(),
    ...options,
  });
  workers.push(made);
  return made;
}

async function wake(tenant: string, ...identities: string[]): Promise<void> {
  const keys = identities.map((identity) => ({ tenant, kind: 'order', identity }));
  await wakeNow({ database: test.database, lanes }, ...keys);
}

async function sleepOn(claimed: readonly ClaimedLane[]): Promise<void> {
  await lanes.finish(claimed, async (_, held) => new Map(held.map(({ id }) => [id, null])));
}

async function rowsOf(
  tenant: string,
): Promise<Array<{ identity: string; failures: number; lease_until: Date | null; due_at: Date | null }>> {
  const text = 'SELECT identity, failures, lease_until, due_at FROM lanes WHERE tenant = $1 ORDER BY identity';
  return (await test.database.query<Awaited<ReturnType<typeof rowsOf>>[number]>(text, [tenant])).rows;
}

/** A step that ends when told to. */
function gate(): { opened: Promise<void>; open: () => void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { opened: promise, open: resolve };
}

describe('LaneWorker, at work', () => {
  it('notices a lane that it was nudged for at once, and one that comes due before the next poll in time', async () => {
    const seen: string[] = [];
    const slow = worker({
      tenant: 'nudge',
      pollMs: LONG_MS,
      step: async (claimed) => {
        seen.push('step');
        const inMs = seen.length === 1 ? 30 : LONG_MS;
        await lanes.finish(claimed, async (_, held) => new Map(held.map(({ id }) => [id, { inMs }])));
      },
    });
    await slow.start();
    await wake('nudge', '1');
    slow.nudge();
    await waitFor(() => seen.length === 2, { describe: 'a second step when it is due' });
    expect(seen).toHaveLength(2);
  });

  it('runs as many steps at once as it may, and no more', async () => {
    const steps = { open: 0, most: 0, done: 0 };
    const { opened, open } = gate();
    await wake('many', ...Array.from({ length: 12 }, (_, index) => `${index}`));
    await worker({
      tenant: 'many',
      concurrency: 4,
      step: async (claimed) => {
        steps.open += 1;
        steps.most = Math.max(steps.most, steps.open);
        await opened;
        await sleepOn(claimed);
        steps.open -= 1;
        steps.done += 1;
      },
    }).start();
    await waitFor(() => steps.open === 4, { describe: 'four open steps' });
    open();
    await waitFor(() => steps.done === 12, { describe: 'all steps' });
    expect(steps.most).toBe(4);
  });

  it('never has two steps on one lane at once, however often it is woken', async () => {
    const busy = new Set<string>();
    let doubled = 0;
    let steps = 0;
    const greedy = worker({
      tenant: 'greedy',
      concurrency: 4,
      batchSize: 2,
      step: async (claimed) => {
        steps += 1;
        for (const { id } of claimed) {
          if (busy.has(id)) doubled += 1;
          busy.add(id);
        }
        await test.database.query('SELECT pg_sleep(0.002)');
        await lanes.finish(claimed, async (_, held) => {
          for (const { id } of held) busy.delete(id);
          return new Map(held.map(({ id }) => [id, null]));
        });
      },
    });
    await greedy.start();
    for (let index = 0; index < 100; index += 1) {
      await wake('greedy', '1', '2', '3');
      greedy.nudge();
    }
    await waitFor(
      async () => (await rowsOf('greedy')).every((row) => row.lease_until === null && row.due_at === null),
      {
        describe: 'all lanes asleep',
      },
    );
    expect(steps).toBeGreaterThan(3);
    expect(doubled).toBe(0);
  });

  it('keeps its lease through a step that is much longer, so that no other worker gets the lane', async () => {
    const { opened, open } = gate();
    let renewedUntil = 0;
    let aborted = true;
    let others = 0;
    await wake('long', '1');
    await worker({
      tenant: 'long',
      leaseMs: 300,
      step: async (claimed, signal) => {
        await opened;
        aborted = signal.aborted;
        await sleepOn(claimed);
      },
    }).start();
    const first = await waitFor(async () => (await rowsOf('long'))[0]?.lease_until, { describe: 'a lease' });
    await worker({ tenant: 'long', step: async () => void (others += 1) }).start();
    await waitFor(
      async () => {
        renewedUntil = (await rowsOf('long'))[0]?.lease_until?.getTime() ?? 0;
        return renewedUntil > first.getTime() + 900;
      },
      { describe: 'a lease renewed beyond three times its length' },
    );
    open();
    await waitFor(async () => (await rowsOf('long'))[0]?.lease_until === null, { describe: 'the end of the step' });
    expect({ others, aborted }).toEqual({ others: 0, aborted: false });
  });
});

describe('LaneWorker, when steps fail', () => {
  it('tries a failed lane again after a back-off, which a restart of the worker does not forget', async () => {
    await wake('failing', '1');
    const failures: number[] = [];
    const fail = async ([lane]: readonly ClaimedLane[]): Promise<void> => {
      failures.push(lane!.failures);
      throw new Error('the platform is on fire');
    };
    const first = worker({ tenant: 'failing', step: fail });
    await first.start();
    await waitFor(() => failures.length >= 2, { describe: 'two failures' });
    await first.stop();
    await worker({ tenant: 'failing', step: fail }).start();
    await waitFor(() => failures.length >= 4, { describe: 'more failures' });
    expect(failures.slice(0, 4)).toEqual([0, 1, 2, 3]);
  });

  it('waits as long as the back-off says, and logs the failure', async () => {
    const { logger, lines } = recordingLogger();
    await wake('waits', '1');
    await worker({
      tenant: 'waits',
      logger,
      backoff: { baseMs: LONG_MS, maxMs: LONG_MS },
      step: () => Promise.reject(new Error('no')),
    }).start();
    await waitFor(async () => (await rowsOf('waits'))[0]?.failures === 1, { describe: 'a failure' });
    const dueInMs = (await lanes.nextReadyInMs({ tenant: 'waits', kind: 'order' })) ?? 0;
    expect(dueInMs).toBeGreaterThan(LONG_MS / 3);
    expect(lines).toContainEqual(expect.objectContaining({ level: 'error', tenant: 'waits', count: 1 }));
  });

  it('one lane that fails for ever ends up stopping none of those that came with it (guarantee 5)', async () => {
    await wake('poison', ...Array.from({ length: 40 }, (_, index) => String(index).padStart(2, '0')));
    await worker({
      tenant: 'poison',
      batchSize: 40,
      step: async (claimed) => {
        if (claimed.some(({ identity }) => identity === '17')) throw new Error('17 is unbearable');
        await sleepOn(claimed);
      },
    }).start();
    const rows = await waitFor(
      async () => {
        const all = await rowsOf('poison');
        return all.filter(({ due_at, lease_until }) => due_at === null && lease_until === null).length === 39 && all;
      },
      { describe: 'the other 39 lanes to finish' },
    );
    expect(rows.filter(({ failures }) => failures > 0).map(({ identity }) => identity)).toEqual(['17']);
  });

  it('goes on when claims fail for a while', async () => {
    class FailingLanes extends Lanes {
      left = 3;
      override async claim(wanted: Parameters<Lanes['claim']>[0]): Promise<ClaimedLane[]> {
        this.left -= 1;
        if (this.left >= 0) throw new Error('the database is away');
        return super.claim(wanted);
      }
    }
    let steps = 0;
    await wake('flaky', '1');
    await worker({
      tenant: 'flaky',
      lanes: new FailingLanes(test.database),
      step: async (claimed) => {
        steps += 1;
        await sleepOn(claimed);
      },
    }).start();
    await waitFor(() => steps === 1, { describe: 'a step in spite of failed claims' });
    expect(steps).toBe(1);
  });

  it('aborts a step while its lease still lasts, if the lease cannot be renewed', async () => {
    class UnrenewableLanes extends Lanes {
      override async renew(): Promise<ClaimedLane[]> {
        throw new Error('the database is away');
      }
    }
    const aborted = gate();
    await wake('unrenewable', '1');
    await worker({
      tenant: 'unrenewable',
      leaseMs: 400,
      lanes: new UnrenewableLanes(test.database),
      step: async (claimed, signal) => {
        const end = gate();
        signal.addEventListener('abort', end.open);
        await end.opened;
        const [row] = await rowsOf('unrenewable');
        if (row!.lease_until!.getTime() > Date.now()) aborted.open();
        await sleepOn(claimed);
      },
    }).start();
    await expect(aborted.opened).resolves.toBeUndefined();
  });

  it('does not start a second step beside one that outlived its lease', async () => {
    class LosingLanes extends Lanes {
      override async renew(): Promise<ClaimedLane[]> {
        return [];
      }
    }
    const { opened, open } = gate();
    const steps = { started: 0, open: 0, most: 0 };
    await wake('outlived', '1');
    await worker({
      tenant: 'outlived',
      concurrency: 2,
      leaseMs: 50,
      lanes: new LosingLanes(test.database),
      step: async (claimed) => {
        steps.started += 1;
        steps.open += 1;
        steps.most = Math.max(steps.most, steps.open);
        await opened;
        steps.open -= 1;
        await sleepOn(claimed);
      },
    }).start();
    const epochOf = async (): Promise<number> =>
      Number(
        (await test.database.query<{ epoch: string }>(`SELECT epoch FROM lanes WHERE tenant = 'outlived'`)).rows[0]
          ?.epoch,
      );
    await waitFor(async () => (await epochOf()) >= 3, { describe: 'the lane to be claimed again and again' });
    expect(steps).toEqual({ started: 1, open: 1, most: 1 });
    open();
    await waitFor(async () => (await rowsOf('outlived'))[0]?.due_at === null, {
      describe: 'the lane to be worked off',
    });
    expect(steps.most).toBe(1);
  });
});

describe('LaneWorker.stop', () => {
  it('waits for open steps and hands back what was claimed beyond them', async () => {
    const { opened, open } = gate();
    let started = 0;
    await wake('drain', '1', '2', '3');
    // Three lanes that failed often come in one claim, and go through steps of one.
    await test.database.query(`UPDATE lanes SET failures = 5 WHERE tenant = 'drain'`);
    const draining = worker({
      tenant: 'drain',
      batchSize: 3,
      step: async (claimed) => {
        started += 1;
        await opened;
        await sleepOn(claimed);
      },
    });
    await draining.start();
    await waitFor(() => started === 1, { describe: 'an open step' });
    const stopped = draining.stop();
    open();
    await stopped;
    const rows = await rowsOf('drain');
    expect(started).toBe(1);
    expect(rows.every(({ lease_until }) => lease_until === null)).toBe(true);
    expect(rows.filter(({ due_at }) => due_at !== null)).toHaveLength(2);
  });

  it('aborts a step that takes too long and hands back its lease, not as a failure', async () => {
    let signalled = false;
    let started = false;
    await wake('slow', '1');
    const slow = worker({
      tenant: 'slow',
      drainMs: 20,
      step: async (_, signal) => {
        started = true;
        const end = gate();
        signal.addEventListener('abort', end.open);
        await end.opened;
        signalled = true;
        signal.throwIfAborted();
      },
    });
    await slow.start();
    await waitFor(() => started, { describe: 'an open step' });
    await slow.stop();
    expect(signalled).toBe(true);
    expect(await rowsOf('slow')).toMatchObject([{ failures: 0, lease_until: null, due_at: expect.any(Date) }]);
  });

  it('hands back the lease of a step that does not even listen', async () => {
    const { opened, open } = gate();
    let started = false;
    await wake('deaf', '1');
    const deaf = worker({
      tenant: 'deaf',
      drainMs: 20,
      step: async (claimed) => {
        started = true;
        await opened;
        await sleepOn(claimed);
      },
    });
    await deaf.start();
    await waitFor(() => started, { describe: 'an open step' });
    await deaf.stop();
    expect(await lanes.claim({ tenant: 'deaf', kind: 'order', limit: 1, leaseMs: LONG_MS })).toHaveLength(1);
    open();
  });

  it('takes as long for many workers whose steps do not end as for one', async () => {
    const { opened, open } = gate();
    const tenants = Array.from({ length: 5 }, (_, index) => `together-${index}`);
    let started = 0;
    const step = async (): Promise<void> => {
      started += 1;
      await opened;
    };
    const together = new LaneWorkers(tenants.map((tenant) => worker({ tenant, drainMs: 500, pollMs: LONG_MS, step })));
    await together.start();
    for (const tenant of tenants) await wake(tenant, '1');
    together.nudge();
    await waitFor(() => started === tenants.length, { describe: 'an open step of each' });
    const start = performance.now();
    await together.stop();
    // Each waits 500 ms for its step and another second after it aborted it.
    expect(performance.now() - start).toBeLessThan(3_000);
    open();
  });

  it('can be started again', async () => {
    let steps = 0;
    const again = worker({
      tenant: 'again',
      step: async (claimed) => {
        steps += 1;
        await sleepOn(claimed);
      },
    });
    await again.start();
    await again.stop();
    await wake('again', '1');
    await again.start();
    await waitFor(() => steps === 1, { describe: 'a step after the second start' });
    expect(steps).toBe(1);
  });
});
