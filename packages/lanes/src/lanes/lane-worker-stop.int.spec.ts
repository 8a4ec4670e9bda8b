import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { waitFor } from '@gondola/local-stack/wait-for';

import { LaneWorker } from './lane-worker.ts';
import { LaneWorkers } from './lane-workers.ts';
import { type LaneGroup, type LaneReadiness, Lanes } from './lanes.ts';
import { quietLogger } from '@gondola/kafka/testing/quiet-logger';
import { gate, LONG_MS, openWorkerBench, type WorkerBench } from '../testing/worker-bench.ts';

let bench: WorkerBench;

beforeAll(async () => {
  bench = await openWorkerBench('lane_worker_stop');
});

afterEach(async () => {
  await bench.stopWorkers();
});

afterAll(async () => {
  await bench.close();
});

describe('LaneWorker.stop', () => {
  it('waits for open steps and hands back the other claimed lanes', async () => {
    const { opened, open } = gate();
    let started = 0;
    await bench.wake('drain', '1', '2', '3');
    // Three lanes that failed often are claimed together and run in steps of one lane.
    await bench.database.query(`UPDATE lanes SET failures = 5 WHERE tenant = 'drain'`);
    const draining = bench.worker({
      tenant: 'drain',
      batchSize: 3,
      drainMs: LONG_MS,
      step: async (claimed) => {
        started += 1;
        await opened;
        await bench.sleepOn(claimed);
      },
    });
    await draining.start();
    await waitFor(() => started === 1, { describe: 'an open step' });
    const stopped = draining.stop();
    open();
    await stopped;
    const rows = await bench.rowsOf('drain');
    expect(started).toBe(1);
    expect(rows.every(({ lease_until }) => lease_until === null)).toBe(true);
    expect(rows.filter(({ due_at }) => due_at !== null)).toHaveLength(2);
  });

  it('aborts a step that takes too long and hands back its lease, not as a failure', async () => {
    let signalled = false;
    let started = false;
    await bench.wake('slow', '1');
    const slow = bench.worker({
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
    expect(await bench.rowsOf('slow')).toMatchObject([{ failures: 0, lease_until: null, due_at: expect.any(Date) }]);
  });

  it('hands back the lease of a step that ignores the abort', async () => {
    const { opened, open } = gate();
    let started = false;
    await bench.wake('deaf', '1');
    const deaf = bench.worker({
      tenant: 'deaf',
      drainMs: 20,
      step: async (claimed) => {
        started = true;
        await opened;
        await bench.sleepOn(claimed);
      },
    });
    await deaf.start();
    await waitFor(() => started, { describe: 'an open step' });
    await deaf.stop();
    expect(await bench.lanes.claim({ tenant: 'deaf', kind: 'order', limit: 1, leaseMs: LONG_MS })).toHaveLength(1);
    open();
  });

  it('stops many workers at the same time, not one after the other', async () => {
    const { opened: allAborted, open } = gate();
    const tenants = Array.from({ length: 5 }, (_, index) => `together-${index}`);
    const steps = { started: 0, aborted: 0, ended: 0 };
    const step = async (_: unknown, signal: AbortSignal): Promise<void> => {
      signal.addEventListener('abort', () => {
        steps.aborted += 1;
        if (steps.aborted === tenants.length) open();
      });
      steps.started += 1;
      await allAborted;
      steps.ended += 1;
      signal.throwIfAborted();
    };
    /** Number of ended steps at the moment when each worker stopped. */
    const endedBefore: number[] = [];
    const configured = tenants.map((id) => ({ id, platform: { concurrency: 1 } }));
    const lanes = new LanesWithoutLateLooks(bench.database);
    const together = new LaneWorkers(lanes, configured, { times: { leaseMs: LONG_MS } }, quietLogger(), {
      mayWork: async () => true,
    });
    together.add({ kind: 'order', batchSize: 1, drainMs: 100, step });
    const stop = jest.spyOn(LaneWorker.prototype, 'stop');
    await together.start();
    for (const tenant of tenants) await bench.wake(tenant, '1');
    together.wake();
    await waitFor(() => steps.started === tenants.length, { describe: 'an open step of each' });
    await lanes.endLooks();
    const stopping = together.stop();
    for (const { value } of stop.mock.results) void (value as Promise<void>).then(() => endedBefore.push(steps.ended));
    await stopping;
    stop.mockRestore();
    // If the workers stopped one after the other, the first would stop before all steps have ended.
    expect(endedBefore).toEqual(tenants.map(() => tenants.length));
  });

  it('can be started again', async () => {
    let steps = 0;
    const again = bench.worker({
      tenant: 'again',
      step: async (claimed) => {
        steps += 1;
        await bench.sleepOn(claimed);
      },
    });
    await again.start();
    await again.stop();
    await bench.wake('again', '1');
    await again.start();
    await waitFor(() => steps === 1, { describe: 'a step after the second start' });
    expect(steps).toBe(1);
  });
});

/** Lanes whose looks can be ended: the last worker of a poll stops only after the look in progress. */
class LanesWithoutLateLooks extends Lanes {
  #looks = 0;
  #ended = false;

  override async readiness(groups: readonly LaneGroup[], aheadMs: number): Promise<LaneReadiness[]> {
    if (this.#ended) return [];
    this.#looks += 1;
    try {
      return await super.readiness(groups, aheadMs);
    } finally {
      this.#looks -= 1;
    }
  }

  async endLooks(): Promise<void> {
    this.#ended = true;
    await waitFor(() => this.#looks === 0, { describe: 'the end of the look in progress' });
  }
}
