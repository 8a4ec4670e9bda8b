import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The bytes that a tenant's uploads take, also while they are received, are summed from the index alone. */
export class IndexUploadSizes1760000003013 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE INDEX uploads_sizes ON uploads (tenant, size) WHERE state <> 'deleting'`);
    await runner.query('DROP INDEX uploads_of_tenant');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE INDEX uploads_of_tenant ON uploads (tenant, state)');
    await runner.query('DROP INDEX uploads_sizes');
  }
}
