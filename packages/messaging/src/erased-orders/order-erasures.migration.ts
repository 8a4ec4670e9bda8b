import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Records which orders' content was erased, and how much. */
export class CreateOrderErasures1760000000007 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE order_erasures (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        tenant text NOT NULL,
        order_number text NOT NULL,
        erased_at timestamptz NOT NULL,
        erased json NOT NULL
      )`);
    await runner.query('CREATE INDEX order_erasures_order ON order_erasures (tenant, order_number)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE order_erasures');
  }
}
