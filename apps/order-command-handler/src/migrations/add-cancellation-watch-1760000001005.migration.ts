import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * When the status of an order in 750 was last read, and how often. Orders that are there already have their lanes
 * woken, so that it begins.
 */
export class AddCancellationWatch1760000001005 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE orders ADD COLUMN watch json');
    await runner.query(`
      UPDATE lanes SET due_at = clock_timestamp()
      WHERE due_at IS NULL AND id IN (SELECT lane_id FROM orders WHERE status = 750)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE orders DROP COLUMN watch');
  }
}
