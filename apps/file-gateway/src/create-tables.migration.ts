import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Uploaded content. `uses` counts the open commands that hold an upload; an upload that is held is not deleted.
 * `uploads_sizes` sums a tenant's bytes, also while they are received, from the index alone.
 */
const UPLOADS = `
  CREATE TABLE uploads (
    id uuid PRIMARY KEY,
    tenant text NOT NULL,
    state text NOT NULL DEFAULT 'receiving',
    media_type text NOT NULL,
    size bigint,
    sha256 text,
    uses integer NOT NULL DEFAULT 0,
    created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    expires_at timestamptz NOT NULL,
    is_whole boolean,
    flaw text,
    CONSTRAINT uploads_check CHECK ((state <> 'complete') OR ((size IS NOT NULL) AND (sha256 IS NOT NULL))),
    CONSTRAINT uploads_state_check CHECK (state IN ('receiving', 'complete', 'deleting')),
    CONSTRAINT uploads_uses_check CHECK (uses >= 0)
  );
  CREATE INDEX uploads_expiring ON uploads (expires_at);
  CREATE INDEX uploads_of_content ON uploads (tenant, sha256);
  CREATE INDEX uploads_sizes ON uploads (tenant, size) WHERE state <> 'deleting'`;

/**
 * Content in rows of at most 256 kB, so that neither writing nor reading holds a file in memory, and every replica
 * can read it. Rows are used rather than large objects because they are deleted with their upload by a foreign
 * key, and because backups, replication and permissions treat them like all rows. EXTERNAL: images and PDFs are
 * compressed already.
 */
const UPLOAD_CHUNKS = `
  CREATE TABLE upload_chunks (
    upload_id uuid NOT NULL REFERENCES uploads (id) ON DELETE CASCADE,
    position integer NOT NULL,
    content bytea NOT NULL,
    PRIMARY KEY (upload_id, position)
  );
  ALTER TABLE upload_chunks ALTER COLUMN content SET STORAGE EXTERNAL`;

/** SKUs on the platform, by the newest record of each in `catalog.skus.v1`. */
const SKUS = `
  CREATE TABLE skus (
    tenant text NOT NULL,
    external_reference text NOT NULL,
    updated_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (tenant, external_reference)
  )`;

/** GUIDs of orders, and when a notification last named each, so that those nobody speaks of any more are deleted. */
const ORDER_IDS = `
  CREATE TABLE order_ids (
    tenant text NOT NULL,
    order_number text NOT NULL,
    order_id text NOT NULL,
    seen_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (tenant, order_number)
  );
  CREATE INDEX order_ids_seen ON order_ids (seen_at)`;

/** Refusals of the platform. Payloads are bytea and json, never jsonb. */
const PLATFORM_FAILURES = `
  CREATE TABLE platform_failures (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    dedup_key text NOT NULL,
    tenant text NOT NULL,
    operation_id text,
    event_type text NOT NULL,
    lane_kind text,
    lane_identity text,
    error bytea,
    received_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    CONSTRAINT platform_failures_dedup_key_key UNIQUE (dedup_key)
  );
  CREATE INDEX platform_failures_lane ON platform_failures (tenant, lane_kind, lane_identity);
  CREATE INDEX platform_failures_operation ON platform_failures (tenant, operation_id)`;

/** The command of each operation of the platform. */
const FILE_OPERATIONS = `
  CREATE TABLE file_operations (
    tenant text NOT NULL,
    operation_id text NOT NULL,
    command_row_id bigint NOT NULL,
    lane_id bigint NOT NULL,
    started_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (tenant, operation_id)
  )`;

/** The images last applied to each SKU. */
const SKU_IMAGES = `
  CREATE TABLE sku_images (
    tenant text NOT NULL,
    external_reference text NOT NULL,
    applied json NOT NULL,
    updated_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (tenant, external_reference)
  );
  CREATE INDEX sku_images_updated ON sku_images (updated_at)`;

/**
 * SHA-256 of the PDF that Gondola last attached to each order, because the platform shows that a file exists, not
 * its content. No row: nothing was attached, or the attached content is not known.
 */
const INVOICE_FILES = `
  CREATE TABLE invoice_files (
    tenant text NOT NULL,
    order_id text NOT NULL,
    sha256 text NOT NULL,
    updated_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (tenant, order_id)
  );
  CREATE INDEX invoice_files_updated ON invoice_files (updated_at)`;

/** Content that was fetched for a command, so that a repeated step finds it. */
const FETCHED_CONTENTS = `
  CREATE TABLE fetched_contents (
    tenant text NOT NULL,
    command_id text NOT NULL,
    source text NOT NULL,
    upload_id uuid NOT NULL REFERENCES uploads (id) ON DELETE CASCADE,
    PRIMARY KEY (tenant, command_id, source)
  );
  CREATE INDEX fetched_contents_upload ON fetched_contents (upload_id)`;

/** The images of each `PublishSkuImages`, so that it can be undone. */
const IMAGE_UPLOADS = `
  CREATE TABLE image_uploads (
    tenant text NOT NULL,
    command_id text NOT NULL,
    external_reference text NOT NULL,
    images json NOT NULL,
    urls json NOT NULL,
    applied_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (tenant, command_id)
  );
  CREATE INDEX image_uploads_applied ON image_uploads (applied_at)`;

/** The final result of each command, for the operations API. */
const COMMAND_RESULTS = `
  CREATE TABLE command_results (
    command_row_id bigint PRIMARY KEY,
    lane_id bigint NOT NULL,
    result json NOT NULL,
    saved_at timestamptz NOT NULL DEFAULT clock_timestamp()
  );
  CREATE INDEX command_results_of_lane ON command_results (lane_id);
  CREATE INDEX command_results_saved ON command_results (saved_at)`;

/** The app's tables. */
export class CreateFileTables1760000003001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const table of [
      UPLOADS,
      UPLOAD_CHUNKS,
      SKUS,
      ORDER_IDS,
      PLATFORM_FAILURES,
      FILE_OPERATIONS,
      SKU_IMAGES,
      INVOICE_FILES,
      FETCHED_CONTENTS,
      IMAGE_UPLOADS,
      COMMAND_RESULTS,
    ])
      await runner.query(table);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      'DROP TABLE command_results, image_uploads, fetched_contents, invoice_files, sku_images, file_operations, platform_failures, order_ids, skus, upload_chunks, uploads',
    );
  }
}
