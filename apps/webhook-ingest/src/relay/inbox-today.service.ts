import type { RelayBacklog } from '@gondola/lanes/outbox/relay-source';
import { TodaySource } from '@gondola/operations/today/today.controller';
import type { RefusedTopicToday } from '@gondola/operations/today/today.dto';
import { Database } from '@gondola/service-kit/database/database';
import { Injectable } from '@nestjs/common';
import { APP } from '../config.ts';
import { NotificationRelay } from './notification-relay.service.ts';
import { NotificationSource } from './notification-source.repository.ts';

/** Notifications that wait for Kafka; the app has no lanes, and calls the platform only to register its webhook. */
@Injectable()
export class InboxToday extends TodaySource {
  readonly #source = new NotificationSource(APP);

  constructor(
    private readonly database: Database,
    private readonly relay: NotificationRelay,
  ) {
    super();
  }

  async backlog(): Promise<RelayBacklog> {
    return this.#source.backlog(this.database);
  }

  override refused(now: number): readonly RefusedTopicToday[] {
    return this.relay.refusedTopics(now);
  }
}
