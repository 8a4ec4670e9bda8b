import type { MigrationInterface, QueryRunner } from 'typeorm';

/** When each result of a PDF was stored, so that it is deleted with the command that it belongs to. */
export class DatePdfResults1760000001045 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE pdf_results ADD COLUMN received_at timestamptz NOT NULL DEFAULT now()');
    await runner.query('CREATE INDEX pdf_results_received ON pdf_results (received_at)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX pdf_results_received');
    await runner.query('ALTER TABLE pdf_results DROP COLUMN received_at');
  }
}
