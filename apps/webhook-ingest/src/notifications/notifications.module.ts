import { Module } from '@nestjs/common';
import { OperationsModule } from '../operations/operations.module.ts';
import { NotificationSearchRepository } from './notification-search.repository.ts';
import { NotificationsController } from './notifications.controller.ts';

/** `GET /api/notifications` */
@Module({
  imports: [OperationsModule],
  controllers: [NotificationsController],
  providers: [NotificationSearchRepository],
})
export class NotificationsModule {}
