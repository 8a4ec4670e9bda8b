import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Times from which on tenants in shadow are live, or in shadow again, and whether their work is held. */
const SHADOW_POINTS = `
  CREATE TABLE shadow_points (
    tenant text PRIMARY KEY,
    -- [{ "mode": "live", "from": milliseconds since 1970 }], in the order of the times
    points json NOT NULL DEFAULT '[]',
    held_since timestamptz,
    changed_at timestamptz NOT NULL DEFAULT now(),
    changed_by text
  )`;

export class ShadowPoints1760000009601 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(SHADOW_POINTS);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE shadow_points');
  }
}
