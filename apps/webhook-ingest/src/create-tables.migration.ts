import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The inbox, which is also the relay's outbox. Bodies are the bytes received, and are not compressed: compression
 * took PostgreSQL a quarter of the time of an insert, and bodies are deleted after their retention. The database
 * refuses to erase a body that is not published yet. Its key stays.
 */
const NOTIFICATIONS = `
  CREATE TABLE notifications (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    dedup_key text NOT NULL,
    tenant text NOT NULL,
    operation_id text NOT NULL,
    event_type text NOT NULL,
    related_entity text NOT NULL,
    topic text,
    partition_key text NOT NULL,
    subject text,
    body bytea,
    traceparent text NOT NULL,
    received_at timestamptz NOT NULL,
    sent_at timestamptz,
    parked_at timestamptz,
    parked_reason text,
    erased_bytes integer,
    erased_at timestamptz,
    CONSTRAINT notifications_dedup_key_key UNIQUE (dedup_key),
    CONSTRAINT notifications_body_until_sent
      CHECK ((body IS NOT NULL) OR ((erased_at IS NOT NULL) AND ((sent_at IS NOT NULL)
      OR (topic IS NULL) OR (parked_at IS NOT NULL))))
  );
  ALTER TABLE notifications ALTER COLUMN body SET STORAGE EXTERNAL;
  CREATE INDEX notifications_bodies ON notifications (tenant, received_at) WHERE body IS NOT NULL;
  CREATE INDEX notifications_entity ON notifications (partition_key, id);
  CREATE INDEX notifications_event ON notifications (event_type, id);
  CREATE INDEX notifications_keys ON notifications (tenant, received_at) WHERE body IS NULL;
  CREATE INDEX notifications_operation ON notifications (operation_id, id);
  CREATE INDEX notifications_parked ON notifications (id) WHERE parked_at IS NOT NULL;
  CREATE INDEX notifications_related ON notifications (related_entity, id);
  CREATE INDEX notifications_tenant ON notifications (tenant, id);
  CREATE INDEX notifications_unsent ON notifications (id)
    WHERE (topic IS NOT NULL) AND (sent_at IS NULL) AND (parked_at IS NULL);
  CREATE INDEX notifications_untold ON notifications (id) WHERE topic IS NULL`;

/** Bodies that were authenticated but not understood. The database refuses to erase one that nobody settled. */
const QUARANTINE = `
  CREATE TABLE quarantine (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    dedup_key text NOT NULL,
    tenant text NOT NULL,
    reason text NOT NULL,
    detail text NOT NULL,
    body bytea,
    traceparent text NOT NULL,
    received_at timestamptz NOT NULL,
    erased_bytes integer,
    erased_at timestamptz,
    state text NOT NULL DEFAULT 'open',
    settled_at timestamptz,
    note text,
    acted_by text,
    subject text,
    subject_read boolean NOT NULL DEFAULT false,
    CONSTRAINT quarantine_dedup_key_key UNIQUE (dedup_key),
    CONSTRAINT quarantine_body_until_settled
      CHECK ((body IS NOT NULL) OR ((erased_at IS NOT NULL) AND (state <> 'open'))),
    CONSTRAINT quarantine_state_check CHECK (state IN ('open', 'reprocessed', 'discarded'))
  );
  CREATE INDEX quarantine_open ON quarantine (tenant, reason) WHERE state = 'open';
  CREATE INDEX quarantine_settled ON quarantine (tenant, received_at) WHERE state <> 'open';
  CREATE INDEX quarantine_subject ON quarantine (tenant, subject) WHERE subject IS NOT NULL;
  CREATE INDEX quarantine_unread ON quarantine (id) WHERE NOT subject_read`;

/** Erased orders. The relay asks of each notification whether its order is one of them. */
const ERASURES = `
  CREATE TABLE erasures (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    tenant text NOT NULL,
    order_number text NOT NULL,
    partition_key text NOT NULL,
    subject text NOT NULL,
    requested_at timestamptz NOT NULL,
    notifications integer NOT NULL DEFAULT 0,
    quarantined integer NOT NULL DEFAULT 0
  );
  CREATE INDEX erasures_partition_key ON erasures (partition_key)`;

/**
 * A tenant has at most one registration in progress: the second of two would mistake the first one's webhook for
 * somebody else's.
 */
const WEBHOOK_REGISTRATIONS = `
  CREATE TABLE webhook_registrations (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    tenant text NOT NULL,
    url text NOT NULL,
    events text[] NOT NULL,
    requested_from text,
    started_at timestamptz NOT NULL DEFAULT now(),
    finished_at timestamptz,
    outcome text,
    platform_id text,
    platform_message text
  );
  CREATE UNIQUE INDEX webhook_registrations_under_way ON webhook_registrations (tenant) WHERE finished_at IS NULL`;

/** Erased shoppers, with the hash that recognises late notifications of one, and its expiry. */
const USER_ERASURES = `
  CREATE TABLE user_erasures (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    tenant text NOT NULL,
    erased_at timestamptz NOT NULL,
    notifications integer NOT NULL,
    quarantined integer NOT NULL,
    salt bytea,
    email_hash bytea,
    known_until timestamptz
  )`;

/** The app's tables. */
export class CreateIngestTables1760000002001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const table of [NOTIFICATIONS, QUARANTINE, ERASURES, WEBHOOK_REGISTRATIONS, USER_ERASURES])
      await runner.query(table);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE user_erasures, webhook_registrations, erasures, quarantine, notifications');
  }
}
