import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Stores the flaw that may prevent viewers from showing a complete PDF. */
export class AddUploadFlaw1760000003011 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE uploads ADD COLUMN flaw text');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE uploads DROP COLUMN flaw');
  }
}
