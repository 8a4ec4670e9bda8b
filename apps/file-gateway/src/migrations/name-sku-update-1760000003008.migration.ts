import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Time of the newest record of a SKU in `catalog.skus.v1`. */
export class NameSkuUpdate1760000003008 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE skus RENAME COLUMN told_at TO updated_at');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE skus RENAME COLUMN updated_at TO told_at');
  }
}
