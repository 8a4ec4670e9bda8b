import { deleteInSteps } from '@gondola/lanes/store/delete-in-steps';
import { Database, type Tx } from '@gondola/service-kit/database/database';
import { Injectable } from '@nestjs/common';
import { ImageUploadEntity } from './image-upload.entity.ts';

export type ImageUploadKey = Pick<ImageUploadEntity, 'tenant' | 'commandId' | 'externalReference'>;

/** An upload can be undone only while its content is stored, which is a matter of days. */
const KEPT = "interval '30 days'";
export const OLDEST_IMAGE_UPLOAD = `SELECT min(applied_at) + ${KEPT} AS due FROM image_uploads`;

/** The table `image_uploads`. */
@Injectable()
export class ImageUploadsRepository {
  constructor(private readonly database: Database) {}

  async find(key: ImageUploadKey): Promise<Pick<ImageUploadEntity, 'images' | 'urls'> | null> {
    return this.database.repository(ImageUploadEntity).findOneBy(key);
  }

  async save(tx: Tx, upload: ImageUploadKey & Pick<ImageUploadEntity, 'images' | 'urls'>): Promise<void> {
    await this.database.repository(ImageUploadEntity, tx).upsert(upload, ['tenant', 'commandId']);
  }

  async deleteOld(): Promise<void> {
    await deleteInSteps(this.database, 'image_uploads', `applied_at < clock_timestamp() - ${KEPT}`, []);
  }
}
