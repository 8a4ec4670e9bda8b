import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Loads: records that belong together, a file that an operator handed over, and what is sent again. How their records
 * stand is counted from the rows of these (`commands.load_id`); here is only what has no such row.
 */
export class CreateLoads1760000001021 implements MigrationInterface {
  readonly name = 'CreateLoads1760000001021';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE loads (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        tenant text NOT NULL,
        load_id text NOT NULL,
        source text NOT NULL CHECK (source IN ('topic', 'file', 'resend')),
        started_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        record_kind text,
        digest text,
        expected integer,
        taken integer NOT NULL DEFAULT 0,
        repeated integer NOT NULL DEFAULT 0,
        unreadable integer NOT NULL DEFAULT 0,
        UNIQUE (tenant, load_id)
      )`);
    await runner.query(`
      CREATE TABLE load_conflicts (
        tenant text NOT NULL,
        load_id text NOT NULL,
        topic text NOT NULL,
        command_id text NOT NULL,
        content_hash text NOT NULL,
        PRIMARY KEY (tenant, load_id, topic, command_id, content_hash)
      )`);
    await runner.query(`
      CREATE TABLE resend_items (
        tenant text NOT NULL,
        load_id text NOT NULL,
        place integer NOT NULL,
        kind text NOT NULL,
        external_reference text NOT NULL,
        PRIMARY KEY (tenant, load_id, place, kind, external_reference)
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE resend_items');
    await runner.query('DROP TABLE load_conflicts');
    await runner.query('DROP TABLE loads');
  }
}
