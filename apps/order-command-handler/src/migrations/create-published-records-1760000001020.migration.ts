import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * History of each order's published records: the outbox deletes a record once Kafka has it, so that nothing showed
 * what was published when. What was published before is not in it.
 */
export class CreatePublishedRecords1760000001020 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE published_records (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        lane_id bigint NOT NULL REFERENCES lanes (id),
        published_at timestamptz NOT NULL,
        kind text NOT NULL CHECK (kind IN ('event', 'result')),
        record_id text NOT NULL,
        type text NOT NULL,
        revision integer,
        status integer,
        command_id text,
        cause text,
        outcome text,
        is_correction boolean NOT NULL,
        reason_code text,
        evidence text
      )`);
    await runner.query('CREATE INDEX published_records_lane ON published_records (lane_id, id)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE published_records');
  }
}
