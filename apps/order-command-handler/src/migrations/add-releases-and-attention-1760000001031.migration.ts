import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * A release is a fact of its order, and an order may need attention before it is created (rule 8): then it has a
 * revision and no published status. The lanes of orders that continue without a 300 are woken, so that their watch
 * begins.
 */
export class AddReleasesAndAttention1760000001031 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE order_facts DROP CONSTRAINT order_facts_source_check,
        ADD CONSTRAINT order_facts_source_check CHECK (source IN ('notification', 'read', 'release'))`);
    await runner.query(`
      ALTER TABLE orders ADD COLUMN attention json, DROP CONSTRAINT orders_check,
        ADD CONSTRAINT orders_check CHECK (revision > 0 OR told_status IS NULL)`);
    await runner.query(`
      UPDATE lanes SET due_at = clock_timestamp()
      WHERE due_at IS NULL AND id IN (SELECT lane_id FROM orders WHERE revision = 0 AND status > 300)`);
  }

  /** An order of which only an attention was published counts as created then: its number of revisions stays true. */
  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      'UPDATE orders SET told_status = COALESCE(status, 300) WHERE revision > 0 AND told_status IS NULL',
    );
    await runner.query(`
      ALTER TABLE orders DROP COLUMN attention, DROP CONSTRAINT orders_check,
        ADD CONSTRAINT orders_check CHECK ((revision = 0) = (told_status IS NULL))`);
    await runner.query(`DELETE FROM order_facts WHERE source = 'release'`);
    await runner.query(`
      ALTER TABLE order_facts DROP CONSTRAINT order_facts_source_check,
        ADD CONSTRAINT order_facts_source_check CHECK (source IN ('notification', 'read'))`);
  }
}
