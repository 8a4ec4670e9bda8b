import { type RecordBatch, TopicHandler } from '@gondola/messaging/consume/topic-handler';
import { Controller } from '@nestjs/common';
import { Payload } from '@nestjs/microservices';
import { TakeOrderNotifications } from '../application/take-order-notifications.ts';

/** `platform.notifications.orders.v1` → GUIDs of orders, and refusals beside the commands that they are about. */
@Controller()
export class OrderNotificationsConsumer {
  readonly #notifications: TakeOrderNotifications;

  constructor(notifications: TakeOrderNotifications) {
    this.#notifications = notifications;
  }

  @TopicHandler('platform.notifications.orders.v1')
  async take(@Payload() batch: RecordBatch): Promise<void> {
    await this.#notifications.take(batch);
  }
}
