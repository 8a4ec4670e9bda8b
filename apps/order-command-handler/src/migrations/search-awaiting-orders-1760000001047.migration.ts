import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Each look-up in the index read its list of pending entries, so that those of one batch of SKUs took seconds. */
export class SearchAwaitingOrders1760000001047 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER INDEX orders_awaiting_skus SET (fastupdate = off)');
    await runner.query("SELECT gin_clean_pending_list('orders_awaiting_skus')");
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER INDEX orders_awaiting_skus RESET (fastupdate)');
  }
}
