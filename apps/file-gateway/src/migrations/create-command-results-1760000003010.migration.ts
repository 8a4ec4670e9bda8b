import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The final result of each command, for the operations API. */
export class CreateCommandResults1760000003010 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE command_results (
        command_row_id bigint PRIMARY KEY,
        lane_id bigint NOT NULL,
        result json NOT NULL,
        saved_at timestamptz NOT NULL DEFAULT clock_timestamp()
      )`);
    await runner.query('CREATE INDEX command_results_of_lane ON command_results (lane_id)');
    await runner.query('CREATE INDEX command_results_saved ON command_results (saved_at)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE command_results');
  }
}
