import type { MigrationInterface, QueryRunner } from 'typeorm';

/** End of the time in which a lost call of the last record of a brand or category may be carried out; null for none. */
const LANDS_UNTIL = 'ALTER TABLE catalog_references ADD COLUMN lands_until timestamptz';

export class LateCalls1760000004003 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(LANDS_UNTIL);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE catalog_references DROP COLUMN lands_until');
  }
}
