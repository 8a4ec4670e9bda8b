import type { Database } from '@gondola/service-kit/database/database';
import { deleteUpload } from './uploads.repository.ts';

const UPLOADS_AT_ONCE = 50;
const ROWS_AT_ONCE = 1_000;
/** Later than any deadline: nobody waits for these any more. */
const FAILURES_KEPT_MS = 14 * 86_400_000;
const OPERATIONS_KEPT_MS = 30 * 86_400_000;

/**
 * A row that a command has locked, or holds, is left for the next time; a hold that comes in between is seen (`uses` is
 * on the row).
 */
const MARK_EXPIRED = `
  UPDATE uploads SET state = 'deleting' WHERE id IN (
    SELECT id FROM uploads WHERE state <> 'deleting' AND uses = 0 AND expires_at < clock_timestamp()
    ORDER BY expires_at LIMIT $1 FOR UPDATE SKIP LOCKED
  )`;

/** Takes away what has expired, in small batches, so that no statement is long and no lock stays. */
export class CleanUp {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async run(): Promise<void> {
    await this.#deleteUploads();
    await this.#deleteOld('platform_failures', 'received_at', FAILURES_KEPT_MS);
    await this.#deleteOld('file_operations', 'started_at', OPERATIONS_KEPT_MS);
  }

  /** Expired ones, those whose upload was never finished, and those that another process began to delete. */
  async #deleteUploads(): Promise<void> {
    for (;;) {
      await this.#database.query(MARK_EXPIRED, [UPLOADS_AT_ONCE]);
      const { rows } = await this.#database.query<{ id: string }>(
        `SELECT id FROM uploads WHERE state = 'deleting' ORDER BY expires_at LIMIT $1`,
        [UPLOADS_AT_ONCE],
      );
      for (const { id } of rows) await deleteUpload(this.#database, id);
      if (rows.length < UPLOADS_AT_ONCE) return;
    }
  }

  async #deleteOld(table: 'platform_failures' | 'file_operations', column: string, keptMs: number): Promise<void> {
    for (let deleted = ROWS_AT_ONCE; deleted === ROWS_AT_ONCE;) {
      const { rowCount } = await this.#database.query(
        `DELETE FROM ${table} WHERE ctid IN (
           SELECT ctid FROM ${table} WHERE ${column} < clock_timestamp() - $1 * interval '1 millisecond' LIMIT $2
         )`,
        [keptMs, ROWS_AT_ONCE],
      );
      deleted = rowCount ?? 0;
    }
  }
}
