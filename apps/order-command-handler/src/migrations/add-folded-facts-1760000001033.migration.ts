import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Which of an order's facts a step loads, so that an order with many costs as much as one with few. */
export class AddFoldedFacts1760000001033 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE orders ADD COLUMN folded_up_to bigint NOT NULL DEFAULT 0,
        ADD COLUMN folded_facts bigint[] NOT NULL DEFAULT '{}'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE orders DROP COLUMN folded_up_to, DROP COLUMN folded_facts');
  }
}
