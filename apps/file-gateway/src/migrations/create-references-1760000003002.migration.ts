import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Facts that other apps published: SKUs on the platform, GUIDs of orders, and refusals. Facts of this app: the
 * images last applied, and the command of each operation. Payloads are bytea and json, never jsonb.
 */
export class CreateReferences1760000003002 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE skus (
        tenant text NOT NULL,
        external_reference text NOT NULL,
        told_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        PRIMARY KEY (tenant, external_reference)
      )`);
    await runner.query(`
      CREATE TABLE order_ids (
        tenant text NOT NULL,
        order_number text NOT NULL,
        order_id text NOT NULL,
        PRIMARY KEY (tenant, order_number)
      )`);
    await runner.query(`
      CREATE TABLE platform_failures (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        dedup_key text NOT NULL UNIQUE,
        tenant text NOT NULL,
        operation_id text,
        event_type text NOT NULL,
        lane_kind text,
        lane_identity text,
        error bytea,
        received_at timestamptz NOT NULL DEFAULT clock_timestamp()
      )`);
    await runner.query('CREATE INDEX platform_failures_operation ON platform_failures (tenant, operation_id)');
    await runner.query('CREATE INDEX platform_failures_lane ON platform_failures (tenant, lane_kind, lane_identity)');
    await runner.query(`
      CREATE TABLE file_operations (
        tenant text NOT NULL,
        operation_id text NOT NULL,
        command_row_id bigint NOT NULL,
        lane_id bigint NOT NULL,
        started_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        PRIMARY KEY (tenant, operation_id)
      )`);
    await runner.query(`
      CREATE TABLE sku_images (
        tenant text NOT NULL,
        external_reference text NOT NULL,
        applied json NOT NULL,
        updated_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        PRIMARY KEY (tenant, external_reference)
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE sku_images');
    await runner.query('DROP TABLE file_operations');
    await runner.query('DROP TABLE platform_failures');
    await runner.query('DROP TABLE order_ids');
    await runner.query('DROP TABLE skus');
  }
}
