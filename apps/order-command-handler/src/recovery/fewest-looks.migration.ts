import { buildIndex } from '@gondola/service-kit/database/migrations';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Lead to the open orders with the fewest reads, in doubt or not, that are due; to those that are given up; and to the
 * next number of each search.
 */
export class FewestLooks1760000009101 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    const fewest = '(least(greatest(looks, -1 - looks), 15))';
    await buildIndex(runner, 'orders_fewest_looks', `orders (tenant, ${fewest}, look_at) WHERE look_at IS NOT NULL`);
    await buildIndex(runner, 'orders_given_up', 'orders (tenant, lane_id) WHERE look_at IS NULL AND looks > 0');
    const next = 'recovery_candidates (run_id, due_at, order_number) WHERE outcome IS NULL';
    await buildIndex(runner, 'recovery_candidates_next', next);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX recovery_candidates_next, orders_given_up, orders_fewest_looks');
  }
}
