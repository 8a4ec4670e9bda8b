import { deleteInSteps } from '@gondola/lanes/store/delete-in-steps';
import { Database, type Tx } from '@gondola/service-kit/database/database';
import { Injectable } from '@nestjs/common';
import { Raw } from 'typeorm';
import { type AppliedImages, NO_IMAGES } from '../platform/applied-images.ts';
import { AppliedImagesEntity } from './applied-images.entity.ts';
import { imagesFromStored, storedImages } from './stored-images.ts';

/** A year without a command about the SKU's images. Without its row, unchanged images are sent a second time. */
const KEPT = "interval '365 days'";
export const OLDEST_IMAGES = `SELECT min(updated_at) + ${KEPT} AS due FROM sku_images`;

/** A use is noted once a day. */
const USED_EARLIER = (usedAt: string): string => `${usedAt} < clock_timestamp() - interval '1 day'`;

/** The table `sku_images`. A row is written only while its SKU's lane is held, so nobody else writes it. */
@Injectable()
export class AppliedImagesRepository {
  constructor(private readonly database: Database) {}

  async load(tenant: string, externalReference: string): Promise<AppliedImages> {
    const images = this.database.repository(AppliedImagesEntity);
    const key = { tenant, externalReference };
    await images.update({ ...key, updatedAt: Raw(USED_EARLIER) }, { updatedAt: () => 'clock_timestamp()' });
    const row = await images.findOneBy(key);
    return row === null ? NO_IMAGES : imagesFromStored(row.applied);
  }

  async save(tx: Tx, tenant: string, externalReference: string, applied: AppliedImages): Promise<void> {
    const row = { tenant, externalReference, applied: storedImages(applied), updatedAt: () => 'clock_timestamp()' };
    await this.database.repository(AppliedImagesEntity, tx).upsert(row, ['tenant', 'externalReference']);
  }

  /** Deletes what no command has used for a year. */
  async deleteOld(): Promise<void> {
    await deleteInSteps(this.database, 'sku_images', `updated_at < clock_timestamp() - ${KEPT}`, []);
  }
}
