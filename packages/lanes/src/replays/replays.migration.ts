import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Replays of published records. `due_at` is the end of the lease of the process that works on one, or the time of its
 * next records; `epoch` rises with each lease, so that a process that only seemed dead moves nothing.
 */
const REPLAYS = `
  CREATE TABLE replays (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    topic text NOT NULL,
    -- name without prefix of the topic that gets the records
    target text NOT NULL,
    tenant text,
    order_number text,
    since timestamptz NOT NULL,
    per_second integer NOT NULL,
    -- operator whom the call named; null: nobody
    requested_by text,
    started_at timestamptz NOT NULL DEFAULT now(),
    -- a \`ReplayProgress\`
    progress json NOT NULL,
    -- code of the last failure, until the next try
    problem text,
    due_at timestamptz NOT NULL DEFAULT now(),
    epoch integer NOT NULL DEFAULT 0,
    is_stopped boolean NOT NULL DEFAULT false,
    finished_at timestamptz
  );
  CREATE UNIQUE INDEX replays_running ON replays (topic, target, coalesce(tenant, ''), coalesce(order_number, ''))
    WHERE finished_at IS NULL AND NOT is_stopped`;

export class CreateReplays1760000009401 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(REPLAYS);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE replays');
  }
}
