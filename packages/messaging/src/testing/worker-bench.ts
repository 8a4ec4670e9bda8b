import type { Database } from '@gondola/service-kit/database/database';

import { type LaneWorkerOptions, LaneWorker } from '../lanes/lane-worker.ts';
import { type ClaimedLane, Lanes } from '../lanes/lanes.ts';
import { wakeNow } from './lane-invariants.ts';
import { quietLogger } from './quiet-logger.ts';
import { openTestDatabase } from './test-database.ts';

export const LONG_MS = 600_000;

export interface LaneRow {
  readonly identity: string;
  readonly failures: number;
  readonly epoch: string;
  readonly lease_until: Date | null;
  readonly due_at: Date | null;
}

/** Options that a test sets of a worker; the others are as quick as possible. */
export type WorkerOptions = Pick<LaneWorkerOptions, 'tenant' | 'step'> & Partial<LaneWorkerOptions>;

/** Lanes of the suite's own, and workers on them that are stopped after each test. */
export interface WorkerBench {
  readonly database: Database;
  readonly lanes: Lanes;
  worker(options: WorkerOptions): LaneWorker;
  wake(tenant: string, ...identities: string[]): Promise<void>;
  /** Finishes lanes that are then due when they are woken. */
  sleepOn(claimed: readonly ClaimedLane[]): Promise<void>;
  rowsOf(tenant: string): Promise<LaneRow[]>;
  stopWorkers(): Promise<void>;
  close(): Promise<void>;
}

export async function openWorkerBench(label: string): Promise<WorkerBench> {
  const test = await openTestDatabase(label);
  const { database } = test;
  const lanes = new Lanes(database);
  const workers: LaneWorker[] = [];
  return {
    database,
    lanes,
    worker: (options) => {
      const made = new LaneWorker({
        name: `${options.tenant} worker`,
        lanes,
        kind: 'order',
        batchSize: 1,
        concurrency: 1,
        pollMs: 20,
        leaseMs: 60_000,
        backoff: { baseMs: 5, maxMs: 20 },
        logger: quietLogger(),
        ...options,
      });
      workers.push(made);
      return made;
    },
    wake: async (tenant, ...identities) => {
      const keys = identities.map((identity) => ({ tenant, kind: 'order', identity }));
      await wakeNow({ database, lanes }, ...keys);
    },
    sleepOn: (claimed) => lanes.finish(claimed, async (_, held) => new Map(held.map(({ id }) => [id, null]))),
    rowsOf: async (tenant) => {
      const text =
        'SELECT identity, failures, epoch, lease_until, due_at FROM lanes WHERE tenant = $1 ORDER BY identity';
      return (await database.query<LaneRow & { [column: string]: unknown }>(text, [tenant])).rows;
    },
    stopWorkers: async () => {
      await Promise.all(workers.splice(0).map((worker) => worker.stop()));
    },
    close: () => test.close(),
  };
}

/** Something that ends on request. */
export function gate(): { opened: Promise<void>; open: () => void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { opened: promise, open: resolve };
}
