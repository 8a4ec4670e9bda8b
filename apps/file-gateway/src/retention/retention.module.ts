import { Starts } from '@gondola/service-kit/run/startable';
import { Module } from '@nestjs/common';
import { ImagesModule } from '../images/images.module.ts';
import { NotificationsModule } from '../notifications/notifications.module.ts';
import { UploadsModule } from '../uploads/uploads.module.ts';
import { CleanUp } from './clean-up.service.ts';

/** Deletes expired uploads, and failures and operations that nobody waits for. */
@Starts(CleanUp)
@Module({ imports: [ImagesModule, NotificationsModule, UploadsModule], providers: [CleanUp] })
export class RetentionModule {}
