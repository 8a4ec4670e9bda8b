import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Stores whether an upload was decoded as a complete file; null: not decoded yet. */
export class AddUploadVerdict1760000003006 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE uploads ADD COLUMN is_whole boolean');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE uploads DROP COLUMN is_whole');
  }
}
