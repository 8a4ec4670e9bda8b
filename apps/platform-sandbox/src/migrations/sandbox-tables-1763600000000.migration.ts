import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The platform's state and its two queues. Documents are text or json, never jsonb, so that they are sent as
 * received. Times of the shop are counts of 100 ns, the platform's resolution.
 */
export class SandboxTables1763600000000 implements MigrationInterface {
  name = 'SandboxTables1763600000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE tenants (
        contract_account_id text PRIMARY KEY,
        username text NOT NULL,
        password_digest bytea NOT NULL,
        api_key_digest bytea NOT NULL,
        shop json NOT NULL
      );
      CREATE UNIQUE INDEX tenants_any_case ON tenants (lower(contract_account_id));

      CREATE TABLE webhooks (
        id text PRIMARY KEY,
        contract_account_id text NOT NULL UNIQUE REFERENCES tenants,
        registration json NOT NULL
      );

      CREATE TABLE products (
        id text PRIMARY KEY,
        contract_account_id text NOT NULL REFERENCES tenants,
        external_reference text NOT NULL,
        slug text NOT NULL,
        fields json NOT NULL,
        created_at bigint NOT NULL,
        updated_at bigint NOT NULL,
        UNIQUE (contract_account_id, external_reference),
        UNIQUE (contract_account_id, slug)
      );

      CREATE TABLE skus (
        id text PRIMARY KEY,
        product_id text NOT NULL REFERENCES products,
        contract_account_id text NOT NULL,
        external_reference text NOT NULL,
        position int NOT NULL,
        fields json NOT NULL,
        UNIQUE (contract_account_id, external_reference)
      );
      CREATE INDEX skus_product ON skus (product_id, position);

      CREATE SEQUENCE order_numbers START 100001;
      CREATE TABLE orders (
        number bigint PRIMARY KEY,
        id text NOT NULL UNIQUE,
        contract_account_id text NOT NULL REFERENCES tenants,
        document json NOT NULL
      );

      CREATE TABLE operations (
        seq bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        operation_id text NOT NULL,
        contract_account_id text NOT NULL,
        kind text NOT NULL,
        payload text NOT NULL,
        directive json NOT NULL,
        state text NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'applied', 'silent', 'crashed')),
        accepted_at timestamptz NOT NULL DEFAULT now(),
        ended_at timestamptz
      );
      CREATE INDEX operations_waiting ON operations (seq) WHERE state = 'waiting';
      CREATE INDEX operations_operation ON operations (operation_id);

      CREATE TABLE deliveries (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        operation_id text NOT NULL,
        contract_account_id text NOT NULL,
        event_type text NOT NULL,
        body bytea NOT NULL,
        state text NOT NULL DEFAULT 'pending' CHECK (state IN ('pending', 'delivered', 'dead', 'lost')),
        attempts int NOT NULL DEFAULT 0,
        due_at timestamptz NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        ended_at timestamptz
      );
      CREATE INDEX deliveries_pending ON deliveries (due_at, id) WHERE state = 'pending';
      CREATE INDEX deliveries_dead ON deliveries (id) WHERE state = 'dead';
      CREATE INDEX deliveries_operation ON deliveries (operation_id);

      CREATE SEQUENCE delivery_attempt_seq;
      CREATE TABLE delivery_attempts (
        delivery_id bigint NOT NULL REFERENCES deliveries,
        attempt int NOT NULL,
        at timestamptz NOT NULL DEFAULT now(),
        seq bigint UNIQUE,
        answer int,
        PRIMARY KEY (delivery_id, attempt)
      );

      CREATE TABLE requests (
        seq bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        at timestamptz NOT NULL DEFAULT now(),
        method text NOT NULL,
        path text NOT NULL,
        query text,
        status int,
        body bytea NOT NULL
      );

      CREATE TABLE faults (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        fault json NOT NULL,
        matched int NOT NULL DEFAULT 0,
        struck int NOT NULL DEFAULT 0
      );

      CREATE TABLE switches (name text PRIMARY KEY, value text NOT NULL);
      CREATE SEQUENCE boots;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP SEQUENCE boots;
      DROP TABLE switches, faults, requests, delivery_attempts, deliveries, operations, orders, skus, products, webhooks, tenants;
      DROP SEQUENCE delivery_attempt_seq, order_numbers;
    `);
  }
}
