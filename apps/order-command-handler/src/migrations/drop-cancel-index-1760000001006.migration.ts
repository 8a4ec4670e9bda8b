import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A cancel stands in a queue of its own, which messaging's index leads to. */
export class DropCancelIndex1760000001006 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX commands_open_cancels');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      `CREATE INDEX commands_open_cancels ON commands (lane_id, place) WHERE state = 'open' AND command = 'CancelOrder'`,
    );
  }
}
