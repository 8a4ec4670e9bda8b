import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * SHA-256 of the PDF that Gondola last attached to each order, because the platform shows that a file exists, not
 * its content. No row: nothing was attached, or the attached content is not known.
 */
export class CreateInvoiceFiles1760000003003 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE invoice_files (
        tenant text NOT NULL,
        order_id text NOT NULL,
        sha256 text NOT NULL,
        updated_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        PRIMARY KEY (tenant, order_id)
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE invoice_files');
  }
}
