import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The operations of an order's concluded commands, so that their late failures are told from those of open ones. */
export class AddPastOperations1760000001042 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query("ALTER TABLE orders ADD COLUMN past_operations text[] NOT NULL DEFAULT '{}'");
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE orders DROP COLUMN past_operations');
  }
}
