import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Operator who asked for a job, and who last redrove or discarded a letter; null if the call named nobody. */
export class Operators1760000000004 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE bulk_jobs ADD COLUMN requested_by text;
      ALTER TABLE dead_letters ADD COLUMN acted_by text`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE dead_letters DROP COLUMN acted_by;
      ALTER TABLE bulk_jobs DROP COLUMN requested_by`);
  }
}
