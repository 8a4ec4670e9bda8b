import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Uploaded files: `receiving` until their call is answered, `accepted` until the core has taken them, then
 * `attached` to an entity. Contents are stored in pieces, so that no process holds a whole file in memory; they are
 * compressed already.
 */
export class Files1763900000000 implements MigrationInterface {
  name = 'Files1763900000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE files (
        seq bigint GENERATED ALWAYS AS IDENTITY,
        id text PRIMARY KEY,
        contract_account_id text NOT NULL REFERENCES tenants,
        state text NOT NULL DEFAULT 'receiving' CHECK (state IN ('receiving', 'accepted', 'attached')),
        file_name text NOT NULL,
        media_type text NOT NULL,
        size bigint NOT NULL DEFAULT 0,
        sha256 text,
        file_type int,
        entity_id text,
        external_reference text,
        display_order int
      );
      CREATE INDEX files_reference ON files (contract_account_id, external_reference, file_type);
      CREATE INDEX files_entity ON files (contract_account_id, entity_id);

      CREATE TABLE file_pieces (
        file_id text NOT NULL REFERENCES files ON DELETE CASCADE,
        position int NOT NULL,
        content bytea NOT NULL,
        PRIMARY KEY (file_id, position)
      );
      ALTER TABLE file_pieces ALTER content SET STORAGE EXTERNAL;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE file_pieces, files');
  }
}
