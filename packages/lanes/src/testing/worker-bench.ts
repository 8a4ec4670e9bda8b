import type { Database } from '@gondola/service-kit/database/database';

import { LanePoll, type LanePollOptions } from '../lanes/lane-poll.ts';
import { type LaneWorkerOptions, LaneWorker } from '../lanes/lane-worker.ts';
import { ASLEEP, type ClaimedLane, Lanes } from '../lanes/lanes.ts';
import { wakeNow } from './lane-invariants.ts';
import { quietLogger } from '@gondola/kafka/testing/quiet-logger';
import { openTestDatabase } from './test-database.ts';

export const LONG_MS = 600_000;

export interface LaneRow {
  readonly identity: string;
  readonly failures: number;
  readonly epoch: string;
  readonly lease_until: Date | null;
  readonly due_at: Date | null;
}

/** Options of a worker that a test sets; the others are as fast as possible. */
export type WorkerOptions = Pick<LaneWorkerOptions, 'tenant' | 'step'> & Partial<LaneWorkerOptions>;

/** Lanes for one suite, and workers on them that are stopped after each test. */
export interface WorkerBench {
  readonly database: Database;
  readonly lanes: Lanes;
  /** Looks every 20 ms by default. */
  poll(options?: Partial<LanePollOptions>): LanePoll;
  /** Has a poll of its own by default. */
  worker(options: WorkerOptions): LaneWorker;
  wake(tenant: string, ...identities: string[]): Promise<void>;
  /** Finishes lanes, which are then due only when they are woken. */
  sleepOn(claimed: readonly ClaimedLane[]): Promise<void>;
  rowsOf(tenant: string): Promise<LaneRow[]>;
  /** Whether a time has passed, by the database's clock. */
  isPast(time: Date): Promise<boolean>;
  stopWorkers(): Promise<void>;
  close(): Promise<void>;
}

export async function openWorkerBench(label: string): Promise<WorkerBench> {
  const test = await openTestDatabase(label);
  const { database } = test;
  const lanes = new Lanes(database);
  const workers: LaneWorker[] = [];
  const pollWith = (options?: Partial<LanePollOptions>): LanePoll =>
    new LanePoll({ lanes, pollMs: 20, logger: quietLogger(), ...options });
  return {
    database,
    lanes,
    poll: pollWith,
    worker: (options) => {
      const made = new LaneWorker({
        name: `${options.tenant} worker`,
        lanes,
        poll: options.poll ?? pollWith(),
        kind: 'order',
        batchSize: 1,
        concurrency: 1,
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
    sleepOn: (claimed) => lanes.finish(claimed, ASLEEP),
    rowsOf: async (tenant) => {
      const text =
        'SELECT identity, failures, epoch, lease_until, due_at FROM lanes WHERE tenant = $1 ORDER BY identity';
      return (await database.query<LaneRow & { [column: string]: unknown }>(text, [tenant])).rows;
    },
    isPast: async (time) => {
      const { rows } = await database.query<{ past: boolean }>('SELECT clock_timestamp() > $1 AS past', [time]);
      return rows[0]!.past;
    },
    stopWorkers: async () => {
      await Promise.all(workers.splice(0).map((worker) => worker.stop()));
    },
    close: () => test.close(),
  };
}

/** A promise that is resolved on request. */
export function gate(): { opened: Promise<void>; open: () => void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { opened: promise, open: resolve };
}
