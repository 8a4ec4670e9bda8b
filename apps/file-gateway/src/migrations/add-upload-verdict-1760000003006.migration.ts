import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Whether an upload was decoded, and was whole; null: it was not decoded yet. */
export class AddUploadVerdict1760000003006 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE uploads ADD COLUMN is_whole boolean');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE uploads DROP COLUMN is_whole');
  }
}
