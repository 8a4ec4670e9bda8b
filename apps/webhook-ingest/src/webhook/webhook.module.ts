import { Module } from '@nestjs/common';
import { SpoolModule } from '../spool/spool.module.ts';
import { ReceiveNotification } from './receive-notification.service.ts';
import { WebhookMetrics } from './webhook.metrics.ts';
import { WebhookRoute } from './webhook.route.ts';

/** `POST /webhooks/platform` → inbox or spool. */
@Module({ imports: [SpoolModule], providers: [WebhookMetrics, ReceiveNotification, WebhookRoute] })
export class WebhookModule {}
