import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Changes that tenants in shadow left out, those that the shop showed, and how they compare. A repeat of a call has the
 * row of the first one.
 */
const SHADOW_CALLS = `
  CREATE TABLE shadow_calls (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    tenant text NOT NULL,
    route text NOT NULL,
    -- the order number, or the reference
    entity text NOT NULL,
    -- empty: no command asked for it
    command_id text NOT NULL,
    -- JSON text, in which a file is its size and hash; null for none, and for an erased order
    body text,
    -- of the body
    sha256 text NOT NULL,
    left_out_at timestamptz NOT NULL DEFAULT now(),
    last_at timestamptz NOT NULL DEFAULT now(),
    times integer NOT NULL DEFAULT 1,
    -- gondola: left out; shop: seen there
    side text NOT NULL DEFAULT 'gondola',
    -- null before the first comparison
    verdict text,
    -- value of the other side, JSON text
    found text,
    -- code of the reason of what cannot be compared
    why text,
    late_ms bigint,
    -- time of the next comparison; null after the last
    look_at timestamptz DEFAULT now(),
    CONSTRAINT shadow_calls_call_key UNIQUE (tenant, entity, route, command_id, sha256)
  );
  CREATE INDEX shadow_calls_last_at ON shadow_calls (last_at);
  CREATE INDEX shadow_calls_look_at ON shadow_calls (look_at) WHERE look_at IS NOT NULL;
  CREATE INDEX shadow_calls_verdict ON shadow_calls (tenant, verdict, id)`;

export class ShadowCalls1760000009501 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(SHADOW_CALLS);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE shadow_calls');
  }
}
