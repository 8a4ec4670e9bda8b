import type { MigrationInterface, QueryRunner } from 'typeorm';

/** For the sum of a tenant's stored bytes, which each upload compares with the quota. */
export class IndexUploads1760000003007 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE INDEX uploads_of_tenant ON uploads (tenant, state)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX uploads_of_tenant');
  }
}
