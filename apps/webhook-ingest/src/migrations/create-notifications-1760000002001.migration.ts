import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The inbox, which is also the relay's outbox, and the quarantine. Bodies are stored as the bytes received. */
export class CreateNotifications1760000002001 implements MigrationInterface {
  readonly name = 'CreateNotifications1760000002001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE notifications (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        dedup_key text NOT NULL UNIQUE,
        tenant text NOT NULL,
        operation_id text NOT NULL,
        event_type text NOT NULL,
        related_entity text NOT NULL,
        topic text,
        partition_key text NOT NULL,
        subject text,
        body bytea NOT NULL,
        traceparent text NOT NULL,
        received_at timestamptz NOT NULL,
        sent_at timestamptz,
        parked_at timestamptz,
        parked_reason text
      )`);
    await runner.query(`
      CREATE INDEX notifications_unsent ON notifications (id)
      WHERE topic IS NOT NULL AND sent_at IS NULL AND parked_at IS NULL`);
    await runner.query('CREATE INDEX notifications_parked ON notifications (id) WHERE parked_at IS NOT NULL');
    await runner.query(`
      CREATE TABLE quarantine (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        dedup_key text NOT NULL UNIQUE,
        tenant text NOT NULL,
        reason text NOT NULL,
        detail text NOT NULL,
        body bytea NOT NULL,
        traceparent text NOT NULL,
        received_at timestamptz NOT NULL
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE quarantine');
    await runner.query('DROP TABLE notifications');
  }
}
