import { buildIndex } from '@gondola/service-kit/database/migrations';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Leads to the lanes whose steps fail again and again: mostly none. */
export class StuckLanes1760000009301 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await buildIndex(runner, 'lanes_stuck', 'lanes (tenant, kind, identity) WHERE failures >= 10');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX lanes_stuck');
  }
}
