import { Injectable } from '@nestjs/common';

import { Database, type Tx } from '@gondola/service-kit/database/database';

import type { BulkAction, BulkFilter } from './bulk-target.ts';

export interface NewBulkJob {
  readonly action: BulkAction;
  readonly filter: BulkFilter;
  /** Why the rows are discarded; empty for another action. */
  readonly note: string;
  readonly perSecond: number;
  readonly expected: number;
  /** Operator whom the call named; null: nobody. */
  readonly requestedBy: string | null;
}

export interface BulkJob extends NewBulkJob {
  readonly id: string;
  readonly startedAt: Date;
  readonly done: number;
  readonly failed: number;
  readonly finishedAt: Date | null;
  readonly isStopped: boolean;
}

/** A job that this process works on for the length of a lease. */
export interface ClaimedJob extends BulkJob {
  readonly place: string;
  readonly epoch: number;
}

/** Another process has the job, or an operator stopped it. */
export class JobTakenError extends Error {
  constructor() {
    super('The job was stopped, or another process goes on with it');
    this.name = 'JobTakenError';
  }
}

/** Most jobs of a tenant that run at once; those on rows of all tenants count together, like one tenant's. */
export const MOST_RUNNING = 10;

/** The tenant has as many jobs as may run at once. */
export class TooManyJobsError extends Error {
  constructor() {
    super(`${MOST_RUNNING} jobs of this tenant run already: wait until one has ended, or stop one`);
    this.name = 'TooManyJobsError';
  }
}

/** Longest time without a changed row after which another process goes on. */
const LEASE = "interval '30 seconds'";
const LOCK_STARTS = "SELECT pg_advisory_xact_lock(hashtextextended(current_schema || '.bulk_jobs', 0))";
const SHOWN = `
  id, action, filter, note, per_second AS "perSecond", expected, started_at AS "startedAt", done, failed,
  requested_by AS "requestedBy", finished_at AS "finishedAt", is_stopped AS "isStopped"`;

type Row<T> = T & { [column: string]: unknown };

/** The table `bulk_jobs`. Tested in run-bulk-jobs.int.spec.ts. */
@Injectable()
export class BulkJobs {
  constructor(private readonly database: Database) {}

  /**
   * Jobs that finished 30 days ago go with the start of the next one.
   *
   * @throws TooManyJobsError if `MOST_RUNNING` of the tenant run
   */
  async add({ action, filter, note, perSecond, expected, requestedBy }: NewBulkJob): Promise<BulkJob> {
    await this.database.query("DELETE FROM bulk_jobs WHERE finished_at < now() - interval '30 days'");
    const tenant = filter.tenant ?? null;
    return this.database.transaction(async (tx) => {
      await tx.query(LOCK_STARTS);
      const running = await tx.query<{ n: number }>(
        'SELECT count(*)::int AS n FROM bulk_jobs WHERE finished_at IS NULL AND tenant IS NOT DISTINCT FROM $1',
        [tenant],
      );
      if (running.rows[0]!.n >= MOST_RUNNING) throw new TooManyJobsError();
      const { rows } = await tx.query<Row<BulkJob>>(
        `INSERT INTO bulk_jobs (action, tenant, filter, note, per_second, expected, requested_by)
         VALUES ($1, $2, $3, $4, $5, $6, $7) RETURNING ${SHOWN}`,
        [action, tenant, JSON.stringify(filter), note, perSecond, expected, requestedBy],
      );
      return rows[0]!;
    });
  }

  /** Jobs with an id below `before`, newest first. */
  async list(tenant: string | null, before: string, limit: number): Promise<BulkJob[]> {
    const { rows } = await this.database.query<Row<BulkJob>>(
      `SELECT ${SHOWN} FROM bulk_jobs WHERE id < $1 ${tenant === null ? '' : 'AND tenant = $3'} ORDER BY id DESC LIMIT $2`,
      [before, limit, ...(tenant === null ? [] : [tenant])],
    );
    return rows;
  }

  async find(id: string): Promise<BulkJob | null> {
    const { rows } = await this.database.query<Row<BulkJob>>(`SELECT ${SHOWN} FROM bulk_jobs WHERE id = $1`, [id]);
    return rows[0] ?? null;
  }

  /** No row is changed after this; does nothing to a job that is finished. */
  async stop(id: string): Promise<void> {
    await this.database.query(
      'UPDATE bulk_jobs SET finished_at = now(), is_stopped = true WHERE id = $1 AND finished_at IS NULL',
      [id],
    );
  }

  /**
   * Takes, of the tenant whose turn it is, the job that has been due longest; null if none is due.
   *
   * @param served tenants in the order of their last turns, the longest ago first; those not among them come first
   */
  async claim(served: readonly string[]): Promise<ClaimedJob | null> {
    const { rows } = await this.database.query<Row<ClaimedJob>>(
      `UPDATE bulk_jobs SET due_at = now() + ${LEASE}, epoch = epoch + 1
       WHERE id = (SELECT id FROM bulk_jobs WHERE finished_at IS NULL AND due_at <= now()
                   ORDER BY array_position($1::text[], coalesce(tenant, '')) NULLS FIRST, due_at
                   LIMIT 1 FOR UPDATE SKIP LOCKED)
       RETURNING ${SHOWN}, place, epoch`,
      [served],
    );
    return rows[0] ?? null;
  }

  /** Counts a row in the transaction that changes it. Throws if the job is no longer this process's. */
  async count(tx: Tx, { id, epoch }: ClaimedJob, place: string, isDone: boolean): Promise<void> {
    const counted = isDone ? 'done' : 'failed';
    const { rowCount } = await tx.query(
      `UPDATE bulk_jobs SET place = $3, ${counted} = ${counted} + 1, due_at = clock_timestamp() + ${LEASE}
       WHERE id = $1 AND epoch = $2 AND finished_at IS NULL`,
      [id, epoch, place],
    );
    if (rowCount === 0) throw new JobTakenError();
  }

  /** The job is due again after a time, or finished. */
  async release({ id, epoch }: ClaimedJob, next: { readonly inMs: number } | 'finished'): Promise<void> {
    const [change, values] =
      next === 'finished'
        ? ['finished_at = now()', []]
        : ["due_at = now() + $3 * interval '1 millisecond'", [next.inMs]];
    await this.database.query(`UPDATE bulk_jobs SET ${change} WHERE id = $1 AND epoch = $2 AND finished_at IS NULL`, [
      id,
      epoch,
      ...values,
    ]);
  }
}
