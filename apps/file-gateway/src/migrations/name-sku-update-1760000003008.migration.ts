import type { MigrationInterface, QueryRunner } from 'typeorm';

/** When `catalog.skus.v1` last said something of a SKU. */
export class NameSkuUpdate1760000003008 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE skus RENAME COLUMN told_at TO updated_at');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE skus RENAME COLUMN updated_at TO told_at');
  }
}
