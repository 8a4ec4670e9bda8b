import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Mechanism 3. `seq` is drawn while the entity's lane row is locked, so an entity's records have rising numbers in
 * commit order. A row is deleted when its record is acknowledged; a parked row stays. Rows come and go all the
 * time, so vacuum runs often: after a number of changes instead of a share of the rows.
 */
export class CreateOutbox1760000000003 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE outbox (
        seq bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        topic text NOT NULL,
        key bytea,
        headers text NOT NULL,
        value bytea,
        bytes integer NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        parked_at timestamptz,
        parked_reason text,
        CHECK ((parked_at IS NULL) = (parked_reason IS NULL))
      ) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000)`);
    await runner.query('CREATE INDEX outbox_parked ON outbox (seq) WHERE parked_at IS NOT NULL');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE outbox');
  }
}
