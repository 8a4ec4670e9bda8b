import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Uploaded content in rows of at most 256 kB, so that neither writing nor reading holds a file in memory, and every
 * replica can read it. Rows are used rather than large objects because they are deleted with their upload by a
 * foreign key, and because backups, replication and permissions treat them like all rows. EXTERNAL: images and PDFs
 * are compressed already. `uses` counts the open commands that hold an upload; an upload that is held is not
 * deleted.
 */
export class CreateUploads1760000003001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE uploads (
        id uuid PRIMARY KEY,
        tenant text NOT NULL,
        state text NOT NULL DEFAULT 'receiving' CHECK (state IN ('receiving', 'complete', 'deleting')),
        media_type text NOT NULL,
        size bigint,
        sha256 text,
        uses integer NOT NULL DEFAULT 0 CHECK (uses >= 0),
        created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        expires_at timestamptz NOT NULL,
        CHECK (state <> 'complete' OR (size IS NOT NULL AND sha256 IS NOT NULL))
      )`);
    await runner.query('CREATE INDEX uploads_expiring ON uploads (expires_at)');
    await runner.query(`
      CREATE TABLE upload_chunks (
        upload_id uuid NOT NULL REFERENCES uploads (id) ON DELETE CASCADE,
        position integer NOT NULL,
        content bytea NOT NULL,
        PRIMARY KEY (upload_id, position)
      )`);
    await runner.query('ALTER TABLE upload_chunks ALTER COLUMN content SET STORAGE EXTERNAL');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE upload_chunks');
    await runner.query('DROP TABLE uploads');
  }
}
