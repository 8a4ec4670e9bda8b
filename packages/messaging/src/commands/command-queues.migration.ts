import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * A lane's commands stand in queues: those of one queue run one at a time, the queues side by side. Which queue a
 * command joins is said by its definition and stored with it. The index leads from a lane to the oldest of each queue.
 * Before this migration one command, `CancelOrder`, went beside the others by its name; open ones keep doing so.
 */
export class AddCommandQueues1760000000005 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE commands ADD COLUMN queue text COLLATE "C" NOT NULL DEFAULT 'main'`);
    await runner.query(`UPDATE commands SET queue = 'cancel' WHERE state = 'open' AND command = 'CancelOrder'`);
    await runner.query(`CREATE INDEX commands_open_by_queue ON commands (lane_id, queue, place) WHERE state = 'open'`);
    await runner.query('DROP INDEX commands_open');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE INDEX commands_open ON commands (lane_id, place) WHERE state = 'open'`);
    await runner.query('DROP INDEX commands_open_by_queue');
    await runner.query('ALTER TABLE commands DROP COLUMN queue');
  }
}
