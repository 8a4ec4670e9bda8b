import type { MigrationInterface, QueryRunner } from 'typeorm';

/** When a place was stored, by which those of topics that are not written any more are found. */
export class RelayPlacesAge1760000009003 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE relay_places ADD COLUMN stored_at timestamptz NOT NULL DEFAULT now()');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE relay_places DROP COLUMN stored_at');
  }
}
