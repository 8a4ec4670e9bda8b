import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The newest snapshot of each SKU of `catalog.skus.v1`, as far as items of orders are resolved by it. */
export class CreateSkus1760000001003 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE skus (
        key text PRIMARY KEY,
        tenant text NOT NULL,
        sku_external_reference text NOT NULL,
        sku_id text,
        product_id text,
        ean text,
        reference text,
        name text
      ) WITH (fillfactor = 85)`);
    await runner.query('CREATE INDEX skus_by_guid ON skus (tenant, sku_id)');
    await runner.query('CREATE INDEX skus_by_reference ON skus (tenant, reference)');
    await runner.query('CREATE INDEX skus_by_external_reference ON skus (tenant, sku_external_reference)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE skus');
  }
}
