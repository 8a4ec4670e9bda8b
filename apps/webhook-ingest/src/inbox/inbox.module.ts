import { Module } from '@nestjs/common';
import { RelayModule } from '../relay/relay.module.ts';
import { InboxStart } from './inbox-start.service.ts';
import { Inbox } from './inbox.service.ts';
import { UserErasuresRepository } from '../retention/user-erasures.repository.ts';
import { NotificationsRepository } from './notifications.repository.ts';

/** Stores notifications in PostgreSQL, many in one transaction, and wakes the relay. */
@Module({
  imports: [RelayModule],
  providers: [UserErasuresRepository, NotificationsRepository, Inbox, InboxStart],
  exports: [UserErasuresRepository, NotificationsRepository, Inbox],
})
export class InboxModule {}
