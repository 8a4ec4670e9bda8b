import type { MigrationInterface, QueryRunner } from 'typeorm';

/** When a notification last named each order, so that orders that nobody speaks of any more are deleted. */
export class DateOrderIds1760000003012 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE order_ids ADD COLUMN seen_at timestamptz NOT NULL DEFAULT now()');
    await runner.query('CREATE INDEX order_ids_seen ON order_ids (seen_at)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX order_ids_seen');
    await runner.query('ALTER TABLE order_ids DROP COLUMN seen_at');
  }
}
