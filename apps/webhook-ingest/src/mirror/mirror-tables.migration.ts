import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Deliveries that wait for the tenants' mirrors, and the mirrors' state. A row refers to its content, which is stored
 * once. There is no foreign key: a content that is gone is no longer sent, and its check would cost the ingest path a
 * lock.
 */
export class MirrorTables1760000009010 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE mirror_deliveries (
        -- order of arrival
        id bigint GENERATED ALWAYS AS IDENTITY,
        tenant text NOT NULL,
        notification_id bigint,
        quarantine_id bigint,
        -- entity, whose deliveries are sent in order; of a quarantined body its dedup key
        partition_key text NOT NULL,
        -- names and values in turn
        headers jsonb NOT NULL,
        received_at timestamptz NOT NULL,
        attempts integer NOT NULL DEFAULT 0,
        due_at timestamptz NOT NULL DEFAULT now(),
        PRIMARY KEY (tenant, id)
      );
      CREATE INDEX mirror_deliveries_aside ON mirror_deliveries (tenant, due_at) WHERE attempts > 0;
      CREATE TABLE mirrors (
        tenant text PRIMARY KEY,
        paused_at timestamptz,
        paused_by text,
        failing_since timestamptz,
        -- status or code of the last failed attempt
        failure text
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE mirrors, mirror_deliveries');
  }
}
