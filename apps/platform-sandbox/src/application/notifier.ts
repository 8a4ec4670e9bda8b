import type { Tx } from '@gondola/service-kit/database';
import { Injectable } from '@nestjs/common';
import { corrupted } from '../domain/faults/delivery-plan.ts';
import { withExtraFields } from '../domain/faults/extra-fields.ts';
import { envelopeOf, isSubscribed, type Notification } from '../domain/webhooks/notification.ts';
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
    const { extraFields, leftShare, ...plan } = await this.faults.planDelivery(tx, notification);
    const envelope = envelopeOf(notification);
    const whole = Buffer.from(JSON.stringify(extraFields ? withExtraFields(envelope) : envelope), 'utf8');
    const body = leftShare === undefined ? whole : corrupted(whole, leftShare);
    await this.deliveries.add(tx, { operationId, contractAccountId, eventType, body, ...plan });
  }
}
