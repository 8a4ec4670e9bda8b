import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Mechanism 2. `COLLATE "C"` on the key: rows are locked in its order by all who lock several, whatever the database's
 * locale.
 * `ready_at` is when a lane may be claimed: its lease's end while one is held, else its due time; null where nothing is
 * to be done. The fill factor leaves room beside a row for the versions that claim and finish write.
 */
export class CreateLanes1760000000001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE lanes (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        tenant text COLLATE "C" NOT NULL,
        kind text COLLATE "C" NOT NULL,
        identity text COLLATE "C" NOT NULL,
        due_at timestamptz,
        lease_until timestamptz,
        epoch bigint NOT NULL DEFAULT 0,
        failures integer NOT NULL DEFAULT 0,
        ready_at timestamptz GENERATED ALWAYS AS (COALESCE(lease_until, due_at)) STORED,
        UNIQUE (tenant, kind, identity)
      ) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02)`);
    await runner.query(`CREATE INDEX lanes_ready ON lanes (tenant, kind, ready_at) WHERE ready_at IS NOT NULL`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE lanes');
  }
}
