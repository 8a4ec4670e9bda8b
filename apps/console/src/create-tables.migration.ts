import type { MigrationInterface, QueryRunner } from 'typeorm';

const TABLES = `
  CREATE TABLE sessions (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    token_hash bytea NOT NULL,
    previous_hash bytea,
    method text NOT NULL,
    name text NOT NULL,
    groups text[] NOT NULL,
    created_at timestamptz NOT NULL,
    rotated_at timestamptz NOT NULL,
    seen_at timestamptz NOT NULL,
    CONSTRAINT sessions_token_hash_key UNIQUE (token_hash)
  );
  CREATE INDEX sessions_created ON sessions (created_at);
  CREATE INDEX sessions_previous ON sessions (previous_hash) WHERE previous_hash IS NOT NULL;

  CREATE TABLE sign_in_links (
    secret_hash bytea PRIMARY KEY,
    created_at timestamptz NOT NULL,
    used_at timestamptz
  );

  CREATE TABLE actions (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    at timestamptz NOT NULL,
    operator text NOT NULL,
    tenant text,
    action text NOT NULL,
    subject text,
    outcome text NOT NULL,
    status integer,
    CONSTRAINT actions_outcome_check CHECK (outcome IN ('begun', 'done', 'refused', 'failed'))
  );
  CREATE INDEX actions_at ON actions (at);
  CREATE INDEX actions_subject ON actions (subject, id) WHERE subject IS NOT NULL;
  CREATE INDEX actions_tenant ON actions (tenant, id)`;

export class CreateConsoleTables1764100000001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(TABLES);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE actions, sign_in_links, sessions');
  }
}
