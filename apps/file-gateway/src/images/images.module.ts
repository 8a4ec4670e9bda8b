import { Module } from '@nestjs/common';
import { ContentsModule } from '../contents/contents.module.ts';
import { FetchingModule } from '../fetching/fetching.module.ts';
import { SkusModule } from '../skus/skus.module.ts';
import { SftpModule } from '../sftp/sftp.module.ts';
import { TurnsModule } from '../turns/turns.module.ts';
import { AppliedImagesRepository } from './applied-images.repository.ts';
import { ImageDeliveries } from './image-delivery.service.ts';
import { ImageUploadsRepository } from './image-uploads.repository.ts';
import { PublishSkuImages } from './publish-images.service.ts';

/** `PublishSkuImages` */
@Module({
  imports: [ContentsModule, FetchingModule, SftpModule, SkusModule, TurnsModule],
  providers: [AppliedImagesRepository, ImageDeliveries, ImageUploadsRepository, PublishSkuImages],
  exports: [AppliedImagesRepository, ImageUploadsRepository, PublishSkuImages],
})
export class ImagesModule {}
