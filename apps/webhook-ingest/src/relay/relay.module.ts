import { Module } from '@nestjs/common';
import { NotificationRelay } from './notification-relay.service.ts';
import { NotificationTopics } from './notification-topics.service.ts';

/** inbox → `platform.notifications.*` */
@Module({ providers: [NotificationTopics, NotificationRelay], exports: [NotificationTopics, NotificationRelay] })
export class RelayModule {}
