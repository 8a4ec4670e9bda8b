import { Module } from '@nestjs/common';
import { RelayModule } from '../relay/relay.module.ts';
import { ContentMetrics } from './content.metrics.ts';
import { InboxStart } from './inbox-start.service.ts';
import { Inbox } from './inbox.service.ts';
import { NotificationsController } from './notifications.controller.ts';
import { NotificationsRepository } from './notifications.repository.ts';
import { UserErasuresRepository } from './user-erasures.repository.ts';

/** Stores notifications in PostgreSQL, many in one transaction, wakes the relay, and shows them to operators. */
@Module({
  imports: [RelayModule],
  controllers: [NotificationsController],
  providers: [UserErasuresRepository, NotificationsRepository, Inbox, InboxStart, ContentMetrics],
  exports: [UserErasuresRepository, NotificationsRepository, Inbox, ContentMetrics],
})
export class InboxModule {}
