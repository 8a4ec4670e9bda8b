import { Database } from '@gondola/service-kit/database/database';
import { Injectable } from '@nestjs/common';
import type { ForgottenPart, ShownKind } from '../inbox/content.metrics.ts';

/**
 * A notification can be erased once it is published, or if it is never published. One that Kafka refused
 * permanently is the only copy and stays, and so does an open entry of the quarantine.
 */
const TABLES = {
  notification: { table: 'notifications', isDone: '(sent_at IS NOT NULL OR topic IS NULL)' },
  quarantine: { table: 'quarantine', isDone: `state <> 'open'` },
} as const satisfies Readonly<Record<ShownKind, object>>;

/** $1 tenant, $2 days until the body goes, $3 days until the key goes. */
function oldest({ table, isDone }: (typeof TABLES)[ShownKind]): string {
  const due = (hasBody: string, days: string): string => `
    SELECT (SELECT received_at FROM ${table} WHERE tenant = $1 AND body IS ${hasBody} AND ${isDone}
      ORDER BY received_at LIMIT 1) + ${days}::integer * interval '1 day'`;
  return `SELECT least((${due('NOT NULL', '$2')}), (${due('NULL', '$3')})) AS due`;
}

export const OLDEST_NOTIFICATION = oldest(TABLES.notification);
export const OLDEST_QUARANTINED = oldest(TABLES.quarantine);

/**
 * Erases and deletes old rows in batches, so that no lock is held for long; replicas skip each other's rows. Tested in
 * retention.int.spec.ts.
 */
@Injectable()
export class RetentionRepository {
  constructor(private readonly database: Database) {}

  /**
   * Erases bodies, or deletes the keys of rows whose body is erased already: `bodyDays` is never more than `keyDays`.
   * Returns the number of rows.
   */
  async forget(
    { kind, part }: { readonly kind: ShownKind; readonly part: ForgottenPart },
    tenant: string,
    before: Date,
    limit: number,
  ): Promise<number> {
    const { table, isDone } = TABLES[kind];
    const hasBody = part === 'body' ? 'body IS NOT NULL' : 'body IS NULL';
    const forget =
      part === 'body'
        ? `UPDATE ${table} SET body = NULL, erased_bytes = length(body), erased_at = now()`
        : `DELETE FROM ${table}`;
    const { rowCount } = await this.database.query(
      `${forget} WHERE id IN (
         SELECT id FROM ${table} WHERE tenant = $1 AND received_at < $2 AND ${hasBody} AND ${isDone}
         ORDER BY received_at LIMIT $3 FOR UPDATE SKIP LOCKED)`,
      [tenant, before, limit],
    );
    return rowCount ?? 0;
  }
}
