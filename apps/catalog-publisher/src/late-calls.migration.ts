import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Until when a lost call of the record that covered a brand or category last may still be carried out; null for none. */
const LANDS_UNTIL = 'ALTER TABLE catalog_references ADD COLUMN lands_until timestamptz';

export class LateCalls1760000004003 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(LANDS_UNTIL);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE catalog_references DROP COLUMN lands_until');
  }
}
