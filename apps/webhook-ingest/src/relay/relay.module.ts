import { Module } from '@nestjs/common';
import { NotificationRelay } from './notification-relay.service.ts';
import { NotificationTopics } from './notification-topics.service.ts';

/** Relays the inbox to `platform.notifications.*`. */
@Module({ providers: [NotificationTopics, NotificationRelay], exports: [NotificationTopics, NotificationRelay] })
export class RelayModule {}
