import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Which numbers that were looked for were above the newest known one. */
export class AddRecoveryAhead1760000001041 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE recovery_candidates ADD COLUMN ahead boolean NOT NULL DEFAULT false');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE recovery_candidates DROP COLUMN ahead');
  }
}
