import type { Tx } from '@gondola/service-kit/database';
import { Injectable } from '@nestjs/common';
import { corrupted } from '../domain/faults/delivery-plan.ts';
import { withExtraFields } from '../domain/faults/extra-fields.ts';
import { envelopeOf, isSubscribed, type Notification } from '../domain/webhooks/notification.ts';
import { DeliveriesRepository, type NewDelivery } from '../outbound/deliveries.repository.ts';
import { WebhooksRepository } from '../outbound/webhooks.repository.ts';
import { FaultBoard } from './fault-board.ts';

/** Writes notifications down in the transaction of what they tell; the sender is to be woken after the commit. */
@Injectable()
export class Notifier {
  constructor(
    private readonly webhooks: WebhooksRepository,
    private readonly deliveries: DeliveriesRepository,
    private readonly faults: FaultBoard,
  ) {}

  async notify(tx: Tx, notification: Notification): Promise<void> {
    await this.notifyAll(tx, notification.contractAccountId, [notification]);
  }

  /** Notifications of one merchant, in their order. What is not subscribed now is dropped, and nothing remembers it. */
  async notifyAll(tx: Tx, contractAccountId: string, notifications: readonly Notification[]): Promise<void> {
    const webhook = await this.webhooks.find(tx, contractAccountId);
    const deliveries: NewDelivery[] = [];
    for (const notification of notifications) {
      if (isSubscribed(webhook, notification.eventType)) deliveries.push(await this.delivery(tx, notification));
    }
    await this.deliveries.add(tx, deliveries);
  }

  private async delivery(tx: Tx, notification: Notification): Promise<NewDelivery> {
    const { operationId, contractAccountId, eventType } = notification;
    const { extraFields, leftShare, ...plan } = await this.faults.planDelivery(tx, notification);
    const envelope = envelopeOf(notification);
    const whole = Buffer.from(JSON.stringify(extraFields ? withExtraFields(envelope) : envelope), 'utf8');
    const body = leftShare === undefined ? whole : corrupted(whole, leftShare);
    return { operationId, contractAccountId, eventType, body, ...plan };
  }
}
