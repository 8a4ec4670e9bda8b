import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Searches for orders that no notification named, with their outcomes. */
export class CreateRecovery1760000001010 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE recovery_runs (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        tenant text NOT NULL,
        source text NOT NULL CHECK (source IN ('operator', 'scan')),
        from_number bigint NOT NULL,
        to_number bigint NOT NULL,
        started_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        lookups integer NOT NULL DEFAULT 0,
        last_lookup_at timestamptz,
        finished_at timestamptz
      )`);
    await runner.query('CREATE INDEX recovery_runs_tenant ON recovery_runs (tenant, id)');
    await runner.query(`
      CREATE TABLE recovery_candidates (
        run_id bigint NOT NULL REFERENCES recovery_runs (id),
        order_number bigint NOT NULL,
        tenant text NOT NULL,
        lookups integer NOT NULL DEFAULT 0,
        due_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        outcome text CHECK (outcome IN ('found', 'known', 'given-up')),
        concluded_at timestamptz,
        PRIMARY KEY (run_id, order_number)
      )`);
    await runner.query('CREATE INDEX recovery_candidates_number ON recovery_candidates (tenant, order_number)');
    await runner.query(
      'CREATE INDEX recovery_candidates_due ON recovery_candidates (tenant, due_at, order_number) WHERE outcome IS NULL',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE recovery_candidates');
    await runner.query('DROP TABLE recovery_runs');
  }
}
