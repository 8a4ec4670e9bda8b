import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Erasures include waiting notifications, so the column that counted them is dropped. */
export class EraseWaitingUsers1760000002150 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE user_erasures DROP COLUMN waiting');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE user_erasures ADD COLUMN waiting integer NOT NULL DEFAULT 0');
    await runner.query('ALTER TABLE user_erasures ALTER COLUMN waiting DROP DEFAULT');
  }
}
