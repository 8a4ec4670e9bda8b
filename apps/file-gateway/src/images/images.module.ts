import { Module } from '@nestjs/common';
import { ContentsModule } from '../contents/contents.module.ts';
import { FetchingModule } from '../fetching/fetching.module.ts';
import { PlatformModule } from '../platform/platform.module.ts';
import { SkusModule } from '../skus/skus.module.ts';
import { UploadsModule } from '../uploads/uploads.module.ts';
import { AppliedImagesRepository } from './applied-images.repository.ts';
import { ImageUploadsRepository } from './image-uploads.repository.ts';
import { PublishSkuImages } from './publish-images.service.ts';

/** `PublishSkuImages` */
@Module({
  imports: [ContentsModule, FetchingModule, PlatformModule, SkusModule, UploadsModule],
  providers: [AppliedImagesRepository, ImageUploadsRepository, PublishSkuImages],
  exports: [AppliedImagesRepository, ImageUploadsRepository, PublishSkuImages],
})
export class ImagesModule {}
