import type { MigrationInterface, QueryRunner } from 'typeorm';

/** By what a late notification of an erased shopper is recognised, and until when. */
export class RememberErasedUsers1760000002130 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE user_erasures ADD COLUMN salt bytea, ADD COLUMN email_hash bytea, ADD COLUMN known_until timestamptz`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE user_erasures DROP COLUMN salt, DROP COLUMN email_hash, DROP COLUMN known_until');
  }
}
