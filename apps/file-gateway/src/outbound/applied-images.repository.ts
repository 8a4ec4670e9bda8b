import type { Database, Tx } from '@gondola/service-kit/database/database';
import type { AppliedImageStore } from '../application/file-stores.ts';
import { type AppliedImages, NO_IMAGES } from '../domain/applied-images.ts';

/** The table `sku_images`. Written while the SKU's lane is held, so nobody else writes the same row. */
export class AppliedImagesRepository implements AppliedImageStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async load(tenant: string, externalReference: string): Promise<AppliedImages> {
    const text = 'SELECT applied FROM sku_images WHERE tenant = $1 AND external_reference = $2';
    const { rows } = await this.#database.query<{ applied: AppliedImages }>(text, [tenant, externalReference]);
    return rows[0]?.applied ?? NO_IMAGES;
  }

  async save(tx: Tx, tenant: string, externalReference: string, applied: AppliedImages): Promise<void> {
    await tx.query(
      `INSERT INTO sku_images (tenant, external_reference, applied) VALUES ($1, $2, $3)
       ON CONFLICT (tenant, external_reference) DO UPDATE SET applied = excluded.applied, updated_at = clock_timestamp()`,
      [tenant, externalReference, JSON.stringify(applied)],
    );
  }
}
