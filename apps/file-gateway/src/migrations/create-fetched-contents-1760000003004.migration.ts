import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Maps content that was fetched for a command to its upload, so that a repeated step finds it. */
export class CreateFetchedContents1760000003004 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE fetched_contents (
        tenant text NOT NULL,
        command_id text NOT NULL,
        source text NOT NULL,
        upload_id uuid NOT NULL REFERENCES uploads (id) ON DELETE CASCADE,
        PRIMARY KEY (tenant, command_id, source)
      )`);
    await runner.query('CREATE INDEX fetched_contents_upload ON fetched_contents (upload_id)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE fetched_contents');
  }
}
