import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Published state of each order, and its last status. Only the order's lane writes its row. */
export class CreateOrders1760000001002 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE orders (
        lane_id bigint PRIMARY KEY REFERENCES lanes (id),
        tenant text NOT NULL,
        order_number text NOT NULL,
        order_id text,
        status integer,
        revision integer NOT NULL DEFAULT 0,
        told_status integer,
        told_parts json,
        told_recalculation json,
        told_at timestamptz,
        unconfirmed json,
        UNIQUE (tenant, order_number),
        CHECK ((revision = 0) = (told_status IS NULL))
      ) WITH (fillfactor = 80)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE orders');
  }
}
