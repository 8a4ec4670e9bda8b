import type { MigrationInterface, QueryRunner } from 'typeorm';

const NAMES = [
  ['told_status', 'published_status'],
  ['told_parts', 'published_parts'],
  ['told_recalculation', 'published_recalculation'],
  ['told_at', 'published_at'],
] as const;

/** The columns of what was published of an order get the names that the code has. */
export class NamePublishedState1760000001040 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const [from, to] of NAMES) await runner.query(`ALTER TABLE orders RENAME COLUMN ${from} TO ${to}`);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const [from, to] of NAMES) await runner.query(`ALTER TABLE orders RENAME COLUMN ${to} TO ${from}`);
  }
}
