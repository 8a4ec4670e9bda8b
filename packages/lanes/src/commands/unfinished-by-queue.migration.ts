import { buildIndex } from '@gondola/service-kit/database/migrations';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Leads from a lane to the oldest unfinished command of each queue, as `commands_open_by_queue` does, but by a
 * condition that no other index has: while its statistics know of no open command, PostgreSQL takes whichever index of
 * open commands is smaller.
 */
export class UnfinishedByQueue1760000009701 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    const definition = 'commands (lane_id, queue, place) WHERE finished_at IS NULL';
    await buildIndex(runner, 'commands_unfinished_by_queue', definition);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX commands_unfinished_by_queue');
  }
}
