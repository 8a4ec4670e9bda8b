import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Which letters wait for an operator. The first index leads through them in the order of their records, the second one
 * to each cause.
 */
export class LetterStates1760000000003 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE dead_letters
        ADD COLUMN state text NOT NULL DEFAULT 'open',
        ADD COLUMN failures integer NOT NULL DEFAULT 1,
        ADD COLUMN last_failed_at timestamptz NOT NULL DEFAULT now(),
        -- number of the last redrive that failed
        ADD COLUMN failed_redrive integer NOT NULL DEFAULT 0,
        -- why it was discarded
        ADD COLUMN note text,
        -- operator who last redrove or discarded it; null if the call named nobody
        ADD COLUMN acted_by text,
        ADD CONSTRAINT dead_letters_state_check CHECK (state IN ('open', 'redriven', 'discarded'));
      UPDATE dead_letters SET last_failed_at = dead_at, state = CASE WHEN redriven > 0 THEN 'redriven' ELSE 'open' END;
      CREATE INDEX dead_letters_open ON dead_letters (topic, partition, record_offset, id) WHERE state = 'open';
      CREATE INDEX dead_letters_causes ON dead_letters (coalesce(tenant, ''), reason_code, topic, dead_at)
        WHERE state = 'open'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP INDEX dead_letters_causes, dead_letters_open;
      ALTER TABLE dead_letters DROP COLUMN state, DROP COLUMN failures, DROP COLUMN last_failed_at,
        DROP COLUMN failed_redrive, DROP COLUMN note, DROP COLUMN acted_by`);
  }
}
