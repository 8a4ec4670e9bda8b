import { Database, type Tx } from '@gondola/service-kit/database/database';
import { Injectable } from '@nestjs/common';
import { Raw } from 'typeorm';
import { ImageUploadEntity } from './image-upload.entity.ts';

export type ImageUploadKey = Pick<ImageUploadEntity, 'tenant' | 'commandId' | 'externalReference'>;

/** An upload is undone while its content is there, which is a matter of days. */
const KEPT = `clock_timestamp() - interval '30 days'`;

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
    const appliedAt = Raw((column) => `${column} < ${KEPT}`);
    await this.database.repository(ImageUploadEntity).delete({ appliedAt });
  }
}
