import { Database, type Tx } from '@gondola/service-kit/database/database';
import { LOGGER, type Logger } from '@gondola/service-kit/logging/logger';
import { Inject, Injectable } from '@nestjs/common';
import { errorObject, type CoreRefusal } from '../core/core-error.ts';
import type { Operation } from '../core/operations.repository.ts';
import { withExtraFields } from '../faults/extra-fields.ts';
import { FaultBoard } from '../faults/fault-board.service.ts';
import { corrupted } from '../faults/fault.ts';
import { RejectionEntity } from '../logs/rejection.entity.ts';
import { Ids } from '../runtime/ids.service.ts';
import { chunksOf } from '../values/column-values.adapter.ts';
import { DeliveriesRepository, type NewDelivery } from './deliveries.repository.ts';
import { envelopeOf, isSubscribed, rejectionsIn, type Notification, type Rejection } from './notification.ts';
import { WebhookEntity } from './webhook.entity.ts';

/** The entity in `data` that the core refused, with the core's own route: a path below `/v1/gateway/`. */
export interface Refused extends Pick<Notification, 'relatedEntity' | 'eventType' | 'data'> {
  readonly route: string;
}

/**
 * Stores notifications and their refusals in the transaction of the change; the caller wakes the sender after the
 * commit.
 */
@Injectable()
export class Notifier {
  constructor(
    private readonly database: Database,
    private readonly deliveries: DeliveriesRepository,
    private readonly faults: FaultBoard,
    private readonly ids: Ids,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Notifies a refusal whose error is in the envelope. */
  async refuse(
    tx: Tx,
    { operationId, contractAccountId }: Operation,
    { route, ...about }: Refused,
    refusal: CoreRefusal,
  ): Promise<void> {
    const context = { instance: `/v1/gateway/${route}`, traceId: this.ids.newTraceId() };
    await this.notify(tx, { operationId, contractAccountId, ...about, error: errorObject(refusal, context) });
  }

  async notify(tx: Tx, notification: Notification): Promise<void> {
    await this.notifyAll(tx, notification.contractAccountId, [notification]);
  }

  /**
   * Stores notifications of one merchant, in order. Notifications without a subscription are dropped; only their
   * refusals are stored.
   */
  async notifyAll(tx: Tx, contractAccountId: string, notifications: readonly Notification[]): Promise<void> {
    const rejections = notifications.flatMap(rejectionsIn);
    for (const chunk of chunksOf(rejections)) await this.database.repository(RejectionEntity, tx).insert(chunk);
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
