import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Records that could not be handled, byte for byte. `id` is `<group>/<full topic>/<partition>/<offset>`, so a
 * record that is consumed again has the same row; `topic` is the name in the catalog, to which a redriven record
 * returns.
 */
export class CreateDeadLetters1760000000004 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE dead_letters (
        id text PRIMARY KEY,
        consumer_group text NOT NULL,
        topic text NOT NULL,
        partition integer NOT NULL,
        record_offset bigint NOT NULL,
        key bytea,
        value bytea,
        headers text NOT NULL,
        tenant text,
        reason_code text NOT NULL,
        reason text NOT NULL,
        dead_at timestamptz NOT NULL DEFAULT now(),
        redriven integer NOT NULL DEFAULT 0,
        redriven_at timestamptz
      )`);
    await runner.query('CREATE INDEX dead_letters_dead_at ON dead_letters (dead_at, id)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE dead_letters');
  }
}

/** Adds the time at which the content of a dead letter about an erased order was erased. */
export class EraseDeadLetters1760000000009 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE dead_letters ADD COLUMN content_erased_at timestamptz');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DELETE FROM dead_letters WHERE content_erased_at IS NOT NULL');
    await runner.query('ALTER TABLE dead_letters DROP COLUMN content_erased_at');
  }
}

/**
 * Adds the numbers of the orders that a dead letter names, so that an erasure finds its letters by an index. Letters
 * from before have none and are read; they are gone 30 days later.
 */
export class NameOrdersOfDeadLetters1760000000011 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE dead_letters ADD COLUMN order_numbers text[]');
    await runner.query('CREATE INDEX dead_letters_orders ON dead_letters USING gin (order_numbers)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX dead_letters_orders');
    await runner.query('ALTER TABLE dead_letters DROP COLUMN order_numbers');
  }
}
