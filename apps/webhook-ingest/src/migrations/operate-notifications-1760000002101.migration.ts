import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Lets operations find notifications and quarantine entries by entity, operation and name, erase a body while its
 * key stays, and settle quarantine entries. The database refuses to erase a body that is not published yet. New
 * bodies are not compressed: compression took PostgreSQL a quarter of the time of an insert, and bodies are deleted
 * after their retention.
 */
export class OperateNotifications1760000002101 implements MigrationInterface {
  readonly name = 'OperateNotifications1760000002101';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE notifications
        ALTER COLUMN body SET STORAGE EXTERNAL,
        ALTER COLUMN body DROP NOT NULL,
        ADD COLUMN erased_bytes integer,
        ADD COLUMN erased_at timestamptz,
        ADD CONSTRAINT notifications_body_until_sent CHECK (body IS NOT NULL
          OR (erased_at IS NOT NULL AND (sent_at IS NOT NULL OR topic IS NULL OR parked_at IS NOT NULL)))`);
    for (const [name, columns] of INDEXES) await runner.query(`CREATE INDEX ${name} ON notifications ${columns}`);
    await runner.query(`
      ALTER TABLE quarantine
        ALTER COLUMN body DROP NOT NULL,
        ADD COLUMN erased_bytes integer,
        ADD COLUMN erased_at timestamptz,
        ADD COLUMN state text NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'reprocessed', 'discarded')),
        ADD COLUMN settled_at timestamptz,
        ADD COLUMN note text,
        ADD COLUMN subject text,
        ADD COLUMN subject_read boolean NOT NULL DEFAULT false,
        ADD CONSTRAINT quarantine_body_until_settled CHECK (body IS NOT NULL OR (erased_at IS NOT NULL AND state <> 'open'))`);
    await runner.query(`CREATE INDEX quarantine_open ON quarantine (tenant, reason) WHERE state = 'open'`);
    await runner.query(`CREATE INDEX quarantine_settled ON quarantine (tenant, received_at) WHERE state <> 'open'`);
    await runner.query('CREATE INDEX quarantine_unread ON quarantine (id) WHERE NOT subject_read');
    await runner.query('CREATE INDEX quarantine_subject ON quarantine (tenant, subject) WHERE subject IS NOT NULL');
    await runner.query(`
      CREATE TABLE erasures (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        tenant text NOT NULL,
        order_number text NOT NULL,
        partition_key text NOT NULL,
        subject text NOT NULL,
        requested_at timestamptz NOT NULL,
        notifications integer NOT NULL DEFAULT 0,
        quarantined integer NOT NULL DEFAULT 0
      )`);
    await runner.query(`
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
      )`);
    // A tenant has at most one registration in progress: the second of two would mistake the first one's webhook
    // for somebody else's.
    await runner.query(
      'CREATE UNIQUE INDEX webhook_registrations_under_way ON webhook_registrations (tenant) WHERE finished_at IS NULL',
    );
  }

  /** Erased bodies cannot be restored: they become empty. */
  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE webhook_registrations');
    await runner.query('DROP TABLE erasures');
    await runner.query(`
      DROP INDEX quarantine_open, quarantine_settled, quarantine_unread, quarantine_subject,
        ${INDEXES.map(([name]) => name).join(', ')}`);
    await runner.query(`
      ALTER TABLE quarantine
        DROP CONSTRAINT quarantine_body_until_settled,
        DROP COLUMN erased_bytes, DROP COLUMN erased_at, DROP COLUMN state, DROP COLUMN settled_at, DROP COLUMN note,
        DROP COLUMN subject, DROP COLUMN subject_read`);
    await runner.query(`
      ALTER TABLE notifications
        ALTER COLUMN body SET STORAGE EXTENDED,
        DROP CONSTRAINT notifications_body_until_sent, DROP COLUMN erased_bytes, DROP COLUMN erased_at`);
    for (const table of ['notifications', 'quarantine']) {
      await runner.query(`UPDATE ${table} SET body = '' WHERE body IS NULL`);
      await runner.query(`ALTER TABLE ${table} ALTER COLUMN body SET NOT NULL`);
    }
  }
}

const INDEXES = [
  ['notifications_entity', '(partition_key, id)'],
  ['notifications_operation', '(operation_id, id)'],
  ['notifications_event', '(event_type, id)'],
  ['notifications_related', '(related_entity, id)'],
  ['notifications_bodies', '(tenant, received_at) WHERE body IS NOT NULL'],
  // Empty until bodies are erased, so inserts do not pay for it.
  ['notifications_keys', '(tenant, received_at) WHERE body IS NULL'],
] as const;
