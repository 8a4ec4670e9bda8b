import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Audits of months, and the order numbers of each with what was found. */
const AUDITS = `
  CREATE TABLE audits (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    tenant text NOT NULL,
    month text NOT NULL,
    state text NOT NULL DEFAULT 'running',
    is_listed boolean NOT NULL DEFAULT false,
    unread_numbers bigint NOT NULL DEFAULT 0,
    reads integer NOT NULL DEFAULT 0,
    next_read_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    started_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    finished_at timestamptz,
    CONSTRAINT audits_state_check CHECK (state IN ('running', 'stopped', 'finished'))
  );
  CREATE INDEX audits_tenant ON audits (tenant, id);
  CREATE TABLE audited_orders (
    audit_id bigint NOT NULL REFERENCES audits (id) ON DELETE CASCADE,
    order_number bigint NOT NULL,
    outcome text,
    looks integer NOT NULL DEFAULT 0,
    failures integer NOT NULL DEFAULT 0,
    due_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    is_erased boolean NOT NULL DEFAULT false,
    differences json,
    shop_cents bigint,
    published_cents bigint,
    charged_cents bigint,
    invoiced_cents bigint,
    PRIMARY KEY (audit_id, order_number),
    CONSTRAINT audited_orders_outcome_check CHECK (outcome IN ('agrees', 'differs', 'absent', 'outside'))
  );
  CREATE INDEX audited_orders_next ON audited_orders (audit_id, due_at, order_number) WHERE outcome IS NULL;
  CREATE INDEX audited_orders_differing ON audited_orders (audit_id, order_number) WHERE outcome = 'differs'`;

export class CreateAudits1760000009601 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(AUDITS);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE audited_orders, audits');
  }
}
