import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Stored state of each product. Payloads are text and bytea, never jsonb. */
const PRODUCTS = `
  CREATE TABLE products (
    lane_id bigint PRIMARY KEY,
    tenant text NOT NULL,
    external_reference text NOT NULL,
    -- a \`KnownProduct\` as JSON text; numbers have the digits of the record
    known text NOT NULL,
    updated_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    -- \`traceparent\` of an operator's request to publish the shop's SKUs; null for none
    adoption text,
    CONSTRAINT products_tenant_external_reference_key UNIQUE (tenant, external_reference)
  )`;

/** The platform's reports that have not concluded a record yet. */
const PRODUCT_REPORTS = `
  CREATE TABLE product_reports (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    lane_id bigint NOT NULL,
    dedup_key text NOT NULL,
    operation_id text NOT NULL,
    event_type text NOT NULL,
    -- byte for byte
    data bytea NOT NULL,
    received_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    CONSTRAINT product_reports_dedup_key_key UNIQUE (dedup_key)
  );
  CREATE INDEX product_reports_lane ON product_reports (lane_id, id)`;

/**
 * Brands and categories. `held_by` is the lane whose open record covers the row: a tree covers categories that
 * have lanes of their own. `COLLATE "C"` on what is locked in the order of the key, whatever the database's
 * locale.
 */
const CATALOG_REFERENCES = `
  CREATE TABLE catalog_references (
    tenant text COLLATE "C" NOT NULL,
    kind text COLLATE "C" NOT NULL,
    external_reference text COLLATE "C" NOT NULL,
    -- JSON text; numbers have the digits of the record
    record text,
    -- of a category; null for a brand and at the root
    parent text,
    is_known boolean NOT NULL DEFAULT false,
    in_doubt boolean NOT NULL DEFAULT false,
    -- rises with each change
    revision bigint NOT NULL DEFAULT 0,
    held_by bigint,
    PRIMARY KEY (tenant, kind, external_reference),
    CONSTRAINT catalog_references_kind_check CHECK (kind IN ('brand', 'category'))
  );
  CREATE INDEX catalog_references_children ON catalog_references (tenant, parent)
    WHERE (kind = 'category') AND (parent IS NOT NULL);
  CREATE INDEX catalog_references_held ON catalog_references (held_by) WHERE held_by IS NOT NULL`;

/** State of each brand's and category's lane. */
const REFERENCE_LANES = `
  CREATE TABLE reference_lanes (
    lane_id bigint PRIMARY KEY,
    -- a \`ReferenceLaneState\` as JSON text; numbers have the digits of the record
    state text NOT NULL
  )`;

/** Records that wait for a brand or category. */
const REFERENCE_WAITS = `
  CREATE TABLE reference_waits (
    -- the waiting lane
    lane_id bigint NOT NULL,
    tenant text NOT NULL,
    kind text NOT NULL,
    -- of the brand, category or SKU
    external_reference text NOT NULL,
    -- kind and identity of the waiting lane
    waiting_kind text NOT NULL,
    waiting_reference text NOT NULL,
    PRIMARY KEY (lane_id, kind, external_reference)
  );
  CREATE INDEX reference_waits_awaited ON reference_waits (tenant, kind, external_reference);
  CREATE INDEX reference_waits_categories ON reference_waits (tenant, waiting_reference)
    WHERE (waiting_kind = 'category') AND (kind = 'category')`;

/** Lanes of each operation of the platform. */
const OPERATIONS = `
  CREATE TABLE operations (
    tenant text NOT NULL,
    operation_id text NOT NULL,
    lane_id bigint NOT NULL,
    sent_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (tenant, operation_id, lane_id)
  );
  CREATE INDEX operations_age ON operations (sent_at)`;

/** Reports of operations rather than of products. */
const OPERATION_REPORTS = `
  CREATE TABLE operation_reports (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    dedup_key text NOT NULL,
    tenant text NOT NULL,
    operation_id text NOT NULL,
    -- of the entity; null if the notification names none
    kind text,
    external_reference text,
    failed boolean NOT NULL,
    -- JSON text; numbers have the platform's digits
    error text,
    received_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    CONSTRAINT operation_reports_dedup_key_key UNIQUE (dedup_key)
  );
  CREATE INDEX operation_reports_age ON operation_reports (received_at);
  CREATE INDEX operation_reports_entity ON operation_reports (tenant, kind, external_reference);
  CREATE INDEX operation_reports_operation ON operation_reports (tenant, operation_id)`;

/**
 * The product of each SKU, and what was published of it. A SKU's row is made before it is sent the first time, so
 * that it never appears under two products; `version` is that of its last snapshot, 0 before the first.
 */
const SKUS = `
  CREATE TABLE skus (
    tenant text COLLATE "C" NOT NULL,
    external_reference text COLLATE "C" NOT NULL,
    -- of the product
    lane_id bigint NOT NULL,
    product_reference text NOT NULL,
    version bigint NOT NULL DEFAULT 0,
    -- the last published one as JSON text; null for none or a tombstone
    snapshot text,
    PRIMARY KEY (tenant, external_reference)
  );
  CREATE INDEX skus_lane ON skus (lane_id)`;

/** Brands and categories that products refer to. */
const PRODUCT_REFERENCES = `
  CREATE TABLE product_references (
    -- of the product
    lane_id bigint NOT NULL,
    tenant text NOT NULL,
    kind text NOT NULL,
    external_reference text NOT NULL,
    PRIMARY KEY (lane_id, kind, external_reference)
  );
  CREATE INDEX product_references_named ON product_references (tenant, kind, external_reference)`;

/** State of the price, warehouse or stock of each lane, with the SKU, which leads to it. */
const VALUE_LANES = `
  CREATE TABLE value_lanes (
    lane_id bigint PRIMARY KEY,
    -- a \`ValueLaneState\` as JSON text; numbers have the digits of the record
    state text NOT NULL,
    tenant text,
    kind text,
    -- of the SKU or warehouse
    external_reference text
  );
  CREATE INDEX value_lanes_named ON value_lanes (tenant, external_reference)`;

/**
 * Records that belong together, a file that an operator handed over, and what is sent again. How their records
 * stand is counted from `commands.load_id`; here is only what has no such row.
 */
const LOADS = `
  CREATE TABLE loads (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    tenant text NOT NULL,
    load_id text NOT NULL,
    source text NOT NULL,
    started_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    -- of the records of a file; null for other sources
    record_kind text,
    -- SHA-256 of a file: a load continues only with the same file; null for other sources
    digest text,
    -- records of a file, or entities of a resend; null for records from topics
    expected integer,
    -- records handed over from the beginning of a file
    taken integer NOT NULL DEFAULT 0,
    -- of these, repeats of a known id with the same content
    repeated integer NOT NULL DEFAULT 0,
    -- of these, records without a readable identity
    unreadable integer NOT NULL DEFAULT 0,
    CONSTRAINT loads_tenant_load_id_key UNIQUE (tenant, load_id),
    CONSTRAINT loads_source_check CHECK (source IN ('topic', 'file', 'resend'))
  )`;

/** Records of a load whose id came before with other content. */
const LOAD_CONFLICTS = `
  CREATE TABLE load_conflicts (
    tenant text NOT NULL,
    load_id text NOT NULL,
    topic text NOT NULL,
    command_id text NOT NULL,
    content_hash text NOT NULL,
    PRIMARY KEY (tenant, load_id, topic, command_id, content_hash)
  )`;

/** Entities that a resend has not queued yet. */
const RESEND_ITEMS = `
  CREATE TABLE resend_items (
    tenant text NOT NULL,
    load_id text NOT NULL,
    -- brands, then categories from the root down, then products
    place integer NOT NULL,
    kind text NOT NULL,
    external_reference text NOT NULL,
    PRIMARY KEY (tenant, load_id, place, kind, external_reference)
  )`;

/** The app's tables. */
export class CreateCatalogTables1760000004001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const table of [
      PRODUCTS,
      PRODUCT_REPORTS,
      CATALOG_REFERENCES,
      REFERENCE_LANES,
      REFERENCE_WAITS,
      OPERATIONS,
      OPERATION_REPORTS,
      SKUS,
      PRODUCT_REFERENCES,
      VALUE_LANES,
      LOADS,
      LOAD_CONFLICTS,
      RESEND_ITEMS,
    ])
      await runner.query(table);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      'DROP TABLE resend_items, load_conflicts, loads, value_lanes, product_references, skus, operation_reports, operations, reference_waits, reference_lanes, catalog_references, product_reports, products',
    );
  }
}
