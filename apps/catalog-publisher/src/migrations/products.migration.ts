import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Stored state of each product, and the platform's reports that have not concluded a record yet.
 * Payloads are text and bytea, never jsonb.
 */
export class CreateProducts1760000001001 implements MigrationInterface {
  readonly name = 'CreateProducts1760000001001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE products (
        lane_id bigint PRIMARY KEY,
        tenant text NOT NULL,
        external_reference text NOT NULL,
        known text NOT NULL,
        updated_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        UNIQUE (tenant, external_reference)
      )`);
    await runner.query(`
      CREATE TABLE product_reports (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        lane_id bigint NOT NULL,
        dedup_key text NOT NULL UNIQUE,
        operation_id text NOT NULL,
        event_type text NOT NULL,
        data bytea NOT NULL,
        received_at timestamptz NOT NULL DEFAULT clock_timestamp()
      )`);
    await runner.query('CREATE INDEX product_reports_lane ON product_reports (lane_id, id)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE product_reports');
    await runner.query('DROP TABLE products');
  }
}
