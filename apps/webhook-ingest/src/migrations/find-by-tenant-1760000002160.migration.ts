import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Finds the notifications of a small tenant, and those that are not published, without reading all others. */
export class FindByTenant1760000002160 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE INDEX notifications_tenant ON notifications (tenant, id)');
    await runner.query('CREATE INDEX notifications_untold ON notifications (id) WHERE topic IS NULL');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX notifications_tenant, notifications_untold');
  }
}
