import type { Database, Tx } from '@gondola/service-kit/database/database';
import type { AppliedImageStore } from '../application/file-stores.ts';
import { type AppliedImages, NO_IMAGES } from '../domain/applied-images.ts';
import { AppliedImagesEntity } from './applied-images.entity.ts';

/** The table `sku_images`. Written while the SKU's lane is held, so nobody else writes the same row. */
export class AppliedImagesRepository implements AppliedImageStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async load(tenant: string, externalReference: string): Promise<AppliedImages> {
    const row = await this.#database.repository(AppliedImagesEntity).findOneBy({ tenant, externalReference });
    return row?.applied ?? NO_IMAGES;
  }

  async save(tx: Tx, tenant: string, externalReference: string, applied: AppliedImages): Promise<void> {
    const row = { tenant, externalReference, applied, updatedAt: () => 'clock_timestamp()' };
    await this.#database.repository(AppliedImagesEntity, tx).upsert(row, ['tenant', 'externalReference']);
  }
}
