import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Unfinished steps of commands, for the watch over orders. The lanes of orders that stay
 * somewhere are woken, so that their time limits begin.
 */
export class AddOpenSteps1760000001032 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE orders ADD COLUMN open_steps json');
    await runner.query('CREATE INDEX orders_attention ON orders (tenant) WHERE attention IS NOT NULL');
    await runner.query(`
      UPDATE lanes SET due_at = clock_timestamp()
      WHERE due_at IS NULL AND id IN (
        SELECT lane_id FROM orders WHERE status IN (300, 400, 500, 600, 700, 750, 900, 1100))`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX orders_attention');
    await runner.query('ALTER TABLE orders DROP COLUMN open_steps');
  }
}
