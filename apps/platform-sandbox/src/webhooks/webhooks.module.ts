import { Starts } from '@gondola/service-kit/run/startable';
import { Module } from '@nestjs/common';
import { DeliveriesRepository } from './deliveries.repository.ts';
import { Notifier } from './notifier.service.ts';
import { WebhookSender } from './webhook-sender.service.ts';
import { WebhooksController } from './webhooks.controller.ts';

/** `POST /v1/Webhooks`, and the delivery of notifications to the merchant's webhook. */
@Starts(WebhookSender)
@Module({
  controllers: [WebhooksController],
  providers: [DeliveriesRepository, Notifier, WebhookSender],
  exports: [Notifier, WebhookSender],
})
export class WebhooksModule {}
