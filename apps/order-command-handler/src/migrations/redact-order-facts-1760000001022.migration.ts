import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Which facts still hold personal data; the index finds those that are old enough to lose it. */
export class RedactOrderFacts1760000001022 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE order_facts ADD COLUMN is_redacted boolean NOT NULL DEFAULT false');
    await runner.query('UPDATE order_facts SET is_redacted = true WHERE data IS NULL AND error IS NULL');
    await runner.query('CREATE INDEX order_facts_to_redact ON order_facts (tenant, received_at) WHERE NOT is_redacted');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX order_facts_to_redact');
    await runner.query('ALTER TABLE order_facts DROP COLUMN is_redacted');
  }
}
