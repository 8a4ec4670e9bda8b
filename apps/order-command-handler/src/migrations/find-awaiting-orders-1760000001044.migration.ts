import type { MigrationInterface, QueryRunner } from 'typeorm';
import { ENDED_STATUSES } from '@gondola/shared/orders/order-statuses';

/** Orders by the SKUs that they wait for, and the SKUs whose waiting orders are still to be woken. */
export class FindAwaitingOrders1760000001044 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `UPDATE orders SET awaited_skus = NULL
       WHERE awaited_skus IS NOT NULL AND (published_parts IS NULL OR published_status = ANY ($1::integer[]))`,
      [[...ENDED_STATUSES]],
    );
    await runner.query('DROP INDEX orders_awaiting_skus');
    await runner.query(
      'CREATE INDEX orders_awaiting_skus ON orders USING gin (awaited_skus) WHERE awaited_skus IS NOT NULL',
    );
    await runner.query(`
      CREATE TABLE arrived_skus (
        tenant text NOT NULL,
        key text NOT NULL,
        after_lane bigint NOT NULL DEFAULT 0,
        PRIMARY KEY (tenant, key)
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE arrived_skus');
    await runner.query('DROP INDEX orders_awaiting_skus');
    await runner.query('CREATE INDEX orders_awaiting_skus ON orders (tenant) WHERE (awaited_skus IS NOT NULL)');
  }
}
