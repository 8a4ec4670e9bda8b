import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Pauses of the platform that each replica has in memory, and whether an operator wants them ended. */
const PLATFORM_PAUSES = `
  CREATE TABLE platform_pauses (
    replica text NOT NULL,
    tenant text NOT NULL,
    -- empty: all calls of the tenant
    route text NOT NULL,
    cause text NOT NULL,
    since timestamptz NOT NULL,
    until timestamptz NOT NULL,
    -- when the replica wrote it last; one that is gone writes no more
    seen_at timestamptz NOT NULL DEFAULT now(),
    is_ended boolean NOT NULL DEFAULT false,
    PRIMARY KEY (replica, tenant, route)
  )`;

export class PlatformPauses1760000009201 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(PLATFORM_PAUSES);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE platform_pauses');
  }
}
