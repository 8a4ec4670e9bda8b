import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * How and by what operators signed in. The columns may be null for the version before this one, which does not write
 * them; a session without a fingerprint of its credential does not count, so everybody signs in again.
 */
const COLUMNS = `
  ALTER TABLE sessions ADD COLUMN subject text, ADD COLUMN credential bytea, ADD COLUMN address text;
  ALTER TABLE actions ADD COLUMN operator_method text, ADD COLUMN operator_subject text`;

export class SessionCredentials1764100000002 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(COLUMNS);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE actions DROP COLUMN operator_subject, DROP COLUMN operator_method;
      ALTER TABLE sessions DROP COLUMN address, DROP COLUMN credential, DROP COLUMN subject`);
  }
}
