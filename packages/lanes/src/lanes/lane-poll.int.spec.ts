import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { waitFor } from '@gondola/local-stack/wait-for';

import { type LaneGroup, type LaneReadiness, Lanes } from './lanes.ts';
import { gate, LONG_MS, openWorkerBench, type WorkerBench, type WorkerOptions } from '../testing/worker-bench.ts';

let bench: WorkerBench;

beforeAll(async () => {
  bench = await openWorkerBench('lane_poll');
});

afterEach(async () => {
  await bench.stopWorkers();
});

afterAll(async () => {
  await bench.close();
});

/** Counts looks, of which the first fails, and remembers who claims. */
class CountingLanes extends Lanes {
  looks = 0;
  readonly claimants = new Set<string>();

  override async readiness(groups: readonly LaneGroup[], aheadMs: number): Promise<LaneReadiness[]> {
    const found = await super.readiness(groups, aheadMs);
    this.looks += 1;
    if (this.looks === 1) throw new Error('the database is away');
    return found;
  }

  override async claim(wanted: Parameters<Lanes['claim']>[0]): ReturnType<Lanes['claim']> {
    this.claimants.add(`${wanted.tenant} ${wanted.kind}`);
    return super.claim(wanted);
  }
}

describe('LanePoll', () => {
  it('asks once for all workers of many tenants and kinds, and continues after a failure', async () => {
    const lanes = new CountingLanes(bench.database);
    const poll = bench.poll({ lanes, pollMs: LONG_MS });
    const done: string[] = [];
    for (const tenant of ['idle-1', 'idle-2', 'idle-3']) {
      for (const kind of ['order', 'product', 'brand', 'price']) {
        const step: WorkerOptions['step'] = async (claimed) => {
          await bench.sleepOn(claimed);
          done.push(`${tenant} ${kind}`);
        };
        await bench.worker({ tenant, kind, lanes, poll, step }).start();
      }
    }
    await waitFor(() => lanes.looks >= 2, { describe: 'a look after the one that failed' });
    const looks = async (n: number): Promise<void> => {
      for (let look = 0; look < n; look += 1) {
        const before = lanes.looks;
        poll.wake();
        await waitFor(() => lanes.looks > before, { describe: 'a look' });
      }
    };
    await looks(2);
    const start = lanes.looks;
    await looks(10);
    expect({ looks: lanes.looks - start, claimants: [...lanes.claimants] }).toEqual({ looks: 10, claimants: [] });
    await bench.wake('idle-2', '1');
    await looks(1);
    await waitFor(() => done.length === 1, { describe: 'the step of the one worker with a lane' });
    expect({ done, claimants: [...lanes.claimants] }).toEqual({ done: ['idle-2 order'], claimants: ['idle-2 order'] });
  });

  it('does not look between the steps of a backlog, whose claims show that more is ready', async () => {
    const lanes = new CountingLanes(bench.database);
    const identities = Array.from({ length: 20 }, (_, index) => String(index));
    await bench.wake('backlog', ...identities);
    let steps = 0;
    const step: Parameters<WorkerBench['worker']>[0]['step'] = async (claimed) => {
      await bench.sleepOn(claimed);
      steps += 1;
    };
    await bench.worker({ tenant: 'backlog', lanes, poll: bench.poll({ lanes, pollMs: LONG_MS }), step }).start();
    await waitFor(() => steps === identities.length, { describe: 'all steps' });
    // The look that fails, the one that finds the backlog, and those after its first and its last step.
    expect(lanes.looks).toBeLessThanOrEqual(4);
  });

  it('does not look for a lane that its step leaves due at once', async () => {
    const lanes = new CountingLanes(bench.database);
    await bench.wake('again', '1');
    let steps = 0;
    const step: WorkerOptions['step'] = async (claimed) => {
      steps += 1;
      await lanes.finish(claimed, () => (steps < 10 ? 0 : null));
    };
    const poll = bench.poll({ lanes, pollMs: LONG_MS });
    await bench.worker({ tenant: 'again', concurrency: 2, lanes, poll, step }).start();
    await waitFor(() => steps === 10, { describe: 'all steps' });
    // The look that fails, and the one that finds the lane.
    expect(lanes.looks).toBe(2);
  });

  it('finds a lane at its due time while another of the same worker is in a step', async () => {
    const { opened, open } = gate();
    await bench.wake('hidden', 'due now', 'due soon');
    await bench.database.query(
      `UPDATE lanes SET due_at = now() + interval '50 milliseconds' WHERE tenant = 'hidden' AND identity = 'due soon'`,
    );
    const started: string[] = [];
    const step: WorkerOptions['step'] = async (claimed) => {
      started.push(...claimed.map(({ identity }) => identity));
      if (started.length === 2) open();
      await opened;
      await bench.sleepOn(claimed);
    };
    await bench.worker({ tenant: 'hidden', concurrency: 2, poll: bench.poll({ pollMs: LONG_MS }), step }).start();
    await waitFor(() => started.length === 2, { describe: 'the second lane' });
    expect(started).toEqual(['due now', 'due soon']);
  });

  it('finds a lane when the lease of a worker ends that is gone', async () => {
    await bench.wake('gone', '1');
    await bench.lanes.claim({ tenant: 'gone', kind: 'order', limit: 1, leaseMs: 50 });
    const failures: number[] = [];
    const step: WorkerOptions['step'] = async (claimed) => {
      failures.push(...claimed.map((lane) => lane.failures));
      await bench.sleepOn(claimed);
    };
    await bench.worker({ tenant: 'gone', poll: bench.poll({ pollMs: LONG_MS }), step }).start();
    await waitFor(() => failures.length === 1, { describe: 'the lane' });
    expect(failures).toEqual([1]);
  });

  it('finds by itself what another process has woken', async () => {
    let steps = 0;
    const step: WorkerOptions['step'] = async (claimed) => {
      steps += 1;
      await bench.sleepOn(claimed);
    };
    await bench.worker({ tenant: 'elsewhere', step }).start();
    await bench.wake('elsewhere', '1');
    await waitFor(() => steps === 1, { describe: 'a step without a wake signal' });
    expect(steps).toBe(1);
  });
});
