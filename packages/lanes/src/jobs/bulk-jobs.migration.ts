import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Actions of operators on many rows. `due_at` is the end of the lease of the process that works on the job, or the
 * time of its next rows; `epoch` rises with each lease, so that a process that only seemed dead changes no row.
 */
const BULK_JOBS = `
  CREATE TABLE bulk_jobs (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    action text NOT NULL,
    tenant text,
    -- a \`BulkFilter\`
    filter json NOT NULL,
    note text NOT NULL,
    per_second integer NOT NULL,
    -- matching rows at the start, counted up to a limit
    expected integer NOT NULL,
    -- operator whom the call named; null: nobody
    requested_by text,
    started_at timestamptz NOT NULL DEFAULT now(),
    -- place of the last row
    place text NOT NULL DEFAULT '',
    done integer NOT NULL DEFAULT 0,
    failed integer NOT NULL DEFAULT 0,
    due_at timestamptz NOT NULL DEFAULT now(),
    epoch integer NOT NULL DEFAULT 0,
    finished_at timestamptz,
    is_stopped boolean NOT NULL DEFAULT false
  );
  CREATE INDEX bulk_jobs_due ON bulk_jobs (due_at) WHERE finished_at IS NULL;
  CREATE INDEX bulk_jobs_tenant ON bulk_jobs (tenant, id)`;

export class CreateBulkJobs1760000000002 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(BULK_JOBS);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE bulk_jobs');
  }
}
