import { ErasuresModule } from '@gondola/messaging/erasures/erasures.module';
import { Starts } from '@gondola/service-kit/run/startable';
import { Module } from '@nestjs/common';
import { FileCommandsModule } from '../commands/file-commands.module.ts';
import { ImagesModule } from '../images/images.module.ts';
import { InvoicesModule } from '../invoices/invoices.module.ts';
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
    FileCommandsModule,
    ImagesModule,
    InvoicesModule,
    NotificationsModule,
    UploadsModule,
    ErasuresModule.register(EraseInvoiceContent, [FileCommandsModule, NotificationsModule, UploadsModule]),
  ],
  providers: [CleanUp],
})
export class RetentionModule {}
