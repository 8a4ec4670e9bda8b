import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Brands and categories, who waits for which, and reports of operations rather than of products. `held_by` is the
 * lane whose open record covers the row: a tree covers categories that have lanes of their own. `COLLATE "C"` on what
 * is locked in the order of the key, whatever the database's locale.
 */
export class CreateReferences1760000001002 implements MigrationInterface {
  readonly name = 'CreateReferences1760000001002';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE catalog_references (
        tenant text COLLATE "C" NOT NULL,
        kind text COLLATE "C" NOT NULL CHECK (kind IN ('brand', 'category')),
        external_reference text COLLATE "C" NOT NULL,
        record text,
        parent text,
        is_known boolean NOT NULL DEFAULT false,
        in_doubt boolean NOT NULL DEFAULT false,
        revision bigint NOT NULL DEFAULT 0,
        held_by bigint,
        PRIMARY KEY (tenant, kind, external_reference)
      )`);
    await runner.query(
      'CREATE INDEX catalog_references_held ON catalog_references (held_by) WHERE held_by IS NOT NULL',
    );
    await runner.query(`
      CREATE TABLE reference_lanes (
        lane_id bigint PRIMARY KEY,
        state text NOT NULL
      )`);
    await runner.query(`
      CREATE TABLE reference_waits (
        lane_id bigint NOT NULL,
        tenant text NOT NULL,
        kind text NOT NULL,
        external_reference text NOT NULL,
        waiting_kind text NOT NULL,
        waiting_reference text NOT NULL,
        PRIMARY KEY (lane_id, kind, external_reference)
      )`);
    await runner.query('CREATE INDEX reference_waits_awaited ON reference_waits (tenant, kind, external_reference)');
    await runner.query(`
      CREATE INDEX reference_waits_categories ON reference_waits (tenant, waiting_reference)
        WHERE waiting_kind = 'category' AND kind = 'category'`);
    await runner.query(`
      CREATE TABLE operations (
        tenant text NOT NULL,
        operation_id text NOT NULL,
        lane_id bigint NOT NULL,
        sent_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        PRIMARY KEY (tenant, operation_id, lane_id)
      )`);
    await runner.query('CREATE INDEX operations_age ON operations (sent_at)');
    await runner.query(`
      CREATE TABLE operation_reports (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        dedup_key text NOT NULL UNIQUE,
        tenant text NOT NULL,
        operation_id text NOT NULL,
        kind text,
        external_reference text,
        failed boolean NOT NULL,
        error text,
        received_at timestamptz NOT NULL DEFAULT clock_timestamp()
      )`);
    await runner.query('CREATE INDEX operation_reports_operation ON operation_reports (tenant, operation_id)');
    await runner.query('CREATE INDEX operation_reports_entity ON operation_reports (tenant, kind, external_reference)');
    await runner.query('CREATE INDEX operation_reports_age ON operation_reports (received_at)');
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of [
      'operation_reports',
      'operations',
      'reference_waits',
      'reference_lanes',
      'catalog_references',
    ]) {
      await runner.query(`DROP TABLE ${table}`);
    }
  }
}
