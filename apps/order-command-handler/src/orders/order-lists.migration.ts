import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Lead through the orders of a shop, of a status, or with the beginning of a number, newest first. */
export class OrderLists1760000001002 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE INDEX orders_newest ON orders (tenant, lane_id);
      CREATE INDEX orders_status ON orders (tenant, status, lane_id);
      CREATE INDEX orders_number_prefix ON orders (tenant, order_number text_pattern_ops)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX orders_number_prefix, orders_status, orders_newest');
  }
}
