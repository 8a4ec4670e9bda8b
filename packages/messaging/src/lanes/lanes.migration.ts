import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Mechanism 2. The key has `COLLATE "C"`, so that every transaction which locks several rows locks them in the same
 * order, whatever the database's locale. `ready_at` is the time at which a lane may be claimed: the end of its
 * lease if it has one, else its due time; null if there is nothing to do. The fill factor leaves room beside a row
 * for the versions that claim and finish write.
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
