import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Stores the images of each `PublishSkuImages`, so that it can be undone. */
export class CreateImageUploads1760000003005 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE image_uploads (
        tenant text NOT NULL,
        command_id text NOT NULL,
        external_reference text NOT NULL,
        images json NOT NULL,
        urls json NOT NULL,
        applied_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        PRIMARY KEY (tenant, command_id)
      )`);
    await runner.query('CREATE INDEX image_uploads_applied ON image_uploads (applied_at)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE image_uploads');
  }
}
