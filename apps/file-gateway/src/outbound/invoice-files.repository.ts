import type { Database, Tx } from '@gondola/service-kit/database/database';
import type { InvoiceFileStore } from '../application/file-stores.ts';

/**
 * The table `invoice_files`. Written while the lane of the order's invoice is held, so nobody else writes the same row.
 */
export class InvoiceFilesRepository implements InvoiceFileStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async attachedSha256(tenant: string, orderId: string): Promise<string | null> {
    const text = 'SELECT sha256 FROM invoice_files WHERE tenant = $1 AND order_id = $2';
    const { rows } = await this.#database.query<{ sha256: string }>(text, [tenant, orderId]);
    return rows[0]?.sha256 ?? null;
  }

  async save(tx: Tx, tenant: string, orderId: string, sha256: string | null): Promise<void> {
    if (sha256 === null) {
      await tx.query('DELETE FROM invoice_files WHERE tenant = $1 AND order_id = $2', [tenant, orderId]);
      return;
    }
    await tx.query(
      `INSERT INTO invoice_files (tenant, order_id, sha256) VALUES ($1, $2, $3)
       ON CONFLICT (tenant, order_id) DO UPDATE SET sha256 = excluded.sha256, updated_at = clock_timestamp()`,
      [tenant, orderId, sha256],
    );
  }
}
