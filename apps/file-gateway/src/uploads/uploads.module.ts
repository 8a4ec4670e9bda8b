import { Module } from '@nestjs/common';
import { FreeSpace } from './free-space.adapter.ts';
import { ReceiveUpload } from './receive-upload.service.ts';
import { UploadsMetrics } from './uploads.metrics.ts';
import { UploadsRepository } from './uploads.repository.ts';
import { UploadsRoute } from './uploads.route.ts';

/** Stores content of `POST /uploads` in PostgreSQL; commands hold it until they are concluded. */
@Module({
  providers: [FreeSpace, UploadsRepository, UploadsMetrics, ReceiveUpload, UploadsRoute],
  exports: [UploadsRepository, ReceiveUpload],
})
export class UploadsModule {}
