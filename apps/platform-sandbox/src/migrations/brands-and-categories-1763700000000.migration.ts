import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Brands and the category tree; a product refers to its own by the core's ids, and loses a brand that is removed.
 */
export class BrandsAndCategories1763700000000 implements MigrationInterface {
  name = 'BrandsAndCategories1763700000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE brands (
        id text PRIMARY KEY,
        contract_account_id text NOT NULL REFERENCES tenants,
        external_reference text NOT NULL,
        fields json NOT NULL,
        UNIQUE (contract_account_id, external_reference)
      );

      CREATE TABLE categories (
        id text PRIMARY KEY,
        contract_account_id text NOT NULL REFERENCES tenants,
        external_reference text NOT NULL,
        parent_id text REFERENCES categories,
        fields json NOT NULL,
        UNIQUE (contract_account_id, external_reference)
      );
      CREATE INDEX categories_parent ON categories (parent_id);

      ALTER TABLE products
        ADD brand_id text REFERENCES brands ON DELETE SET NULL,
        ADD category_id text REFERENCES categories;
      CREATE INDEX products_brand ON products (brand_id);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE products DROP brand_id, DROP category_id;
      DROP TABLE categories, brands;
    `);
  }
}
