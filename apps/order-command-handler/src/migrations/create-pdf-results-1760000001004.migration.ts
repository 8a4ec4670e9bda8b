import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Results of file-gateway about the PDFs of invoice sagas; rows are never changed. The index finds an
 * order's open cancel, however many commands wait before it.
 */
export class CreatePdfResults1760000001004 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE pdf_results (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        tenant text NOT NULL,
        result_id text NOT NULL UNIQUE,
        parent_command_id text NOT NULL,
        value bytea NOT NULL
      )`);
    await runner.query('CREATE INDEX pdf_results_of_command ON pdf_results (tenant, parent_command_id, id)');
    await runner.query(
      `CREATE INDEX commands_open_cancels ON commands (lane_id, place) WHERE state = 'open' AND command = 'CancelOrder'`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX commands_open_cancels');
    await runner.query('DROP TABLE pdf_results');
  }
}
