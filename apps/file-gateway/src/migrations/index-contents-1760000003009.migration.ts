import type { MigrationInterface, QueryRunner } from 'typeorm';

/** For uploaders that ask whether a content is stored already. */
export class IndexContents1760000003009 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE INDEX uploads_of_content ON uploads (tenant, sha256)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX uploads_of_content');
  }
}
