import { Database, type Tx } from '@gondola/service-kit/database/database';
import { LOGGER, type Logger } from '@gondola/service-kit/logging/logger';
import { Inject, Injectable } from '@nestjs/common';
import { corrupted } from '../domain/faults/delivery-plan.ts';
import { withExtraFields } from '../domain/faults/extra-fields.ts';
import { envelopeOf, isSubscribed, type Notification } from '../domain/webhooks/notification.ts';
import { rejectionsIn, type Rejection } from '../domain/webhooks/rejection.ts';
import { DeliveriesRepository, type NewDelivery } from '../outbound/deliveries.repository.ts';
import { RejectionEntity } from '../outbound/rejection.entity.ts';
import { WebhookEntity } from '../outbound/webhook.entity.ts';
import { FaultBoard } from './fault-board.ts';

/**
 * Writes notifications, and the refusals in them, down in the transaction of what they tell; the sender is to be woken
 * after the commit.
 */
@Injectable()
export class Notifier {
  constructor(
    private readonly database: Database,
    private readonly deliveries: DeliveriesRepository,
    private readonly faults: FaultBoard,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  async notify(tx: Tx, notification: Notification): Promise<void> {
    await this.notifyAll(tx, notification.contractAccountId, [notification]);
  }

  /**
   * Notifications of one merchant, in their order. What is not subscribed now is dropped, and only the refusals in it
   * are remembered.
   */
  async notifyAll(tx: Tx, contractAccountId: string, notifications: readonly Notification[]): Promise<void> {
    const rejections = notifications.flatMap(rejectionsIn);
    if (rejections.length > 0) await this.database.repository(RejectionEntity, tx).insert(rejections);
    for (const rejection of rejections) this.log(rejection);
    const webhook = await this.database.repository(WebhookEntity, tx).findOneBy({ contractAccountId });
    const deliveries: NewDelivery[] = [];
    for (const notification of notifications) {
      if (isSubscribed(webhook?.registration, notification.eventType))
        deliveries.push(await this.delivery(tx, notification));
    }
    await this.deliveries.add(deliveries, tx);
  }

  private log({ operationId, contractAccountId, eventType, about, sku, error }: Rejection): void {
    const { statusCode, detail, validationErrors } = error;
    const reasons = validationErrors.map(({ key, validation }) => `${key} ${validation}`);
    const fields = { operationId, contractAccountId, eventType, externalReference: about, skuExternalReference: sku };
    this.logger.warn({ ...fields, statusCode, detail: [detail, ...reasons].join(' ') }, 'The core refused an item');
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
