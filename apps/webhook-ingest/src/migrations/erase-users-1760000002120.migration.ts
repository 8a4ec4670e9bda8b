import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Records that a shopper's content was erased, with the number of contents. */
export class EraseUsers1760000002120 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE user_erasures (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        tenant text NOT NULL,
        erased_at timestamptz NOT NULL,
        notifications integer NOT NULL,
        quarantined integer NOT NULL,
        waiting integer NOT NULL
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE user_erasures');
  }
}
