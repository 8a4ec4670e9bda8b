import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The SKUs that an order was published without, by what they are looked up by; null for an order that has all. */
export class AddAwaitedSkus1760000001034 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE orders ADD COLUMN awaited_skus text[]');
    await runner.query('CREATE INDEX orders_awaiting_skus ON orders (tenant) WHERE (awaited_skus IS NOT NULL)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX orders_awaiting_skus');
    await runner.query('ALTER TABLE orders DROP COLUMN awaited_skus');
  }
}
