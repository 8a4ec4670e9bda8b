import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { waitFor } from '@gondola/local-stack/wait-for';

import { type ClaimedLane, Lanes } from './lanes.ts';
import { recordingLogger } from '@gondola/kafka/testing/quiet-logger';
import { gate, type LaneRow, LONG_MS, openWorkerBench, type WorkerBench } from '../testing/worker-bench.ts';

let bench: WorkerBench;

beforeAll(async () => {
  bench = await openWorkerBench('lane_worker_failures');
});

afterEach(async () => {
  await bench.stopWorkers();
});

afterAll(async () => {
  await bench.close();
});

describe('LaneWorker, when steps fail', () => {
  it('tries a failed lane again after a back-off, which a restart of the worker does not forget', async () => {
    await bench.wake('failing', '1');
    const failures: number[] = [];
    const fail = async ([lane]: readonly ClaimedLane[]): Promise<void> => {
      failures.push(lane!.failures);
      throw new Error('the platform is on fire');
    };
    // It waits for the end of a failure that is being stored.
    const first = bench.worker({ tenant: 'failing', drainMs: LONG_MS, step: fail });
    await first.start();
    await waitFor(() => failures.length >= 2, { describe: 'two failures' });
    await first.stop();
    await bench.worker({ tenant: 'failing', step: fail }).start();
    await waitFor(() => failures.length >= 4, { describe: 'more failures' });
    expect(failures.slice(0, 4)).toEqual([0, 1, 2, 3]);
  });

  it('waits for the time of the back-off, and logs the failure', async () => {
    const { logger, lines } = recordingLogger();
    await bench.wake('waits', '1');
    await bench
      .worker({
        tenant: 'waits',
        logger,
        backoff: { baseMs: LONG_MS, maxMs: LONG_MS },
        step: () => Promise.reject(new Error('no')),
      })
      .start();
    await waitFor(async () => (await bench.rowsOf('waits'))[0]?.failures === 1, { describe: 'a failure' });
    const [readiness] = await bench.lanes.readiness([{ tenant: 'waits', kind: 'order' }], LONG_MS);
    expect(readiness!.nextInMs).toBeGreaterThan(LONG_MS / 3);
    expect(lines).toContainEqual(expect.objectContaining({ level: 'error', tenant: 'waits', count: 1 }));
  });

  it('one lane that always fails does not stop the lanes that were claimed with it (guarantee 5)', async () => {
    await bench.wake('poison', ...Array.from({ length: 40 }, (_, index) => String(index).padStart(2, '0')));
    await bench
      .worker({
        tenant: 'poison',
        batchSize: 40,
        step: async (claimed) => {
          if (claimed.some(({ identity }) => identity === '17')) throw new Error('17 is unbearable');
          await bench.sleepOn(claimed);
        },
      })
      .start();
    const rows = await waitFor(
      async () => {
        const all = await bench.rowsOf('poison');
        return all.filter(({ due_at, lease_until }) => due_at === null && lease_until === null).length === 39 && all;
      },
      { describe: 'the other 39 lanes to finish' },
    );
    expect(rows.filter(({ failures }) => failures > 0).map(({ identity }) => identity)).toEqual(['17']);
  });

  it('continues after claims fail for a while', async () => {
    class FailingLanes extends Lanes {
      left = 3;
      override async claim(wanted: Parameters<Lanes['claim']>[0]): Promise<ClaimedLane[]> {
        this.left -= 1;
        if (this.left >= 0) throw new Error('the database is away');
        return super.claim(wanted);
      }
    }
    let steps = 0;
    await bench.wake('flaky', '1');
    await bench
      .worker({
        tenant: 'flaky',
        lanes: new FailingLanes(bench.database),
        step: async (claimed) => {
          steps += 1;
          await bench.sleepOn(claimed);
        },
      })
      .start();
    await waitFor(() => steps === 1, { describe: 'a step in spite of failed claims' });
    expect(steps).toBe(1);
  });

  it('aborts a step whose lease cannot be renewed, which is no failure of its lane', async () => {
    class UnrenewableLanes extends Lanes {
      override async renew(): Promise<ClaimedLane[]> {
        throw new Error('the database is away');
      }
    }
    const reasons: unknown[] = [];
    await bench.wake('unrenewable', '1');
    await bench
      .worker({
        tenant: 'unrenewable',
        leaseMs: 500,
        lanes: new UnrenewableLanes(bench.database),
        step: async (claimed, signal) => {
          if (reasons.length > 0) return bench.sleepOn(claimed);
          const end = gate();
          signal.addEventListener('abort', end.open);
          await end.opened;
          reasons.push(signal.reason);
          throw signal.reason;
        },
      })
      .start();
    await waitFor(() => reasons.length > 0, { describe: 'the step to be aborted' });
    expect(reasons).toEqual([new Error('The lease could not be renewed')]);
    await waitFor(async () => isAsleep(await bench.rowsOf('unrenewable')), { describe: 'the lane to be worked off' });
  });

  it('starts no step under a lease that ended before the answer of its claim came', async () => {
    const leaseMs = 500;
    class LateLanes extends Lanes {
      late: ClaimedLane[] = [];
      override async claim(wanted: Parameters<Lanes['claim']>[0]): Promise<ClaimedLane[]> {
        const isFirst = this.late.length === 0;
        const claimed = await super.claim(wanted);
        if (!isFirst || claimed.length === 0) return claimed;
        this.late = claimed;
        const [row] = await bench.rowsOf('late');
        await waitFor(() => bench.isPast(row!.lease_until!), { describe: 'the end of the lease' });
        return claimed;
      }
    }
    const lanes = new LateLanes(bench.database);
    const epochs: string[] = [];
    await bench.wake('late', '1');
    await bench
      .worker({
        tenant: 'late',
        leaseMs,
        lanes,
        step: async (claimed) => {
          epochs.push(...claimed.map(({ epoch }) => epoch));
          await bench.sleepOn(claimed);
        },
      })
      .start();
    await waitFor(async () => isAsleep(await bench.rowsOf('late')), { describe: 'the lane to be worked off' });
    expect(lanes.late).toHaveLength(1);
    expect(epochs).not.toContain(lanes.late[0]!.epoch);
  });

  it('does not start a second step beside one that outlived its lease', async () => {
    class LosingLanes extends Lanes {
      override async renew(): Promise<ClaimedLane[]> {
        return [];
      }
    }
    const { opened, open } = gate();
    const steps = { started: 0, open: 0, most: 0 };
    await bench.wake('outlived', '1');
    await bench
      .worker({
        tenant: 'outlived',
        concurrency: 2,
        leaseMs: 500,
        lanes: new LosingLanes(bench.database),
        step: async (claimed) => {
          steps.started += 1;
          steps.open += 1;
          steps.most = Math.max(steps.most, steps.open);
          await opened;
          steps.open -= 1;
          await bench.sleepOn(claimed);
        },
      })
      .start();
    await waitFor(() => steps.started > 0, { describe: 'the step' });
    const epochOf = async (): Promise<number> => Number((await bench.rowsOf('outlived'))[0]?.epoch);
    const first = await epochOf();
    await waitFor(async () => (await epochOf()) >= first + 2, { describe: 'the lane to be claimed again and again' });
    expect(steps).toEqual({ started: 1, open: 1, most: 1 });
    open();
    await waitFor(async () => isAsleep(await bench.rowsOf('outlived')), { describe: 'the lane to be worked off' });
    expect(steps.most).toBe(1);
  });
});

function isAsleep(rows: readonly LaneRow[]): boolean {
  return rows.every(({ due_at, lease_until }) => due_at === null && lease_until === null);
}
