import { Module } from '@nestjs/common';
import { NotificationsModule } from '../notifications/notifications.module.ts';
import { PlatformModule } from '../platform/platform.module.ts';
import { UploadsModule } from '../uploads/uploads.module.ts';
import { FailedReads } from './failed-reads.service.ts';
import { HoldUploads } from './hold-uploads.service.ts';
import { UploadAttempts } from './upload-attempts.service.ts';

const PROVIDED = [FailedReads, HoldUploads, UploadAttempts];

/** A command's turn in its lane: the uploads that it holds, the attempts of its upload, and its failed reads. */
@Module({
  imports: [NotificationsModule, PlatformModule, UploadsModule],
  providers: PROVIDED,
  exports: [...PROVIDED, NotificationsModule, PlatformModule, UploadsModule],
})
export class TurnsModule {}
