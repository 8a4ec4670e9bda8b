import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The facts of every order, never changed and never deleted: the view is folded from all of them (guarantee 4).
 * `data` and `error` are the bytes received; what stands beside them was read out of them once. `updated_ticks`
 * counts 100 ns, which timestamptz cannot hold.
 */
const ORDER_FACTS = `
  CREATE TABLE order_facts (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    lane_id bigint NOT NULL REFERENCES lanes (id),
    tenant text NOT NULL,
    order_number text NOT NULL,
    dedup_key text NOT NULL,
    source text NOT NULL,
    event_type text NOT NULL,
    failure boolean NOT NULL,
    operation_id text,
    status integer,
    -- as the platform writes it
    updated_at text,
    updated_ticks bigint,
    order_id text,
    has_items boolean NOT NULL,
    hash text NOT NULL,
    data bytea,
    error bytea,
    traceparent text,
    received_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    -- true if \`data\` and \`error\` hold no personal data, or none any more
    is_redacted boolean NOT NULL DEFAULT false,
    CONSTRAINT order_facts_dedup_key_key UNIQUE (dedup_key),
    CONSTRAINT order_facts_source_check CHECK (source IN ('notification', 'read', 'release'))
  );
  CREATE INDEX order_facts_lane ON order_facts (lane_id, id);
  CREATE INDEX order_facts_to_redact ON order_facts (tenant, received_at) WHERE NOT is_redacted`;

/**
 * Published state of each order, and its last status. Only the order's lane writes its row. An order may need
 * attention before it is created (rule 8): then it has a revision and no published status.
 */
const ORDERS = `
  CREATE TABLE orders (
    lane_id bigint PRIMARY KEY REFERENCES lanes (id),
    tenant text NOT NULL,
    order_number text NOT NULL,
    order_id text,
    status integer,
    revision integer NOT NULL DEFAULT 0,
    published_status integer,
    published_parts json,
    published_recalculation json,
    published_at timestamptz,
    unconfirmed json,
    watch json,
    status_since timestamptz NOT NULL DEFAULT clock_timestamp(),
    attention json,
    open_steps json,
    folded_up_to bigint NOT NULL DEFAULT 0,
    folded_facts bigint[] NOT NULL DEFAULT '{}',
    awaited_skus text[],
    past_operations text[] NOT NULL DEFAULT '{}',
    look_at timestamptz DEFAULT now(),
    looks integer NOT NULL DEFAULT 0,
    CONSTRAINT orders_tenant_order_number_key UNIQUE (tenant, order_number),
    CONSTRAINT orders_check CHECK ((revision > 0) OR (published_status IS NULL))
  ) WITH (fillfactor = 80);
  CREATE INDEX orders_attention ON orders (tenant) WHERE attention IS NOT NULL;
  CREATE INDEX orders_awaiting_skus ON orders USING gin (awaited_skus) WITH (fastupdate=off)
    WHERE awaited_skus IS NOT NULL;
  CREATE INDEX orders_in_doubt ON orders (tenant, look_at) WHERE looks < 0;
  CREATE INDEX orders_number ON orders (tenant, ((order_number)::bigint)) WHERE order_number ~ '^[0-9]{1,15}$';
  CREATE INDEX orders_to_look_at ON orders (tenant, look_at) WHERE look_at IS NOT NULL`;

/** The newest snapshot of each SKU of `catalog.skus.v1`, as far as items of orders are resolved by it. */
const SKUS = `
  CREATE TABLE skus (
    -- of the record
    key text PRIMARY KEY,
    tenant text NOT NULL,
    sku_external_reference text NOT NULL,
    sku_id text,
    product_id text,
    ean text,
    reference text,
    name text
  ) WITH (fillfactor = 85);
  CREATE INDEX skus_by_external_reference ON skus (tenant, sku_external_reference);
  CREATE INDEX skus_by_guid ON skus (tenant, sku_id);
  CREATE INDEX skus_by_reference ON skus (tenant, reference)`;

/** Results of file-gateway about the PDFs of invoice sagas; rows are never changed, and deleted with their command. */
const PDF_RESULTS = `
  CREATE TABLE pdf_results (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    tenant text NOT NULL,
    result_id text NOT NULL,
    parent_command_id text NOT NULL,
    value bytea NOT NULL,
    received_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT pdf_results_result_id_key UNIQUE (result_id)
  );
  CREATE INDEX pdf_results_of_command ON pdf_results (tenant, parent_command_id, id);
  CREATE INDEX pdf_results_received ON pdf_results (received_at)`;

/** Searches for orders that no notification named. */
const RECOVERY_RUNS = `
  CREATE TABLE recovery_runs (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    tenant text NOT NULL,
    source text NOT NULL,
    from_number bigint NOT NULL,
    to_number bigint NOT NULL,
    started_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    lookups integer NOT NULL DEFAULT 0,
    last_lookup_at timestamptz,
    finished_at timestamptz,
    CONSTRAINT recovery_runs_source_check CHECK (source IN ('operator', 'scan'))
  );
  CREATE INDEX recovery_runs_tenant ON recovery_runs (tenant, id)`;

/** The numbers of a search, with their outcomes. */
const RECOVERY_CANDIDATES = `
  CREATE TABLE recovery_candidates (
    run_id bigint NOT NULL REFERENCES recovery_runs (id),
    order_number bigint NOT NULL,
    tenant text NOT NULL,
    lookups integer NOT NULL DEFAULT 0,
    due_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    outcome text,
    concluded_at timestamptz,
    ahead boolean NOT NULL DEFAULT false,
    failures integer NOT NULL DEFAULT 0,
    PRIMARY KEY (run_id, order_number),
    CONSTRAINT recovery_candidates_outcome_check CHECK (outcome IN ('found', 'known', 'given-up', 'unreadable'))
  );
  CREATE INDEX recovery_candidates_due ON recovery_candidates (tenant, due_at, order_number) WHERE outcome IS NULL;
  CREATE INDEX recovery_candidates_number ON recovery_candidates (tenant, order_number);
  CREATE INDEX recovery_candidates_open ON recovery_candidates (run_id) WHERE outcome IS NULL`;

/** History of each order's published records: the outbox deletes a record once Kafka has it. */
const PUBLISHED_RECORDS = `
  CREATE TABLE published_records (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    lane_id bigint NOT NULL REFERENCES lanes (id),
    published_at timestamptz NOT NULL,
    kind text NOT NULL,
    record_id text NOT NULL,
    type text NOT NULL,
    revision integer,
    status integer,
    command_id text,
    cause text,
    outcome text,
    is_correction boolean NOT NULL,
    reason_code text,
    evidence text,
    CONSTRAINT published_records_kind_check CHECK (kind IN ('event', 'result'))
  );
  CREATE INDEX published_records_lane ON published_records (lane_id, id)`;

/** Time of recovery's next call of a tenant. */
const RECOVERY_PACES = `
  CREATE TABLE recovery_paces (
    tenant text PRIMARY KEY,
    -- before this no call is made, on however many replicas
    next_call_at timestamptz NOT NULL
  )`;

/** SKUs whose waiting orders are still to be woken. */
const ARRIVED_SKUS = `
  CREATE TABLE arrived_skus (
    tenant text NOT NULL,
    -- as in \`orders.awaited_skus\`
    key text NOT NULL,
    -- the waiting orders up to this lane are woken
    after_lane bigint NOT NULL DEFAULT 0,
    PRIMARY KEY (tenant, key)
  )`;

/** The app's tables. */
export class CreateOrderTables1760000001001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const table of [
      ORDER_FACTS,
      ORDERS,
      SKUS,
      PDF_RESULTS,
      RECOVERY_RUNS,
      RECOVERY_CANDIDATES,
      PUBLISHED_RECORDS,
      RECOVERY_PACES,
      ARRIVED_SKUS,
    ])
      await runner.query(table);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      'DROP TABLE arrived_skus, recovery_paces, published_records, recovery_candidates, recovery_runs, pdf_results, skus, orders, order_facts',
    );
  }
}
