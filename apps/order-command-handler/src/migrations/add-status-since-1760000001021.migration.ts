import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Since when an order has its status, so that operators find those that stay in one. Of orders that are there already
 * it is the last publication, or the time of the migration.
 */
export class AddStatusSince1760000001021 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE orders ADD COLUMN status_since timestamptz NOT NULL DEFAULT clock_timestamp()');
    await runner.query('UPDATE orders SET status_since = told_at WHERE told_at IS NOT NULL');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE orders DROP COLUMN status_since');
  }
}
