import type { Tx } from '@gondola/service-kit/database';
import { Injectable } from '@nestjs/common';
import { envelopeText, isSubscribed, type Notification } from '../domain/webhooks/notification.ts';
import { DeliveriesRepository } from '../outbound/deliveries.repository.ts';
import { WebhooksRepository } from '../outbound/webhooks.repository.ts';
import { FaultBoard } from './fault-board.ts';

/** Writes a notification down in the transaction of what it tells; the sender is to be woken after the commit. */
@Injectable()
export class Notifier {
  constructor(
    private readonly webhooks: WebhooksRepository,
    private readonly deliveries: DeliveriesRepository,
    private readonly faults: FaultBoard,
  ) {}

  /** What is not subscribed now is dropped, and nothing remembers it. */
  async notify(tx: Tx, notification: Notification): Promise<void> {
    const { operationId, contractAccountId, eventType } = notification;
    const webhook = await this.webhooks.find(tx, contractAccountId);
    if (!isSubscribed(webhook, eventType)) return;
    const plan = await this.faults.planDelivery(tx, notification);
    const body = Buffer.from(envelopeText(notification), 'utf8');
    await this.deliveries.add(tx, { operationId, contractAccountId, eventType, body, ...plan });
  }
}
