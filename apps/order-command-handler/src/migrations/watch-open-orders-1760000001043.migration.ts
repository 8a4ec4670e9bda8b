import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * When each order is looked at for lost notifications, and the numbers by their value. The default lets a version
 * that does not know the columns create orders that are looked at, too.
 */
export class WatchOpenOrders1760000001043 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE orders ADD COLUMN look_at timestamptz DEFAULT now(), ADD COLUMN looks integer NOT NULL DEFAULT 0`);
    await runner.query('CREATE INDEX orders_to_look_at ON orders (tenant, look_at) WHERE look_at IS NOT NULL');
    await runner.query(`
      CREATE INDEX orders_number ON orders (tenant, (order_number::bigint)) WHERE order_number ~ '^[0-9]{1,15}$'`);
    await runner.query(`
      ALTER TABLE recovery_candidates ADD COLUMN failures integer NOT NULL DEFAULT 0,
        DROP CONSTRAINT recovery_candidates_outcome_check,
        ADD CONSTRAINT recovery_candidates_outcome_check
          CHECK (outcome IN ('found', 'known', 'given-up', 'unreadable'))`);
    await runner.query('CREATE INDEX recovery_candidates_open ON recovery_candidates (run_id) WHERE outcome IS NULL');
    await runner.query(`
      CREATE TABLE recovery_paces (
        tenant text PRIMARY KEY,
        next_call_at timestamptz NOT NULL
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE recovery_paces');
    await runner.query('DROP INDEX recovery_candidates_open');
    await runner.query("UPDATE recovery_candidates SET outcome = 'given-up' WHERE outcome = 'unreadable'");
    await runner.query(`
      ALTER TABLE recovery_candidates DROP COLUMN failures,
        DROP CONSTRAINT recovery_candidates_outcome_check,
        ADD CONSTRAINT recovery_candidates_outcome_check CHECK (outcome IN ('found', 'known', 'given-up'))`);
    await runner.query('DROP INDEX orders_number');
    await runner.query('ALTER TABLE orders DROP COLUMN look_at, DROP COLUMN looks');
  }
}
