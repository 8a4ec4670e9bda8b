import { type RecordBatch, TopicHandler } from '@gondola/messaging/consume/topic-handler';
import { Controller } from '@nestjs/common';
import { Payload } from '@nestjs/microservices';
import { TakeInNotifications } from './take-in-notifications.service.ts';

/** `platform.notifications.orders.v1` → facts in the lanes of their orders. */
@Controller()
export class OrderNotificationsConsumer {
  readonly #notifications: TakeInNotifications;

  constructor(notifications: TakeInNotifications) {
    this.#notifications = notifications;
  }

  @TopicHandler('platform.notifications.orders.v1')
  async handle(@Payload() batch: RecordBatch): Promise<void> {
    await this.#notifications.take(batch);
  }
}
