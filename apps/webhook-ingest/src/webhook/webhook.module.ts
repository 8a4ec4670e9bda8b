import { Module } from '@nestjs/common';
import { SpoolModule } from '../spool/spool.module.ts';
import { WebhookMetrics } from './webhook.metrics.ts';
import { WebhookRoute } from './webhook.route.ts';

/** Receives `POST /webhooks/platform` and stores it in the inbox or the spool. */
@Module({ imports: [SpoolModule], providers: [WebhookMetrics, WebhookRoute] })
export class WebhookModule {}
