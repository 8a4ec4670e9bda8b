import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The core may take an operation later than others that were accepted after it. */
export class DelayedOperations1763800000000 implements MigrationInterface {
  name = 'DelayedOperations1763800000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE operations ADD due_at timestamptz NOT NULL DEFAULT now();
      DROP INDEX operations_waiting;
      CREATE INDEX operations_waiting ON operations (seq, due_at) WHERE state = 'waiting';
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP INDEX operations_waiting;
      CREATE INDEX operations_waiting ON operations (seq) WHERE state = 'waiting';
      ALTER TABLE operations DROP due_at;
    `);
  }
}
