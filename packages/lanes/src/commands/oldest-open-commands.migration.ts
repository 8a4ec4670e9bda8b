import { buildIndex } from '@gondola/service-kit/database/migrations';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Leads to the oldest open command of each kind, for the age of the work that waits. */
export class OldestOpenCommands1760000000004 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    const definition = "commands (tenant, topic, command, received_at) WHERE state = 'open'";
    await buildIndex(runner, 'commands_oldest_open', definition);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX commands_oldest_open');
  }
}
