import { LanesModule } from '../lanes/lanes.module.ts';
import { ErasuresModule } from '@gondola/operations/erasures/erasures.module';
import { Starts } from '@gondola/service-kit/run/startable';
import { Module } from '@nestjs/common';
import { NotificationsModule } from '../notifications/notifications.module.ts';
import { UploadsModule } from '../uploads/uploads.module.ts';
import { CleanUp } from './clean-up.service.ts';
import { EraseInvoiceContent } from './erase-invoice-content.service.ts';

/**
 * Deletes expired uploads, failures and operations that no command waits for, and knowledge of files unused for a
 * year; serves `/api/erasures`.
 */
@Starts(CleanUp)
@Module({
  imports: [
    LanesModule,
    NotificationsModule,
    UploadsModule,
    ErasuresModule.register(EraseInvoiceContent, [LanesModule, NotificationsModule, UploadsModule]),
  ],
  providers: [CleanUp],
})
export class RetentionModule {}
