import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Files that SFTP placed and no call has linked yet; names are unique in a merchant's folder. */
export class PlacedFiles1764200000000 implements MigrationInterface {
  name = 'PlacedFiles1764200000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE files DROP CONSTRAINT files_state_check;
      ALTER TABLE files ADD CONSTRAINT files_state_check CHECK (state IN ('receiving', 'placed', 'accepted', 'attached'));
      CREATE UNIQUE INDEX files_placed ON files (contract_account_id, file_name) WHERE state = 'placed';
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DELETE FROM files WHERE state = 'placed';
      DROP INDEX files_placed;
      ALTER TABLE files DROP CONSTRAINT files_state_check;
      ALTER TABLE files ADD CONSTRAINT files_state_check CHECK (state IN ('receiving', 'accepted', 'attached'));
    `);
  }
}
