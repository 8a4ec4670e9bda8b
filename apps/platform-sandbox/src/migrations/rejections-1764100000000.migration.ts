import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The core's refusals of accepted operations, with their reasons. */
export class Rejections1764100000000 implements MigrationInterface {
  name = 'Rejections1764100000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE rejections (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        operation_id text NOT NULL,
        event_type text NOT NULL,
        about text,
        sku text,
        error json NOT NULL,
        at timestamptz NOT NULL DEFAULT now()
      );
      CREATE INDEX rejections_operation ON rejections (operation_id);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE rejections');
  }
}
