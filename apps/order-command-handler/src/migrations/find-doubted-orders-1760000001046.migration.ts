import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Orders whose reading is in doubt, which are read also where quiet orders are not. */
export class FindDoubtedOrders1760000001046 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE INDEX orders_in_doubt ON orders (tenant, look_at) WHERE looks < 0');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX orders_in_doubt');
  }
}
