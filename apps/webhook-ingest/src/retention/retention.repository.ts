import { Database } from '@gondola/service-kit/database/database';
import { Injectable } from '@nestjs/common';

/**
 * A notification can be erased once it is published, or if it is never published. One that Kafka refused
 * permanently is the only copy and stays.
 */
const IS_DONE = '(sent_at IS NOT NULL OR topic IS NULL)';

/**
 * Erases and deletes old rows in batches, so that no lock is held for long; replicas skip each other's rows.
 * Notifications that wait to be published, and open quarantine entries, are never touched. Each method returns the
 * number of rows. Tested in retention.int.spec.ts.
 */
@Injectable()
export class RetentionRepository {
  constructor(private readonly database: Database) {}

  async eraseBodies(tenant: string, before: Date, limit: number): Promise<number> {
    return this.#count(
      `UPDATE notifications SET body = NULL, erased_bytes = length(body), erased_at = now() WHERE id IN (
         SELECT id FROM notifications WHERE tenant = $1 AND received_at < $2 AND body IS NOT NULL AND ${IS_DONE}
         ORDER BY received_at LIMIT $3 FOR UPDATE SKIP LOCKED)`,
      [tenant, before, limit],
    );
  }

  /** Deletes rows whose body is erased already: `bodyDays` is never more than `keyDays`. */
  async deleteKeys(tenant: string, before: Date, limit: number): Promise<number> {
    return this.#count(
      `DELETE FROM notifications WHERE id IN (
         SELECT id FROM notifications WHERE tenant = $1 AND received_at < $2 AND body IS NULL AND ${IS_DONE}
         ORDER BY received_at LIMIT $3 FOR UPDATE SKIP LOCKED)`,
      [tenant, before, limit],
    );
  }

  async eraseQuarantinedBodies(tenant: string, before: Date, limit: number): Promise<number> {
    return this.#count(
      `UPDATE quarantine SET body = NULL, erased_bytes = length(body), erased_at = now() WHERE id IN (
         SELECT id FROM quarantine WHERE tenant = $1 AND received_at < $2 AND body IS NOT NULL AND state <> 'open'
         ORDER BY received_at LIMIT $3 FOR UPDATE SKIP LOCKED)`,
      [tenant, before, limit],
    );
  }

  async deleteQuarantined(tenant: string, before: Date, limit: number): Promise<number> {
    return this.#count(
      `DELETE FROM quarantine WHERE id IN (
         SELECT id FROM quarantine WHERE tenant = $1 AND received_at < $2 AND body IS NULL AND state <> 'open'
         ORDER BY received_at LIMIT $3 FOR UPDATE SKIP LOCKED)`,
      [tenant, before, limit],
    );
  }

  async #count(text: string, values: readonly unknown[]): Promise<number> {
    return (await this.database.query(text, values)).rowCount ?? 0;
  }
}
