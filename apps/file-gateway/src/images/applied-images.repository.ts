import { Database, type Tx } from '@gondola/service-kit/database/database';
import { Injectable } from '@nestjs/common';
import { type AppliedImages, NO_IMAGES } from './applied-images.ts';
import { AppliedImagesEntity } from './applied-images.entity.ts';

/** The table `sku_images`. A row is written only while its SKU's lane is held, so nobody else writes it. */

@Injectable()
export class AppliedImagesRepository {
  constructor(private readonly database: Database) {}

  async load(tenant: string, externalReference: string): Promise<AppliedImages> {
    const row = await this.database.repository(AppliedImagesEntity).findOneBy({ tenant, externalReference });
    return row?.applied ?? NO_IMAGES;
  }

  async save(tx: Tx, tenant: string, externalReference: string, applied: AppliedImages): Promise<void> {
    const row = { tenant, externalReference, applied, updatedAt: () => 'clock_timestamp()' };
    await this.database.repository(AppliedImagesEntity, tx).upsert(row, ['tenant', 'externalReference']);
  }
}
