import { Inject, Injectable } from '@nestjs/common';

import { Database } from '@gondola/service-kit/database/database';
import { classifyDatabaseError } from '@gondola/service-kit/database/database-errors';
import { type Logger, LOGGER } from '@gondola/service-kit/logging/logger';
import { runForOperator } from '@gondola/service-kit/logging/operator';
import { RepeatingTask } from '@gondola/service-kit/run/repeating-task';

import { BulkJobs, type ClaimedJob, JobTakenError } from './bulk-jobs.ts';
import { BulkTarget } from './bulk-target.ts';

const IDLE_MS = 1_000;
const SECOND_MS = 1_000;

/**
 * Carries out the jobs of operators on many rows, a second's worth of rows at a time; tenants take turns.
 *
 *   claim (lease, epoch) ──▶ for each row one transaction: change it, count it and its place ──▶ due in a second
 *                                 │ a row that cannot be changed is counted as failed
 *                                 └ stopped, or the lease is another's: rolled back, nothing more is changed
 *
 * Guarantees: each row that matched at the start is changed once, whatever is killed, frozen or repeated on whichever
 * replica; all replicas together keep the pace. Tested in run-bulk-jobs.int.spec.ts.
 */
@Injectable()
export class RunBulkJobs extends RepeatingTask {
  /** Milliseconds until the next look. */
  #nextInMs = IDLE_MS;
  /** Tenants in the order of their last turns; `''`: jobs on rows of all. */
  #served: readonly string[] = [];

  constructor(
    private readonly database: Database,
    private readonly jobs: BulkJobs,
    private readonly target: BulkTarget,
    @Inject(LOGGER) private readonly log: Logger,
  ) {
    super({ name: 'bulk jobs', everyMs: () => this.#nextInMs, run: () => this.run(), logger: log });
  }

  /** Works on each job that is due, once. */
  async run(): Promise<void> {
    this.#nextInMs = IDLE_MS;
    for (let job = await this.#claim(); job !== null; job = await this.#claim()) {
      const begun = performance.now();
      const isFinished = await this.#work(job).catch((error: unknown) => {
        if (error instanceof JobTakenError) return null;
        throw error;
      });
      const tenant = job.filter.tenant ?? '';
      this.#served = [...this.#served.filter((each) => each !== tenant), tenant];
      if (isFinished === null) continue;
      const inMs = Math.max(0, SECOND_MS - (performance.now() - begun));
      await this.jobs.release(job, isFinished ? 'finished' : { inMs });
      if (!isFinished) this.#nextInMs = Math.min(this.#nextInMs, inMs);
    }
  }

  /** Null also while the database does not answer, which readiness shows. */
  async #claim(): Promise<ClaimedJob | null> {
    return this.jobs.claim(this.#served).catch((error: unknown) => {
      if (classifyDatabaseError(error) === 'transient') return null;
      throw error;
    });
  }

  /** True if no row is left. */
  async #work(job: ClaimedJob): Promise<boolean> {
    const { filter, startedAt, perSecond } = job;
    // A row that comes while the job runs is not its business; a Date has no microseconds.
    const started = startedAt.getTime() + 1;
    const to = new Date(Math.min(started, filter.to === undefined ? started : Date.parse(filter.to)));
    const places = await this.target.places({ ...filter, to: to.toISOString() }, job.place, perSecond);
    const changeAll = async () => {
      for (const place of places) await this.#change(job, place);
    };
    await (job.requestedBy === null ? changeAll() : runForOperator(job.requestedBy, changeAll));
    return places.length < perSecond;
  }

  async #change(job: ClaimedJob, place: string): Promise<void> {
    let isCounted = false;
    try {
      await this.target.change(place, job.action, job.note, async (tx, isDone) => {
        await this.jobs.count(tx, job, place, isDone);
        isCounted = true;
      });
    } catch (error) {
      if (error instanceof JobTakenError || classifyDatabaseError(error) === 'transient') throw error;
      isCounted = false;
      this.log.warn({ err: error, component: this.name }, 'A row could not be changed');
    }
    if (!isCounted) await this.database.transaction((tx) => this.jobs.count(tx, job, place, false));
  }
}
