import { Module } from '@nestjs/common';
import { NotificationsModule } from '../notifications/notifications.module.ts';
import { UploadsModule } from '../uploads/uploads.module.ts';
import { FailedReads } from './failed-reads.service.ts';
import { PlatformAdapter } from './platform.adapter.ts';
import { UploadAttempts } from './upload-attempts.service.ts';

/** Calls to the platform, and the attempts of uploads. */
@Module({
  imports: [NotificationsModule, UploadsModule],
  providers: [FailedReads, PlatformAdapter, UploadAttempts],
  exports: [FailedReads, PlatformAdapter, UploadAttempts],
})
export class PlatformModule {}
