import { Module } from '@nestjs/common';
import { NotificationRelay } from '../relay/notification-relay.service.ts';
import { NotificationTopics } from '../relay/notification-topics.service.ts';
import { ContentMetrics } from './content.metrics.ts';
import { InboxStart } from './inbox-start.service.ts';
import { Inbox } from './inbox.service.ts';
import { NotificationsController } from './notifications.controller.ts';
import { NotificationsRepository } from './notifications.repository.ts';
import { UserErasuresRepository } from './user-erasures.repository.ts';

/**
 * Stores notifications in PostgreSQL, many in one transaction, relays them to `platform.notifications.*`, and shows
 * them to operators.
 */
@Module({
  controllers: [NotificationsController],
  providers: [
    UserErasuresRepository,
    NotificationsRepository,
    NotificationTopics,
    NotificationRelay,
    Inbox,
    InboxStart,
    ContentMetrics,
  ],
  exports: [UserErasuresRepository, NotificationsRepository, NotificationRelay, Inbox, ContentMetrics],
})
export class InboxModule {}
