import { Module } from '@nestjs/common';
import { FreeSpace } from './free-space.adapter.ts';
import { HoldUploads } from './hold-uploads.service.ts';
import { UploadsRepository } from './uploads.repository.ts';
import { UploadsMetrics } from './uploads.metrics.ts';
import { ReceiveUpload } from './receive-upload.service.ts';
import { UploadsRoute } from './uploads.route.ts';

/** Content of `POST /uploads`, and of commands that name a URL or path; commands hold it until they are concluded. */
@Module({
  providers: [FreeSpace, UploadsRepository, UploadsMetrics, ReceiveUpload, UploadsRoute, HoldUploads],
  exports: [UploadsRepository, ReceiveUpload, HoldUploads],
})
export class UploadsModule {}
