import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Stores the hash that recognises late notifications of an erased shopper, and its expiry. */
export class RememberErasedUsers1760000002130 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE user_erasures ADD COLUMN salt bytea, ADD COLUMN email_hash bytea, ADD COLUMN known_until timestamptz`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE user_erasures DROP COLUMN salt, DROP COLUMN email_hash, DROP COLUMN known_until');
  }
}
